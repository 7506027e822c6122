/** Draws the wallet's own page. Loaded only where the user opened the wallet as a page of its own. */

import { createHome } from 'latchkey/internal/wallet';
import type { WalletPageConfig } from 'latchkey/wallet';
import { createRoot } from 'react-dom/client';
import { PasskeyContextProvider } from '../../src/provider.js';
import { adoptDesign } from '../../src/surface/design.js';
import { texts } from '../../src/texts/current.js';
import { homeTexts } from '../language.js';
import { showFailure } from '../notice.js';
import { HomeContext } from './context.js';
import { HomePage } from './home-page.js';
import { pageCss } from './styles/page.js';
import { englishHome } from './texts/english.js';
import { HomeTextsProvider } from './texts/index.js';

export async function showHome(config: WalletPageConfig): Promise<void> {
  const home = await createHome(config);
  const words = await homeTexts(englishHome);
  adoptDesign(document, pageCss);
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place, {
    // Without it, a screen that fails would leave an empty page.
    onUncaughtError(error) {
      reportError(error);
      place.remove();
      showFailure(error);
    },
  });
  root.render(
    <PasskeyContextProvider
      manager={home.manager}
      texts={texts()}
      {...(config.brand && { brand: config.brand })}
    >
      <HomeContext.Provider value={home}>
        <HomeTextsProvider first={words}>
          <HomePage />
        </HomeTextsProvider>
      </HomeContext.Provider>
    </PasskeyContextProvider>,
  );
}
