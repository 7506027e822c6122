/** The methods of the phrase worker, which alone turns words into a key. */
import type { KeyPairTransaction, SignedTransaction } from '../../wasm/signer/signer.js';

/** What passes through the port between this worker and the phrase viewer, either way: the words as UTF-8. Transferred. */
export interface PhraseDelivery {
  readonly phrase: Uint8Array;
}

export type PhraseApi = {
  /** Takes the compiled WASM of the signer; `sign` needs it. */
  boot(module: WebAssembly.Module): void;
  /** Makes a phrase, sends it to the viewer through this port, once, and keeps nothing. Returns its public key. */
  make(viewer: MessagePort): string;
  /**
   * Takes the words that the user typed from this port, once, and keeps their key for `sign`. Returns its public key.
   * Rejects with RECOVERY_PHRASE_LENGTH, RECOVERY_PHRASE_WORD or RECOVERY_PHRASE_CHECKSUM.
   */
  take(viewer: MessagePort): string;
  /** Signs with the key of the words. */
  sign(transaction: KeyPairTransaction): SignedTransaction;
};
