// Other browsers' frame restrictions, applied to Chromium: each script changes frames only, not windows.
import type { BrowserContext } from 'playwright-core';

/** As Safari: a frame of another site can neither create nor request a passkey. */
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

/** As an extension that takes the page's passkeys over and serves no frame of another site. */
export async function manageWindowsOnly(
  context: BrowserContext,
  manager: 'Bitwarden' | 'KeePassXC',
): Promise<void> {
  await context.addInitScript((name: typeof manager) => {
    if (window.top === window || !('credentials' in navigator)) return;
    const refuse = async (): Promise<null> => {
      if (name === 'KeePassXC') return null;
      throw new Error("Invalid 'sameOriginWithAncestors' value");
    };
    CredentialsContainer.prototype.create = refuse;
    CredentialsContainer.prototype.get = refuse;
  }, manager);
}

/** As Safari and Firefox: a frame cannot track its own visibility (IntersectionObserver v2). */
export async function hideVisibility(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window.top === window) return;
    Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible');
  });
}

/** As a popup blocker that does not ask: refuses frames this many windows. */
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
