/** The signer worker's methods: those of its WASM (defined and documented in Rust), and how it starts. */
import type * as wasm from '../../wasm/signer/signer.js';

export type {
  ConfirmedRegistration,
  DerivedKeypair,
  Prepared,
  TransactionApproval,
  VrfChallenge,
  WebAuthnRegistration,
} from '../../wasm/signer/signer.js';

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

/** The operations that the page may ask for. Bytes that hold a secret are transferred, and zero-filled there. */
export type SignerApi = {
  /** Takes the compiled WASM; every other call comes after it. */
  boot(module: WebAssembly.Module): void;
} & Pick<
  typeof wasm,
  | 'buildCheckCanRegister'
  | 'confirmRegistrationCredential'
  | 'decryptPrivateKey'
  | 'deriveAndEncrypt'
  | 'exportKeypair'
  | 'extractCosePublicKey'
  | 'judgeCheckCanRegister'
  | 'prepareNep413'
  | 'prepareTransactions'
  | 'recoverKeypair'
  | 'resignPrepared'
  | 'signPrepared'
  | 'signPreparedNep413'
  | 'signWithKeyPair'
>;
