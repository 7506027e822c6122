/** The wallet's window at `/connect` and `/sign`, for the page that opened it. */
import type { Theme } from 'latchkey';
import { type OpenedAddress, type OpenedPageUi, serveOpener } from 'latchkey/internal/wallet';
import { readWalletPageConfig } from 'latchkey/wallet';
import type { ReactConfirmer } from '../../src/confirm/react-confirmer.js';
import { showNoOpener, showOpened, showRefused, showUnlock } from './pages.js';

export async function start(
  address: OpenedAddress,
  confirmer: ReactConfirmer,
  setNotice: (text: string) => void,
): Promise<void> {
  let drawn: { remove(): void } | undefined;
  const draw = (page: { remove(): void }): void => {
    drawn?.remove();
    drawn = page;
  };
  const paint = (theme: Theme): void => {
    document.documentElement.dataset.latchkeyTheme = theme;
  };
  const ui: OpenedPageUi = {
    confirmer,
    show({ origin, theme }) {
      paint(theme);
      draw(showOpened(origin));
    },
    async unlock(asked, signal) {
      drawn?.remove();
      drawn = undefined;
      const decision = await showUnlock(asked, signal);
      draw(showOpened(asked.origin));
      return decision;
    },
    noOpener: () => draw(showNoOpener()),
    refused: (origin) => draw(showRefused(origin)),
    storageRefused: setNotice,
  };
  await serveOpener(readWalletPageConfig(document), address, ui);
  confirmer
    .preload()
    .catch((error: unknown) => console.warn('The confirm UI could not be loaded ahead', error));
}
