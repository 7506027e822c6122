import type { SignedTransaction } from '../../wasm/signer/signer.js';
import type { FlowOptions, Outcome } from './flow.js';

/** The content of a linking's QR code. */
export interface LinkDeviceQrData {
  /** `ed25519:` and base58 of 32 bytes: the key that Device1 adds to its account. */
  readonly device2PublicKey: string;
  /** The account that Device2 wants to join, if it knows it. */
  readonly accountId?: string;
  /** When the code was made, in milliseconds since 1970. */
  readonly timestamp: number;
  readonly version: '1.0';
}

export interface LinkDeviceOptions extends FlowOptions<'linking', LinkDeviceResult> {
  /** In NEAR, default `0.05`. */
  readonly fundingAmount?: string | undefined;
}

/** The outcome of Device1's part of a linking. The added key is deleted later unless a device makes it its own. */
export interface LinkDeviceResult extends Outcome {
  /** The key of the QR code. Empty where it could not be read, and, if the wallet scanned it, until the user has approved it. */
  readonly device2PublicKey: string;
  /** Of the transaction that added the key. */
  readonly transactionId?: string;
  /** As given, in NEAR: validated and echoed; nothing is transferred. */
  readonly fundingAmount: string;
  readonly linkedToAccount?: string;
  /** The DeleteKey for that key, which the wallet itself sends when its time has come. */
  readonly signedDeleteKeyTransaction?: SignedTransaction;
}

export type FinishLinkingOptions = FlowOptions<'linking', LinkedAccount>;

export interface Device2LinkingOptions extends FinishLinkingOptions {
  /** The account to join, if the user knows it: the passkey is then made before the code is shown. */
  readonly accountId?: string | undefined;
  /** How a wallet frame shows the code; the facade itself shows nothing. */
  readonly ui?: 'modal' | 'inline' | undefined;
}

/** A linking code that can be shown. */
export interface Device2Linking {
  readonly flowId: string;
  readonly qrData: LinkDeviceQrData;
  /** PNG, 256 x 256 pixels. */
  readonly qrCodeDataURL: string;
  /** 16 base32 characters (80 bits), the same on both screens; show it in groups of four. */
  readonly checkCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The account that this device has joined. */
export interface LinkedAccount extends Outcome {
  readonly nearAccountId: string;
  readonly deviceNumber: number | null;
  /** This device's own key. */
  readonly publicKey: string | null;
  /** The key swap, where there was one, and the registration. */
  readonly transactionIds: readonly string[];
  /** False when the user has to log in to the joined account separately. */
  readonly isLoggedIn: boolean;
}
