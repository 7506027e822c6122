// What other browsers do to a frame, put into Chromium: each script acts in frames alone, and leaves windows as they are.
import type { BrowserContext } from '@playwright/test';

/** As Safari: no passkey is made or asked for in a frame of another site. */
export async function refuseInFrames(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window.top === window || !('credentials' in navigator)) return;
    const refuse = async (): Promise<never> => {
      throw new DOMException(
        'The origin of the document is not the same as its ancestors.',
        'NotAllowedError',
      );
    };
    CredentialsContainer.prototype.create = refuse;
    CredentialsContainer.prototype.get = refuse;
  });
}

/** As Safari and Firefox: a frame is not told what of it is painted (IntersectionObserver v2). */
export async function hideVisibility(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window.top === window) return;
    Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible');
  });
}

/** As a popup blocker that does not ask: frames get this many windows refused. */
export async function blockWindows(context: BrowserContext, count = 1_000): Promise<void> {
  await context.addInitScript((blocked: number) => {
    if (window.top === window) return;
    const open = window.open.bind(window);
    let left = blocked;
    window.open = (...args) => {
      left -= 1;
      return left >= 0 ? null : open(...args);
    };
  }, count);
}
