import type { Frame, Page } from 'playwright-core';
import { said } from '../../tests/support/report.js';

/** The wallet's frame while it covers the page, which is then inert. */
const COVERING_WALLET = 'latchkey-wallet dialog[data-at="fullscreen"]';

/** How long to wait for a painted frame: a hidden document paints none. */
const DRAW_LIMIT_MS = 5_000;

export const isUnderWallet = async (page: Page): Promise<boolean> =>
  (await page.locator(COVERING_WALLET).count()) > 0;

/** How often the page may bring other documents while one look at it lasts: one that always does so is broken. */
const MOST_LOOKS = 20;

/**
 * Looks at the page's documents, again wherever one came or was replaced meanwhile: the look may have missed that one. Use the
 * result alone, since the looks before it are of pages that are gone.
 */
export async function lookAt<T>(page: Page, look: () => Promise<T>): Promise<T> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    let isOther = false;
    const note = (): void => {
      isOther = true;
    };
    page.on('framenavigated', note).on('frameattached', note);
    try {
      const seen = await look();
      if (!isOther) return seen;
    } catch (error) {
      // Playwright may fail the call before it reports the new document.
      if (!isOther && !said(error).includes('Execution context was destroyed')) throw error;
    } finally {
      page.off('framenavigated', note).off('frameattached', note);
    }
  }
  throw new Error(`${page.url()} loads its frames again and again.`);
}

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
