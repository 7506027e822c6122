/** The signer worker's methods: those of its WASM (defined and documented in Rust), and how it starts. */
import type * as wasm from '../../wasm/signer/signer.js';
import type { SealedKey } from './sealed-key.js';

export type {
  ConfirmedRegistration,
  DerivedKeypair,
  Prepared,
  SignedDelegate,
  VrfChallenge,
  WebAuthnRegistration,
} from '../../wasm/signer/signer.js';
export type { SealedKey };

/** An account's key, encrypted under PRF.first, and sealed for as long as it is needed without a prompt. */
export interface DerivedAndSealed {
  readonly derived: wasm.DerivedKeypair;
  readonly sealed: SealedKey;
}

/** An assertion with its binary fields in base64url, and without any PRF output. */
export interface WebAuthnAuthentication {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly authenticatorAttachment?: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** The operations that the page may ask for. Secret bytes are transferred, and zero-filled in the worker. */
export type SignerApi = {
  /** Takes the compiled WASM; every other call comes after it. */
  boot(module: WebAssembly.Module): void;
  /** Rebuilds the account's key on a device that does not have it: the same derivation under a fresh nonce. */
  recoverKeypair: typeof wasm.deriveAndEncrypt;
  /** A new random ed25519 key pair, sealed under the store's wrapping key. */
  makeSealedKeyPair(wrappingKey: CryptoKey): SealedKey;
  /** As `deriveAndEncrypt`, and the same key sealed. */
  deriveAndSeal(
    wrappingKey: CryptoKey,
    accountId: string,
    prfFirst: Uint8Array,
    prfSecond: Uint8Array,
  ): DerivedAndSealed;
  /**
   * As `signWithKeyPair`, with a sealed key. Rejects with SEALED_KEY_UNUSABLE when it was sealed under another
   * wrapping key or altered, its public key included.
   */
  signWithSealedKey(
    wrappingKey: CryptoKey,
    sealed: SealedKey,
    transaction: wasm.KeyPairTransaction,
  ): wasm.SignedTransaction;
  /**
   * Sends the private key to the export viewer, once, through this port, and closes it. The answer holds nothing of the
   * key. Refuses a key that is not `publicKey`'s.
   */
  exportKeypair(
    accountId: string,
    prfFirst: Uint8Array,
    encrypted: wasm.EncryptedPrivateKey,
    publicKey: string,
    viewer: MessagePort,
  ): void;
} & Pick<
  typeof wasm,
  | 'approve'
  | 'confirmRegistrationCredential'
  | 'deriveAndEncrypt'
  | 'extractCosePublicKey'
  | 'prepareNep413'
  | 'prepareTransactions'
  | 'sign'
  | 'signDelegate'
  | 'signNep413'
  | 'signWithKeyPair'
>;
