/** Signed messages (NEP-413). */
import type { FlowOptions, Outcome } from './flow.js';

export interface SignNep413Params {
  readonly message: string;
  readonly recipient: string;
  /** 32 bytes; random when absent. */
  readonly nonce?: Uint8Array | undefined;
  /** Returned, not signed. */
  readonly state?: string | undefined;
  readonly callbackUrl?: string | undefined;
}

export type SignNep413Options = FlowOptions<'action', SignNep413Result>;

export interface SignNep413Args {
  readonly nearAccountId: string;
  readonly params: SignNep413Params;
  readonly options?: SignNep413Options | undefined;
}

export interface SignNep413Result extends Outcome {
  readonly accountId: string;
  readonly publicKey: string | null;
  /** Standard base64, 64 bytes. */
  readonly signature: string | null;
  /** The 32-byte nonce used, standard base64. */
  readonly nonce: string | null;
  readonly state?: string;
}
