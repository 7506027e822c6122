import type { Page } from 'playwright-core';
import { inFrames, shownFrames } from './screen.js';

const CHOICE = 'latchkey-language';

/**
 * Draws what the user sees of the wallet in this language, or in the browser's for null, as a choice in another page of the wallet
 * does. Returns whether there is anything of the wallet.
 */
export async function speak(page: Page, language: string | null): Promise<boolean> {
  const shown = await shownFrames(page);
  let isWallet = false;
  await inFrames(page, async (frame) => {
    if (!shown.includes(frame) || (await frame.locator('#latchkey-config').count()) === 0) return;
    isWallet = true;
    // No choice is kept: a page that the browser lets store nothing has its pictures, too.
    await frame.evaluate(([key, newValue]) => dispatchEvent(new StorageEvent('storage', { key, newValue })), [
      CHOICE,
      language,
    ] as const);
    await frame.locator(`html[lang="${language ?? 'en'}"]`).waitFor({ state: 'attached' });
  });
  return isWallet;
}
