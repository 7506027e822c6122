/**
 * The calls of a wallet in a frame, and the rest that a host's page runs after the first of them. One file of a build holds all
 * of it, which loads while the wallet's page does.
 */
import { CONFIG_NOT_ALLOWED, FRAME_TEXTS, isLatchkeyError, LatchkeyError } from '../../errors/frame.js';
import type { FlowOptions } from '../../types.js';
import { type CallArgs, type CallName, forwardingWallet, type Wallet } from '../../wallet.js';
import { canAskConditionally } from '../../webauthn/can-ask-conditionally.js';
import { type CarriedCall, carrierOf } from '../protocol/index.js';
import { argumentError } from './argument-words.js';
import type { FramedWallet } from './framed-wallet.js';
import { mountPasskeyField } from './passkey-field.js';
import { flowOver, requestsOf } from './port-requests.js';
import { mountRegisterButton } from './register-button.js';
import { mountWalletTransactionButton } from './transaction-button.js';
import { createWalletFrame, type WalletFrameOptions } from './wallet-frame.js';

export { adoptAccount } from '../../adopt-account.js';
export { failedResult } from '../../failed-calls.js';
export { checkDevice } from '../../webauthn/device-check.js';

/** How long a check of the device waits for the wallet. It often runs before anything is drawn; the caller has a fallback. */
const CHECK_WAIT_MS = 4_000;

/** The calls that no message carries. The type requires every call without a message here. */
const notCarried: Pick<Wallet, Exclude<CallName, CarriedCall>> = {
  setUserPreferences: async () => {
    throw new LatchkeyError(CONFIG_NOT_ALLOWED, { values: { reason: FRAME_TEXTS.preferences } });
  },
};

/** What {@link FramedWallet} does over its frame. */
export type FrameCalls = Wallet &
  Pick<
    FramedWallet,
    'warmUp' | 'checkDevice' | 'openSettings' | 'recoverByAutofill' | 'registerButton' | 'transactionButton'
  >;

export function callsOver(options: WalletFrameOptions): FrameCalls {
  const frame = createWalletFrame(options);
  const requests = requestsOf(frame);
  const { ask, askToEnd } = requests;
  /** What the wallet draws over a container. */
  let drawn: { dispose(): void } | undefined;

  const forward = async (call: CallName, args: CallArgs<CallName>): Promise<unknown> => {
    const { type, flow, pack, optionsOf, wire, resolvesWith } = carrierOf(call as CarriedCall);
    /** Packs the arguments and sends them. The page has the words for what the port refuses of them. */
    const send = async <T>(by: (payload: never) => Promise<T>): Promise<T> => {
      const payload = pack(args);
      return by(payload).catch(async (error: unknown) => {
        throw isLatchkeyError(error, 'INVALID_MESSAGE') ? await argumentError(error, payload, call) : error;
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
      await frame.connect();
    },
    checkDevice: () => ask('PM_CHECK_DEVICE', {}, { signal: AbortSignal.timeout(CHECK_WAIT_MS) }),
    openSettings: () => ask('PM_OPEN_SETTINGS', {}),
    async recoverByAutofill({ container, ...options }) {
      if (!container || !(await canAskConditionally())) return null;
      drawn?.dispose();
      const mounted = mountPasskeyField(frame, requests, container, options);
      drawn = mounted;
      return mounted.end;
    },
    async registerButton(options) {
      drawn?.dispose();
      const mounted = mountRegisterButton(frame, requests, options);
      drawn = mounted;
      return mounted;
    },
    async transactionButton(options) {
      drawn?.dispose();
      const mounted = mountWalletTransactionButton(frame, requests, options);
      drawn = mounted;
      return mounted;
    },
  };
}
