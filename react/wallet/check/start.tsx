/** Draws the page `/check`. Loaded only there. */

import { startCheck } from 'latchkey/internal/wallet';
import type { WalletPageConfig } from 'latchkey/wallet';
import { createRoot } from 'react-dom/client';
import { adoptDesign } from '../../src/surface/design.js';
import { pageCss } from '../home/styles/page.js';
import { englishHome } from '../home/texts/english.js';
import { HomeTextsProvider } from '../home/texts/index.js';
import { checkTexts, homeTexts } from '../language.js';
import { showFailure } from '../notice.js';
import { CheckPage } from './check-page.js';
import { englishCheck } from './texts/english.js';

/** The build puts the kit's version here. */
declare const LATCHKEY_VERSION: string;

export async function showCheck(config: WalletPageConfig): Promise<void> {
  const [words, homeWords] = await Promise.all([checkTexts(englishCheck), homeTexts(englishHome)]);
  adoptDesign(document, pageCss);
  const place = document.createElement('div');
  document.body.append(place);
  const fail = (error: unknown): void => {
    reportError(error);
    place.remove();
    showFailure(error);
  };
  const start = () => startCheck(config, LATCHKEY_VERSION);
  createRoot(place, { onUncaughtError: fail }).render(
    <HomeTextsProvider first={homeWords}>
      <CheckPage words={words} start={start} />
    </HomeTextsProvider>,
  );
}
