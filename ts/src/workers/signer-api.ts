/** The signer worker's methods: those of its WASM (defined and documented in Rust), and how it starts. */
import type * as wasm from '../../wasm/signer/signer.js';
import type { SealedKey } from './sealed-key.js';

export type {
  ConfirmedRegistration,
  DerivedKeypair,
  MessageToSign,
  Prepared,
  SignedDelegate,
  SignedMessage,
  VrfChallenge,
  WebAuthnRegistration,
} from '../../wasm/signer/signer.js';
export type { SealedKey };

/** An account's key, encrypted under PRF.first, and sealed for as long as it is needed without a prompt. */
export interface DerivedAndSealed {
  readonly derived: wasm.DerivedKeypair;
  readonly sealed: SealedKey;
  /** The other key that the call gave, encrypted under PRF.first too; null if it gave none. */
  readonly other: wasm.EncryptedPrivateKey | null;
}

/** A sealed key with the CryptoKey that opens it. */
export interface OpenableKey {
  readonly wrappingKey: CryptoKey;
  readonly sealed: SealedKey;
}

/** A private key that only a passkey opens: the form of a {@link SealedKey}, under a key from PRF.first. */
export interface PasskeySealedKey extends wasm.EncryptedPrivateKey {
  readonly publicKey: string;
}

/** What proves a passkey next to PRF.first, which opens the stored key: PRF.second derives that key again. */
export interface Unproven {
  readonly accountId: string;
  readonly prfSecond: Uint8Array;
  /** `ed25519:` and base58: of the stored key. */
  readonly publicKey: string;
}

/**
 * Opens the key for prepared requests, as in Rust; with `unproven`, says whether PRF.second derives it too. `answered` is for
 * an account without a name.
 */
type Approve<Handle> = (
  handle: Handle,
  prfFirst: Uint8Array,
  challenge: wasm.VrfChallenge,
  clientDataJson: Uint8Array,
  encrypted: wasm.EncryptedPrivateKey,
  unproven?: Unproven,
  answered?: wasm.Answered,
) => boolean | undefined;

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
  /** As `deriveAndEncrypt`, with the same key sealed, and with another sealed key encrypted under PRF.first. */
  deriveAndSeal(
    wrappingKey: CryptoKey,
    accountId: string,
    prfFirst: Uint8Array,
    prfSecond: Uint8Array,
    other: OpenableKey | null,
  ): DerivedAndSealed;
  /** Opens keys with the passkey and seals them under the wrapping key. Refuses one that is not its public key's. */
  sealFromPasskey(
    wrappingKey: CryptoKey,
    accountId: string,
    prfFirst: Uint8Array,
    keys: readonly PasskeySealedKey[],
  ): readonly SealedKey[];
  /**
   * As `signWithKeyPair`, with a sealed key. Rejects with SEALED_KEY_UNUSABLE when it was sealed under another
   * wrapping key or altered, its public key included.
   */
  signWithSealedKey(
    wrappingKey: CryptoKey,
    sealed: SealedKey,
    transaction: wasm.KeyPairTransaction,
  ): wasm.SignedTransaction;
  approve: Approve<number>;
  approveTogether: Approve<Uint32Array>;
  /** Whether PRF.first opens this key and PRF.second derives it again. */
  prove(
    accountId: string,
    prfFirst: Uint8Array,
    prfSecond: Uint8Array,
    encrypted: wasm.EncryptedPrivateKey,
    publicKey: string,
  ): boolean;
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
  | 'confirmRegistrationCredential'
  | 'deriveAndEncrypt'
  | 'derivePasskeyAccount'
  | 'extractCosePublicKey'
  | 'prepareNep413'
  | 'prepareTransactions'
  | 'sign'
  | 'signDelegates'
  | 'signNep413'
  | 'signWithKeyPair'
>;
