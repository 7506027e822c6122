/** The calls of the wallet that a page makes in a window of the wallet's origin. */
import { INVALID_CONFIG, LatchkeyError, WINDOW_BLOCKED } from '../errors/frame.js';
import { flowOver } from '../frame/host/port-requests.js';
import { canonicalOrigin } from '../frame/origin.js';
import { carrierOf } from '../frame/protocol/index.js';
import { withoutSecrets } from '../http-url.js';
import type { FlowOptions } from '../types.js';
import type { CallArgs, Wallet } from '../wallet.js';
import { askWindow } from './ask-window.js';
import type { OpenWalletWindow } from './wallet-window.js';

/** The address that answers each call. */
const ADDRESSES = {
  connect: '/connect',
  signTransactionsWithActions: '/sign',
  signAndSendTransactions: '/sign',
  signNEP413Message: '/sign',
  signNEP641Authorization: '/sign',
  signDelegateAction: '/sign',
  signDelegateActions: '/sign',
} as const;

type WindowCall = keyof typeof ADDRESSES;

/** Each call opens a window, within the click of the user that leads to it, and closes it at its end. */
export type WindowWallet = Pick<Wallet, WindowCall>;

/** Says in other words what the port refuses of a payload. */
export type InWords = (error: unknown, payload: object, call: WindowCall) => Promise<unknown>;

/**
 * A wallet asked in windows that `open` opens. A call rejects where the window gave no answer. Throws INVALID_CONFIG for
 * what is no origin.
 */
export function windowWallet(
  given: string,
  open: OpenWalletWindow,
  inWords: InWords = async (error) => error,
): WindowWallet {
  const walletOrigin = canonicalOrigin(given.replace(/\/$/, '')) ?? '';
  if (walletOrigin === '') {
    const reason = `walletOrigin must be an https origin (http on localhost alone), without a path: ${withoutSecrets(given)}`;
    throw new LatchkeyError(INVALID_CONFIG, { values: { reason } });
  }

  async function forward(call: WindowCall, args: CallArgs<WindowCall>): Promise<unknown> {
    const { type, pack, optionsOf, wire } = carrierOf(call);
    const payload = pack(args);
    return flowOver<'action', unknown>(
      'action',
      optionsOf(args) as FlowOptions<'action', unknown>,
      async (run) => {
        const opened = await open(new URL(ADDRESSES[call], walletOrigin));
        if (!opened) throw new LatchkeyError(WINDOW_BLOCKED);
        const asking = { walletOrigin, signal: run.signal };
        const result = await askWindow(opened, asking, (client) =>
          client.request(type, payload, run).catch(async (error: unknown) => {
            throw await inWords(error, payload, call);
          }),
        );
        return wire ? wire.from(result) : result;
      },
    );
  }

  const calls = (Object.keys(ADDRESSES) as WindowCall[]).map((call) => [
    call,
    (...args: CallArgs<WindowCall>) => forward(call, args),
  ]);
  return Object.fromEntries(calls) as WindowWallet;
}
