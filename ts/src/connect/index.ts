/** `latchkey/connect`: asks a wallet on another origin in windows of that wallet. One login there serves every page. */
import { openWindow } from './open-window.js';
import { type WindowWallet, windowWallet } from './window-wallet.js';

export type { WindowWallet } from './window-wallet.js';

export interface WindowWalletOptions {
  /** `https://wallet.example`, or http on localhost. */
  readonly walletOrigin: string;
}

/** Makes a wallet that this page asks in windows of the wallet's origin. Throws INVALID_CONFIG for what is no origin. */
export function createWindowWallet({ walletOrigin }: WindowWalletOptions): WindowWallet {
  return windowWallet(walletOrigin, openWindow);
}
