/** `latchkey/connect`: asks a wallet on another origin in windows of that wallet. One login there serves every page. */
import { failedCall } from '../call-failure.js';
import { inWordsOfThePage } from '../frame/host/in-words.js';
import type { CallArgs } from '../wallet.js';
import { openWindow } from './open-window.js';
import { type WindowWallet, windowWallet } from './window-wallet.js';

export type { WindowWallet } from './window-wallet.js';

export interface WindowWalletOptions {
  /** `https://wallet.example`, or http on localhost. */
  readonly walletOrigin: string;
}

/** Makes a wallet that this page asks in windows of the wallet's origin. Throws INVALID_CONFIG for what is no origin. */
export function createWindowWallet({ walletOrigin }: WindowWalletOptions): WindowWallet {
  const wallet = windowWallet(walletOrigin, openWindow, inWordsOfThePage);
  const calls = Object.entries(wallet).map(([name, call]) => [
    name,
    (...args: CallArgs<keyof WindowWallet>) =>
      (call as (...args: unknown[]) => Promise<unknown>)(...args).catch((error: unknown) =>
        failedCall(name as keyof WindowWallet, args, error),
      ),
  ]);
  return Object.fromEntries(calls) as WindowWallet;
}
