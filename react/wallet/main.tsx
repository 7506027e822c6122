/** The wallet page, which runs on the wallet origin: inside a host's frame, in its own window, or as a page of its own. */
import type { Theme } from 'latchkey';
import type { Brand } from 'latchkey/brand';
import {
  isPopup,
  readWalletPageConfig,
  runPopup,
  startWalletPage,
  type WalletPageConfig,
} from 'latchkey/wallet';
import { createReactConfirmer } from '../src/confirm/react-confirmer.js';
import { openedAddress } from './connect/opened-address.js';
import { followChoice, speak } from './language.js';
import { showTheme } from './show-theme.js';

async function start(): Promise<void> {
  await dress();
  let notice: (() => string) | undefined;
  const confirmer = createReactConfirmer({ notice: () => notice?.() });
  /** The browser lets this page store nothing: each confirmation says so. */
  const forgets = async (): Promise<void> => {
    const { confirmTexts } = await import('../src/texts/confirm-texts.js');
    notice = () => confirmTexts().walletPage.inMemory;
  };
  if (isPopup()) {
    const [{ continueByClick, paintWindow }, { showLost }] = await Promise.all([
      import('./popup.js'),
      import('./notice.js'),
    ]);
    return runPopup({ confirmer, paint: paintWindow, speak: speakAsHost, continueByClick, lost: showLost });
  }
  const opened = openedAddress();
  if (opened && window.parent === window) {
    const { start: startOpened } = await import('./connect/main.js');
    return startOpened(opened, confirmer, () => void forgets());
  }
  const config = readWalletPageConfig(document);
  if (window.parent === window) {
    if (location.pathname.replace(/\/$/, '') === '/check')
      return (await import('./check/start.js')).showCheck(config);
    return (await import('./home/start.js')).showHome(config);
  }
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
    async openSettings(wallet, signal, { host, patience }) {
      const stopped = patience.isStopped ? { host, allow: () => patience.allow() } : undefined;
      await (await import('./ui.js')).openSettings(wallet, signal, stopped);
    },
    async showLinkingCode(linking, options) {
      (await import('./ui.js')).showLinkingCode(linking, options);
    },
    async showRegisterButton(button, signal) {
      (await import('./register-button.js')).showRegisterButton(button, signal);
    },
    async showTransactionButton(button, signal) {
      (await import('./transaction-button.js')).showTransactionButton(button, signal);
    },
    async showPasskeyField(theme, signal) {
      (await import('./passkey-field.js')).showPasskeyField(theme, signal);
    },
    setTheme: showTheme,
    setHostLanguage: speakAsHost,
    async hostNotAllowed(origin) {
      (await import('./notice.js')).showHostNotAllowed(origin);
    },
    async storageRefused() {
      await forgets();
      (await import('./storage-notice.js')).showStorageNotice(themeOf(config));
    },
  });
  // Makes the first confirmation open immediately. If this fails, the UI is loaded again when needed.
  confirmer
    .preload()
    .catch((error: unknown) => console.warn('The confirm UI could not be loaded ahead', error));
}

/** The look and the language that the operator chose. The frame and its window have the same page. */
async function dress(): Promise<void> {
  try {
    const { brand } = readWalletPageConfig(document);
    // Not waited for: a screen that shows already changes with it.
    if (brand) void paint(brand);
    followChoice();
    await speakFirst(navigator.languages);
  } catch (error) {
    console.warn('The wallet could not be drawn as its operator chose', error);
  }
}

async function paint(brand: Brand): Promise<void> {
  const [{ brandCss }, { paintBrand }] = await Promise.all([
    import('latchkey/brand'),
    import('../src/surface/design.js'),
  ]);
  paintBrand(brandCss(brand));
}

/** Draws in the operator's language, or in the first of these that the wallet has. */
async function speakFirst(others: readonly string[]): Promise<void> {
  try {
    const { language = 'auto' } = readWalletPageConfig(document);
    await speak(language === 'auto' ? others : [language]);
  } catch (error) {
    console.warn('The wallet could not be drawn in another language', error);
  }
}

/** Draws in the language of the page around this one, as far as nobody chose another. */
const speakAsHost = (language: string): Promise<void> => speakFirst([language, ...navigator.languages]);

/** The theme of everything drawn outside a request. */
const themeOf = ({ confirmationConfig }: WalletPageConfig): Theme => confirmationConfig?.theme ?? 'dark';

start().catch(async (error: unknown) => {
  (await import('./notice.js')).showFailure(error);
});
