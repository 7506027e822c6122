/** The signer worker: the WASM's functions, served. Every buffer with a secret is zero-filled after its use. */
import * as wasm from '../../wasm/signer/signer.js';
import { serve } from './rpc.js';
import type { SignerApi } from './signer-api.js';
import { wiping } from './wiping.js';

serve<SignerApi>({
  boot: (module) => {
    wasm.initSync({ module });
  },

  deriveAndEncrypt: (accountId, first, second) =>
    wiping([first, second], () => wasm.deriveAndEncrypt(accountId, first, second)),
  recoverKeypair: (accountId, first, second) =>
    wiping([first, second], () => wasm.recoverKeypair(accountId, first, second)),
  decryptPrivateKey: (accountId, first, encrypted) =>
    wiping([first], () => wasm.decryptPrivateKey(accountId, first, encrypted)),
  exportKeypair: (accountId, first, encrypted, publicKey) =>
    wiping([first], () => wasm.exportKeypair(accountId, first, encrypted, publicKey)),

  prepareTransactions: (request) => wasm.prepareTransactions(request),
  signPrepared: (handle, first, approval) =>
    wiping([first], () => wasm.signPrepared(handle, first, approval)),
  resignPrepared: (handle, nonces, blockHash) => wasm.resignPrepared(handle, nonces, blockHash),
  prepareNep413: (message) => wasm.prepareNep413(message),
  signPreparedNep413: (handle, first, approval) =>
    wiping([first], () => wasm.signPreparedNep413(handle, first, approval)),
  signWithKeyPair: (privateKey, transaction) =>
    wiping([privateKey], () => wasm.signWithKeyPair(privateKey, transaction)),

  buildCheckCanRegister: (challenge, registration, options) =>
    wasm.buildCheckCanRegister(challenge, registration, options),
  judgeCheckCanRegister: (result) => wasm.judgeCheckCanRegister(result),
  extractCosePublicKey: (attestationObject) => wasm.extractCosePublicKey(attestationObject),
  confirmRegistrationCredential: (request) => wasm.confirmRegistrationCredential(request),
});
