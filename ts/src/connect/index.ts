/** `latchkey/connect`: asks a wallet on another origin in windows of that wallet. One login there serves every page. */
import { type FailedResultLoader, failedCall } from '../call-failure.js';
import { isLatchkeyError } from '../errors/latchkey-error.js';
import type { CallArgs, CallName } from '../wallet.js';
import { openWindow } from './open-window.js';
import { type WindowWallet, windowWallet } from './window-wallet.js';

export type { WindowWallet } from './window-wallet.js';

export interface WindowWalletOptions {
  /** `https://wallet.example`, or http on localhost. */
  readonly walletOrigin: string;
}

const failedResult: FailedResultLoader = async (...failed) =>
  (await import('../failed-calls.js')).failedResult(...failed);

/** Says in the words of the wallet in a page what a window refuses of a call's arguments. */
async function inWords(error: unknown, payload: object, call: CallName): Promise<unknown> {
  if (!isLatchkeyError(error, 'INVALID_MESSAGE')) return error;
  return (await import('../frame/host/argument-words.js')).argumentError(error, payload, call);
}

/** Makes a wallet that this page asks in windows of the wallet's origin. Throws INVALID_CONFIG for what is no origin. */
export function createWindowWallet({ walletOrigin }: WindowWalletOptions): WindowWallet {
  const wallet = windowWallet(walletOrigin, openWindow, inWords);
  const calls = Object.entries(wallet).map(([name, call]) => [
    name,
    (...args: CallArgs<keyof WindowWallet>) =>
      (call as (...args: unknown[]) => Promise<unknown>)(...args).catch((error: unknown) =>
        failedCall(name as keyof WindowWallet, args, error, failedResult),
      ),
  ]);
  return Object.fromEntries(calls) as WindowWallet;
}
