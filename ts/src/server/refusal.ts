/** Every answer of the relay that is not a success: one table of codes with their HTTP status. */

const STATUS = {
  invalid_request: 400,
  not_verified: 400,
  unknown_key_id: 400,
  not_found: 404,
  account_exists: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  chain_rejected: 502,
  key_mismatch: 502,
  outcome_unknown: 502,
  chain_unreachable: 503,
  relayer_unfunded: 503,
  shamir_disabled: 503,
  not_ready: 503,
} as const;

export type RefusalCode = keyof typeof STATUS;
export type RefusalStatus = (typeof STATUS)[RefusalCode];

export interface RefusalOptions {
  /** When to come back: the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** The transaction that was sent before things went wrong. */
  readonly transactionHash?: string;
  readonly cause?: unknown;
}

/** Thrown to answer a request with something else than success. The message says what to do. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly retryAfterSeconds: number | undefined;
  readonly transactionHash: string | undefined;

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.transactionHash = options.transactionHash;
  }

  get status(): RefusalStatus {
    return STATUS[this.code];
  }
}
