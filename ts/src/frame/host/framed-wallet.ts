/** The wallet on its own origin: every call of {@link Wallet} is a request to the page in the frame. */
import type { ResolvedConfig } from '../../config.js';
import { FRAME_TEXTS, LatchkeyError } from '../../errors/frame.js';
import type { WalletSurroundings } from '../../flows/wallet.js';
import type { FlowOptions } from '../../types.js';
import { type CallArgs, type CallName, forwardingWallet, type RunningWallet } from '../../wallet.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import type { CarriedCall } from '../protocol/index.js';
import { inWordsOfThePage } from './in-words.js';
import { flowOver, requestsOf } from './port-requests.js';
import type { RegisterButton, RegisterButtonOptions } from './register-button.js';
import type { WalletTransactionButton, WalletTransactionButtonOptions } from './transaction-button.js';
import { createWalletFrame } from './wallet-frame.js';

/** How long a check of the device waits for the wallet. It often runs before anything is drawn; the caller has a fallback. */
const CHECK_WAIT_MS = 4_000;

/** What a wallet in a frame offers on top. */
export interface FramedWallet extends RunningWallet {
  /** Rejects where the wallet is not ready, or does not answer, within 4 seconds. */
  checkDevice(): Promise<DeviceCheck>;
  /** Shows the wallet's own settings; resolves when the user has closed them. */
  openSettings(): Promise<void>;
  /** Replaces the previous button, of either kind. */
  registerButton(options: RegisterButtonOptions): Promise<RegisterButton>;
  /** Replaces the previous button, of either kind. */
  transactionButton(options: WalletTransactionButtonOptions): Promise<WalletTransactionButton>;
}

/** Loads the table of the messages, at the same time as the wallet page. */
const protocol = () => import('../protocol/index.js');

/** The calls that no message carries. The type requires every call without a message here. */
const notCarried: Pick<RunningWallet, Exclude<CallName, CarriedCall>> = {
  setUserPreferences: async () => {
    throw new LatchkeyError('CONFIG_NOT_ALLOWED', { values: { reason: FRAME_TEXTS.preferences } });
  },
};

/** Creates the wallet whose frame `config.iframeWallet` describes. Loads nothing before the first call. */
export function createFramedWallet(
  config: ResolvedConfig,
  { page, onLoginState }: Pick<WalletSurroundings, 'page' | 'onLoginState'>,
): FramedWallet {
  if (!config.iframeWallet) throw new LatchkeyError('WALLET_FRAME_ONLY');
  const frame = createWalletFrame({
    config: config.iframeWallet,
    hostOrigin: page,
    onLoginState,
    warn: config.logger.warn,
  });
  const requests = requestsOf(frame);
  const { ask, askToEnd } = requests;
  let button: { dispose(): void } | undefined;

  const forward = async (call: CallName, args: CallArgs<CallName>): Promise<unknown> => {
    const { type, flow, pack, optionsOf, wire, resolvesWith } = (await protocol()).carrierOf(
      call as CarriedCall,
    );
    /** Packs the arguments and sends them. The page has the words for what the port refuses of them. */
    const send = async <T>(by: (payload: never) => Promise<T>): Promise<T> => {
      const payload = pack(args);
      return by(payload).catch(async (error: unknown) => {
        throw await inWordsOfThePage(error, payload);
      });
    };
    if (!flow) return send((payload) => ask(type, payload));
    // The user's own try. Reads run by themselves, as often as a name is typed: they keep to the last answer.
    frame.forgetRefusal();
    const options = optionsOf(args) as FlowOptions<typeof flow, unknown>;
    switch (resolvesWith) {
      case 'end':
        return flowOver(flow, options, (run) => send((payload) => askToEnd(type, payload, run)));
      case 'result':
        // The flow continues after the call has resolved.
        return new Promise((resolve, reject) => {
          flowOver(flow, options, (run) =>
            send((payload) => askToEnd(type, payload, { ...run, onResult: resolve })),
          ).catch(reject);
        });
      default:
        return flowOver<typeof flow, unknown>(flow, options, async (run) => {
          const result = await send((payload) => ask(type, payload, run));
          return wire ? wire.from(result) : result;
        });
    }
  };

  return {
    ...forwardingWallet(forward),
    ...notCarried,
    warmUp: async () => {
      frame.forgetRefusal();
      await Promise.all([frame.connect(), protocol()]);
    },
    checkDevice: () => ask('PM_CHECK_DEVICE', {}, { signal: AbortSignal.timeout(CHECK_WAIT_MS) }),
    openSettings: () => ask('PM_OPEN_SETTINGS', {}),
    async registerButton(options) {
      const { mountRegisterButton } = await import('./register-button.js');
      button?.dispose();
      const mounted = mountRegisterButton(frame, requests, options);
      button = mounted;
      return mounted;
    },
    async transactionButton(options) {
      const { mountWalletTransactionButton } = await import('./transaction-button.js');
      button?.dispose();
      const mounted = mountWalletTransactionButton(frame, requests, options);
      button = mounted;
      return mounted;
    },
    close: async () => frame.destroy(),
  };
}
