/** The wallet page, which runs on the wallet origin inside a host's frame. */
import type { Theme } from 'latchkey';
import {
  isPopup,
  readWalletPageConfig,
  runPopup,
  startWalletPage,
  type WalletPageConfig,
} from 'latchkey/wallet';
import { createReactConfirmer } from '../src/confirm/react-confirmer.js';

async function start(): Promise<void> {
  let notice: string | undefined;
  const confirmer = createReactConfirmer({ notice: () => notice });
  if (isPopup()) {
    const [{ continueByClick, paintWindow }, { showLost }] = await Promise.all([
      import('./popup.js'),
      import('./notice.js'),
    ]);
    return runPopup({ confirmer, paint: paintWindow, continueByClick, lost: showLost });
  }
  if (window.parent === window) return (await import('./notice.js')).showNotFramed();
  const config = readWalletPageConfig(document);
  await startWalletPage(config, {
    confirmer,
    popupScreen: {
      show: (shown, actions, signal) => {
        import('./popup.js').then(
          ({ drawPopupScreen }) => drawPopupScreen(shown, actions, signal),
          () => actions.cancel(),
        );
      },
    },
    async openSettings(wallet, signal) {
      await (await import('./ui.js')).openSettings(wallet, signal);
    },
    async showLinkingCode(linking, options) {
      (await import('./ui.js')).showLinkingCode(linking, options);
    },
    async showRegisterButton(button, signal) {
      (await import('./register-button.js')).showRegisterButton(button, signal);
    },
    async hostNotAllowed(origin) {
      (await import('./notice.js')).showHostNotAllowed(origin);
    },
    async storageRefused(text) {
      notice = text;
      (await import('./storage-notice.js')).showStorageNotice(text, themeOf(config));
    },
  });
  // Makes the first confirmation open immediately. If this fails, the UI is loaded again when needed.
  confirmer
    .preload()
    .catch((error: unknown) => console.warn('The confirm UI could not be loaded ahead', error));
}

/** The theme of everything drawn outside a request. */
const themeOf = ({ confirmationConfig }: WalletPageConfig): Theme => confirmationConfig?.theme ?? 'dark';

start().catch(async (error: unknown) => {
  const { showFailure } = await import('./notice.js');
  showFailure(error instanceof Error ? error.message : String(error));
});
