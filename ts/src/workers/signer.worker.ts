/** The signer worker: the WASM's functions, served. Every buffer with a secret is zero-filled after its use. */
import * as wasm from '../../wasm/signer/signer.js';
import { approving, prove } from './proving.js';
import { serve } from './rpc.js';
import { sealKey, withOpenedKey } from './sealed-key.js';
import { sendKey } from './send-key.js';
import type { DerivedAndSealed, OpenableKey, SignerApi } from './signer-api.js';
import { wiping, zeroFill } from './wiping.js';

/** Any valid name: the key derived under it comes from random bytes and is used once. */
const RANDOM_KEY = 'random-key.testnet';

serve<SignerApi>({
  boot: (module) => {
    wasm.initSync({ module });
  },

  deriveAndEncrypt: (accountId, first, second) =>
    wiping([first, second], () => wasm.deriveAndEncrypt(accountId, first, second)),
  derivePasskeyAccount: (first, second) =>
    wiping([first, second], () => wasm.derivePasskeyAccount(first, second)),
  recoverKeypair: (accountId, first, second) =>
    wiping([first, second], () => wasm.deriveAndEncrypt(accountId, first, second)),
  exportKeypair: (accountId, first, encrypted, publicKey, viewer) =>
    sendKey(viewer, () =>
      wiping([first], () => wasm.exportPrivateKey(accountId, first, encrypted, publicKey)),
    ),

  prepareTransactions: (request) => wasm.prepareTransactions(request),
  prepareNep413: (message) => wasm.prepareNep413(message),
  approve: (handle, first, challenge, clientDataJson, encrypted, unproven, answered) =>
    approving(first, unproven, () =>
      wasm.approve(handle, first, challenge, clientDataJson, encrypted, answered),
    ),
  approveTogether: (handles, first, challenge, clientDataJson, encrypted, unproven, answered) =>
    approving(first, unproven, () =>
      wasm.approveTogether(handles, first, challenge, clientDataJson, encrypted, answered),
    ),
  prove,
  sign: (handle, nonces, blockHash) => wasm.sign(handle, [...nonces], blockHash),
  signDelegates: (handle, nonces) => wasm.signDelegates(handle, [...nonces]),
  signNep413: (handle) => wasm.signNep413(handle),
  signWithKeyPair: (privateKey, transaction) =>
    wiping([privateKey], () => wasm.signWithKeyPair(privateKey, transaction)),

  makeSealedKeyPair: async (wrappingKey) => {
    const [first, second] = [randomBytes(), randomBytes()];
    return (await deriveAndSeal(wrappingKey, RANDOM_KEY, first, second, null)).sealed;
  },
  deriveAndSeal: (wrappingKey, accountId, first, second, other) =>
    deriveAndSeal(wrappingKey, accountId, first, second, other),
  sealFromPasskey: async (wrappingKey, accountId, first, keys) => {
    const opened = wiping([first], () =>
      keys.map(({ publicKey, encryptedData, iv }) => {
        const privateKey = wasm.exportPrivateKey(accountId, first, { encryptedData, iv }, publicKey);
        return { publicKey, privateKey: privateKey as Uint8Array<ArrayBuffer> };
      }),
    );
    return Promise.all(
      opened.map(({ publicKey, privateKey }) => sealKey(wrappingKey, publicKey, privateKey)),
    );
  },
  signWithSealedKey: (wrappingKey, sealed, transaction) =>
    withOpenedKey(wrappingKey, sealed, (privateKey) => wasm.signWithKeyPair(privateKey, transaction)),

  extractCosePublicKey: (attestationObject) => wasm.extractCosePublicKey(attestationObject),
  confirmRegistrationCredential: (request) => wasm.confirmRegistrationCredential(request),
});

async function deriveAndSeal(
  wrappingKey: CryptoKey,
  accountId: string,
  first: Uint8Array,
  second: Uint8Array,
  other: OpenableKey | null,
): Promise<DerivedAndSealed> {
  try {
    const derived = wasm.deriveAndEncrypt(accountId, first, second);
    const privateKey = wasm.decryptPrivateKey(accountId, first, derived.encryptedPrivateKey);
    return {
      derived,
      sealed: await sealKey(wrappingKey, derived.publicKey, privateKey as Uint8Array<ArrayBuffer>),
      other:
        other &&
        (await withOpenedKey(other.wrappingKey, other.sealed, (opened) =>
          wasm.encryptPrivateKey(accountId, first, opened),
        )),
    };
  } finally {
    zeroFill([first, second]);
  }
}

function randomBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}
