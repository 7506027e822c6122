import type { Frame, Page } from 'playwright-core';
import { said } from '../stack/report.js';

/** The wallet's frame while it covers the page, which is then inert. */
const COVERING_WALLET = 'latchkey-wallet dialog[data-at="fullscreen"]';

/** How long to wait for a painted frame: a hidden document paints none. */
const DRAW_LIMIT_MS = 5_000;

export const isUnderWallet = async (page: Page): Promise<boolean> =>
  (await page.locator(COVERING_WALLET).count()) > 0;

/** Runs this in each frame of the page. A frame that leaves the page meanwhile is no failure: one that cannot load does. */
export async function inFrames(page: Page, run: (frame: Frame) => Promise<void>): Promise<void> {
  for (const frame of page.frames()) {
    await run(frame).catch((error: unknown) => {
      // Playwright may fail the call before it reports the frame as detached.
      if (!frame.isDetached() && !said(error).includes('detached')) throw error;
    });
  }
}

/** The documents that the user sees: excludes a page that its wallet covers, and frames without a size. */
export async function shownFrames(page: Page): Promise<Frame[]> {
  const isUnder = await isUnderWallet(page);
  const seen: Frame[] = [];
  await inFrames(page, async (frame) => {
    if (frame.parentFrame() === null) {
      if (!isUnder) seen.push(frame);
      return;
    }
    const box = await (await frame.frameElement()).boundingBox();
    if (box !== null && box.width > 0 && box.height > 0) seen.push(frame);
  });
  return seen;
}

/** Ends each document's transitions, and waits until it has painted: a frame of another origin paints separately. */
export async function drawn(frames: readonly Frame[]): Promise<void> {
  await Promise.all(
    frames.map((frame) =>
      frame.evaluate(async (limitMs) => {
        // Contains no named function: tsx would wrap it in a helper that the page lacks.
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
