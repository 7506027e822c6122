/** In the signer worker: compares the outputs of a passkey with the key that earlier outputs of it have made. */
import * as wasm from '../../wasm/signer/signer.js';
import type { SignerApi, Unproven } from './signer-api.js';
import { wiping, zeroFill } from './wiping.js';

/** Approves with PRF.first; with `unproven`, returns whether PRF.second derives the key that PRF.first has opened. */
export function approving(
  first: Uint8Array,
  unproven: Unproven | undefined,
  approve: () => void,
): boolean | undefined {
  if (!unproven) return wiping([first], () => void approve());
  const { accountId, prfSecond, publicKey } = unproven;
  return wiping([first, prfSecond], () => {
    approve();
    return derives(accountId, first, prfSecond, publicKey);
  });
}

export const prove: SignerApi['prove'] = (accountId, first, second, encrypted, publicKey) =>
  wiping([first, second], () => {
    try {
      zeroFill([wasm.exportPrivateKey(accountId, first, encrypted, publicKey)]);
    } catch {
      return false;
    }
    return derives(accountId, first, second, publicKey);
  });

const derives = (accountId: string, first: Uint8Array, second: Uint8Array, publicKey: string): boolean =>
  wasm.deriveAndEncrypt(accountId, first, second).publicKey === publicKey;
