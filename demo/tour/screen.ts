import type { Frame, Page } from 'playwright-core';

/** The wallet's frame while it covers the page, which is inert then. */
const COVERING_WALLET = 'latchkey-wallet dialog[data-at="fullscreen"]';

/** How long to wait for a frame of the screen: a hidden document draws none. */
const DRAW_LIMIT_MS = 5_000;

export const isUnderWallet = async (page: Page): Promise<boolean> =>
  (await page.locator(COVERING_WALLET).count()) > 0;

/** The documents that a person sees: a page that its wallet covers is none of them, nor is a frame without a size. */
export async function shownFrames(page: Page): Promise<Frame[]> {
  const isUnder = await isUnderWallet(page);
  const seen = await Promise.all(
    page.frames().map(async (frame) => {
      if (frame.parentFrame() === null) return !isUnder;
      const box = await (await frame.frameElement()).boundingBox();
      return box !== null && box.width > 0 && box.height > 0;
    }),
  );
  return page.frames().filter((_, index) => seen[index]);
}

/** Ends each one's transitions, and waits until it has drawn that: a frame of another origin is drawn apart from its page. */
export async function drawn(frames: readonly Frame[]): Promise<void> {
  await Promise.all(
    frames.map((frame) =>
      frame.evaluate(async (limitMs) => {
        // No function is named here: tsx would have each carry its name by a helper that the page has not.
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
          setTimeout(resolve, limitMs);
        });
        const shadows = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
        for (const root of [document, ...shadows])
          for (const animation of root.getAnimations())
            if (animation instanceof CSSTransition) animation.finish();
        await new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
          setTimeout(resolve, limitMs);
        });
      }, DRAW_LIMIT_MS),
    ),
  );
}
