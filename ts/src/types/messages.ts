/** Signed messages (NEP-413) and authorizations (NEP-641). */
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

/** An off-chain authorization to sign (NEP-641). */
export interface SignNep641Params {
  /**
   * What is authorized, at most 65536 characters. The NEP recommends JSON of the texts `domain`, `action` and `msg`, which
   * the wallet shows apart. The backend that issued it takes it once, to the byte.
   */
  readonly payload: string;
  /**
   * The accounts that need this authorization for their own: the direct parent first, the top-level one last. Default none:
   * the account authorizes for itself.
   */
  readonly path?: readonly string[] | undefined;
  /** Default the wallet's network. Any other is refused. */
  readonly chainId?: string | undefined;
}

export type SignNep641Options = FlowOptions<'action', SignNep641Result>;

export interface SignNep641Args {
  readonly nearAccountId: string;
  readonly params: SignNep641Params;
  readonly options?: SignNep641Options | undefined;
}

export interface SignNep641Result extends Outcome {
  readonly accountId: string;
  readonly publicKey: string | null;
  /** JSON of the NEP's AccessKeyAuthorization: what a backend gets, and `resolveAuthorization` of `latchkey/verify` reads. */
  readonly authorization: string | null;
}
