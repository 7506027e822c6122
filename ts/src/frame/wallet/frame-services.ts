/** What the wallet page does for its host besides the calls of the wallet: it draws, and takes the host's configuration. */
import type { Logger } from '../../config.js';
import { LatchkeyError, messageOf, PASSKEYS_UNSUPPORTED } from '../../errors/wallet.js';
import type { LocalWallet } from '../../flows/wallet.js';
import type { Device2Linking, Theme } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { checkDevice } from '../../webauthn/device-check.js';
import type { FrameServices, LinkingProgress } from '../protocol/index.js';
import type { ButtonClick } from './button-click.js';
import type { Patience } from './patience.js';
import type { WalletPageUi } from './start.js';

export interface FrameServicesOptions {
  readonly host: string;
  /** As the host calls it. */
  readonly wallet: Wallet;
  readonly preview: LocalWallet['preview'];
  readonly recoverByAutofill: LocalWallet['recoverByAutofill'];
  readonly setConfig: FrameServices['setConfig'];
  readonly ui: WalletPageUi;
  readonly patience: Patience;
  readonly buttonClick: ButtonClick;
  readonly warn: Logger['warn'];
}

export function frameServices({
  host,
  wallet,
  preview,
  recoverByAutofill,
  setConfig,
  ui,
  patience,
  buttonClick,
  warn,
}: FrameServicesOptions): FrameServices {
  const theme = async (): Promise<Theme> => (await wallet.getConfirmationConfig()).theme;

  const stopLinking = (): void => {
    wallet
      .stopDevice2LinkingFlow()
      .catch((error: unknown) => warn('Device linking could not be stopped', messageOf(error)));
  };
  const drawLinkingCode = async (linking: Device2Linking, progress: LinkingProgress): Promise<void> =>
    ui.showLinkingCode(linking, { ...progress, theme: await theme(), onClose: stopLinking });

  return {
    checkDevice,
    openSettings: (signal) => ui.openSettings(wallet, signal, { host, patience }),
    setConfig,
    tellHost: (message) => window.parent.postMessage(message, host),
    showRegisterButton: (button, signal) => {
      theme()
        .then((theme) => ui.showRegisterButton({ ...button, theme }, signal))
        .catch((error: unknown) => warn('The register button could not be drawn', messageOf(error)));
    },
    async offerPasskeys(options) {
      patience.assertMayAsk();
      const ended = new AbortController();
      const end = (): void => ended.abort();
      let isChosen = false;
      const onEvent: typeof options.onEvent = (event) => {
        if (event.phase === 'webauthn-authentication' && event.status === 'success') {
          isChosen = true;
          end();
        }
        // Before, the host would cover its page for a prompt that nobody has asked for.
        if (isChosen) options.onEvent(event);
      };
      try {
        await ui.showPasskeyField(await theme(), AbortSignal.any([options.signal, ended.signal]));
        const opened = await recoverByAutofill({ ...options, onEvent });
        if (!opened) throw new LatchkeyError(PASSKEYS_UNSUPPORTED);
        return opened;
      } finally {
        end();
      }
    },
    showTransactionButton: async (button, signal) => {
      const { drawTransactionButton } = await import('./transaction-button.js');
      await drawTransactionButton(
        { ...button, theme: await theme(), askedBy: host },
        { preview, click: buttonClick, draw: ui.showTransactionButton, warn, signal },
      );
    },
    showLinkingCode: (linking, progress) => {
      drawLinkingCode(linking, progress).catch((error: unknown) => {
        warn('The linking code could not be drawn', messageOf(error));
        stopLinking();
      });
    },
  };
}
