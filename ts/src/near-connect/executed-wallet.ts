/** What the wallet's own server tells the executor, which a connector copies into a document without an address. */

export interface ExecutedWallet {
  readonly walletOrigin: string;
  readonly networkId: string;
}

/** The line in front of the executor's script. */
export function executedWalletLine(wallet: ExecutedWallet): string {
  return `globalThis.latchkeyWallet=${JSON.stringify(wallet).replaceAll('<', '\\u003c')};\n`;
}
