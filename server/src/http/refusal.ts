/** The relay's refusals: one table of codes with their HTTP status. */

const STATUS = {
  invalid_request: 400,
  not_verified: 400,
  unknown_key_id: 400,
  delegate_expired: 400,
  unauthorized: 401,
  not_allowed: 403,
  signup_refused: 403,
  delegates_disabled: 404,
  app_keys_disabled: 404,
  not_found: 404,
  account_exists: 409,
  nonce_used: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  spend_cap: 429,
  address_cap: 429,
  internal: 500,
  chain_rejected: 502,
  delegate_failed: 502,
  key_mismatch: 502,
  outcome_unknown: 502,
  chain_unreachable: 503,
  relayer_unfunded: 503,
  shamir_disabled: 503,
  signup_unavailable: 503,
  not_ready: 503,
} as const;

export type RefusalCode = keyof typeof STATUS;
export type RefusalStatus = (typeof STATUS)[RefusalCode];

type CodeOf<S extends RefusalStatus> = {
  [Code in RefusalCode]: (typeof STATUS)[Code] extends S ? Code : never;
}[RefusalCode];

/** Default Retry-After of a refusal. */
const RETRY_AFTER_SECONDS: Readonly<Record<CodeOf<429 | 503>, number>> = {
  too_many_requests: 5,
  spend_cap: 600,
  address_cap: 600,
  chain_unreachable: 5,
  relayer_unfunded: 60,
  shamir_disabled: 3600,
  signup_unavailable: 5,
  not_ready: 5,
};

export interface RefusalOptions {
  /** The `Retry-After` header. Answers with status 429 and 503 always have one. */
  readonly retryAfterSeconds?: number | undefined;
  /** The transaction sent before the failure. */
  readonly transactionHash?: string | undefined;
  readonly cause?: unknown;
}

/** Thrown to answer a request with a refusal. The message gives advice. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly retryAfterSeconds: number | undefined;
  readonly transactionHash: string | undefined;

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    const usual: Readonly<Partial<Record<RefusalCode, number>>> = RETRY_AFTER_SECONDS;
    this.retryAfterSeconds = options.retryAfterSeconds ?? usual[code];
    this.transactionHash = options.transactionHash;
  }

  get status(): RefusalStatus {
    return STATUS[this.code];
  }
}
