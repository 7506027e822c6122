/**
 * The one error class of this package, the closed list of its codes, and the one table of its texts.
 *
 * A text that a person may see is written here and nowhere else. Placeholders in braces are filled by
 * {@link errorText}.
 */

const TEXTS = {
  // Arguments and configuration
  INVALID_CONFIG: 'Invalid configuration: {reason}',
  MISSING_RELAYER_URL: '[configPresets] Missing relayer config: relayer.url',
  INVALID_RPC_URL: 'NEAR RPC URL cannot be empty',
  INVALID_ACCOUNT_ID: 'Invalid NEAR account ID: {reason}',
  INVALID_ACTION: '{reason}',
  NO_PAYLOADS: 'No payloads provided for signing',
  INSECURE_CONTEXT: 'Passkey operations require a secure context (HTTPS or localhost).',
  RP_ID_MISMATCH:
    'The configured rpId {rpId} does not belong to the host {host}. Set relatedOrigin: true if this is meant.',
  NO_CONFIRMER:
    'No confirm UI is connected. Pass a confirmer to PasskeyManager (latchkey-react brings one), or use the wallet frame.',
  CLICK_REQUIRED:
    'Inside a frame this needs a click in the wallet itself, and no confirm UI is connected to take it. ' +
    'Pass a confirmer to PasskeyManager (latchkey-react brings one).',
  UNSUPPORTED_CONFIRMATION: 'Unsupported secure confirmation type',

  // What the person did
  CANCELLED: "Operation was cancelled. Please try again when you're ready.",
  REGISTRATION_CANCELLED:
    "Registration was cancelled. Please try again when you're ready to set up your passkey.",
  LOGIN_CANCELLED: "Login was cancelled. Please try again when you're ready to authenticate.",

  // Passkeys
  PASSKEY_EXISTS: "A passkey for '{account}' already exists. Please try logging in instead.",
  PRF_MISSING:
    '{operation} failed because the browser did not return the required passkey PRF results. ' +
    'Some mobile browsers do not supply them when a passkey is created. ' +
    'Please update your browser, or use a desktop browser.',
  PAGE_NOT_FOCUSED: 'The page does not have focus. Click the page and try again.',
  REQUEST_PENDING: 'Another passkey request is already pending. Finish or cancel it, then try again.',
  WEBAUTHN_FAILED: 'The passkey request failed: {reason}',
  INVALID_CREDENTIAL: 'The browser returned an incomplete credential: {reason}',

  // Registration
  ACCOUNT_EXISTS: 'Account {account} already exists. Please choose a different account ID.',
  REGISTRATION_CHECK_FAILED: 'Web3Authn contract registration check failed: {reason}',
  ATOMIC_REGISTRATION_FAILED: 'Atomic registration failed: {reason}',
  REGISTRATION_PENDING:
    'The outcome of registering {account} is not known yet. Nothing is lost: it is looked up again at the next ' +
    'start, and no second passkey is made for this account until then.',
  REGISTRATION_NOT_STORED:
    'The account {account} was created, but its records could not be stored on this device yet. ' +
    'Its keys are kept here, and the rest is stored at the next start or try. {reason}',
  REGISTRATION_MISMATCH:
    'The account {account} was created with other keys than the ones made on this device. ' +
    'Do not use it, and report the relay {relay}.',

  // Login and session
  NOT_LOGGED_IN: 'User not authenticated. Please login first.',
  NO_LOCAL_ACCOUNT: 'User data not found for {account} in IndexedDB. Please register an account.',
  NO_USER_DATA: 'User data not found for {account}',
  NO_PUBLIC_KEY: 'No NEAR public key found for {account}. Please register an account.',
  NO_VRF_CREDENTIALS: 'No VRF credentials found for {account}. Please register an account.',
  NO_AUTHENTICATORS: 'No authenticators found for account {account}. Please register.',
  NO_ENCRYPTED_KEY: 'No encrypted key found for account {account}',
  VRF_UNLOCK_FAILED: 'Failed to unlock VRF keypair',
  ACCOUNT_NOT_ON_CHAIN:
    'Account {account} does not exist on this chain (it may have been reset). Please register a new account.',

  // VRF
  VRF_CHALLENGE_FAILED: 'VRF challenge generation failed: {reason}',
  VRF_BOOTSTRAP_FAILED: 'VRF bootstrap keypair generation failed: {reason}',
  VRF_DERIVATION_FAILED: 'VRF keypair derivation failed: {reason}',
  VRF_ENCRYPT_FAILED: 'VRF encrypt-current failed: {reason}',
  VRF_REFRESH_FAILED: 'VRF refresh failed',
  SERVER_LOCK_FAILED: 'The server lock could not be used: {reason}',
  SERVER_LOCK_MISMATCH: 'The relay serves another Shamir group than the one configured here. It is not used.',

  // Signing
  INTENT_DIGEST_MISMATCH: 'What was shown is not what would be signed. Nothing was signed.',
  UI_DIGEST_VALIDATION_FAILED: 'The digest of what is shown could not be computed. Nothing was signed.',
  VERIFICATION_FAILED: 'The registry did not accept this passkey assertion. Nothing was sent.',
  SIGNING_FAILED: '{reason}',
  BATCH_SIGNING_FAILED: 'Batch transaction signing failed',
  NEP413_FAILED: 'NEP-413 signing failed: {reason}',
  NOT_SENT: 'Not sent, because an earlier transaction of the batch failed.',

  // Chain and relay
  NEAR_RPC_FAILED: 'RPC request failed: {reason}',
  TRANSACTION_FAILED: 'The chain rejected the transaction: {reason}',
  CONTRACT_STATE_FAILED:
    'Contract state deserialization failed. This may be due to a contract upgrade. Please try again or contact support.',
  RELAY_UNREACHABLE: 'The relay server could not be reached: {reason}',
  RELAY_REFUSED: '{reason}',

  // Workers and storage
  WORKER_TIMEOUT: 'Worker operation timed out after {ms}ms',
  MODAL_TIMEOUT: 'Timed out after {seconds}s, try again',
  WORKER_FAILED: 'Worker error: {reason}',
  WORKER_CLOSED: 'The worker was closed before it answered',
  UNKNOWN_WORKER_RESPONSE: 'Unknown worker response format',
  CRYPTO_FAILED: '{reason}',
  STORAGE_FAILED:
    'The local database could not be used ({reason}). Reload the page; if that does not help, restart the browser.',
  STORAGE_UNAVAILABLE:
    'This browser or window has no IndexedDB, where the encrypted keys are kept. ' +
    'Update the browser, or open the page in an ordinary window.',
  STORAGE_DENIED:
    'The browser does not let this page keep data. ' +
    'Leave the private window, or allow cookies and site data for this site, then reload the page.',
  STORAGE_FULL:
    'There is no room left for the data of this site, and nothing of this step was stored. ' +
    'Free some disk space, or delete the data of other sites, then try again.',
  STORAGE_NEWER: 'A newer version of the wallet has been used here. Reload the page to get that version.',
  STORAGE_BLOCKED:
    'Another tab holds an older version of the wallet open. ' +
    'Close the other tabs of this site, then try again here: nothing is lost.',
  STORAGE_INTERRUPTED:
    'The browser interrupted the local database, and nothing of this step was stored. Try again.',
  UNKNOWN: '{operation} failed due to an unknown error. Please check your connection and try again.',
} as const;

/** Every code a {@link LatchkeyError} can carry. */
export type LatchkeyErrorCode = keyof typeof TEXTS;

/** The text for a code, its placeholders filled. */
export function errorText(
  code: LatchkeyErrorCode,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return TEXTS[code].replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

export interface LatchkeyErrorOptions {
  /** Fills the placeholders of the code's text. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Replaces the code's text, where the message comes from elsewhere (a relay, a worker). */
  readonly message?: string;
  readonly cause?: unknown;
  /** Plain data for programs; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Every error that this package throws or reports. `cause` keeps what led to it. */
export class LatchkeyError extends Error {
  readonly code: LatchkeyErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: LatchkeyErrorCode, options: LatchkeyErrorOptions = {}) {
    super(
      options.message ?? errorText(code, options.values),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'LatchkeyError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Whether a value is a {@link LatchkeyError}, of one of the codes where any are given. */
export function isLatchkeyError(value: unknown, ...codes: LatchkeyErrorCode[]): value is LatchkeyError {
  return value instanceof LatchkeyError && (codes.length === 0 || codes.includes(value.code));
}

/** Whether a string is one of our codes. */
export function isLatchkeyErrorCode(value: unknown): value is LatchkeyErrorCode {
  return typeof value === 'string' && Object.hasOwn(TEXTS, value);
}

/** Whether the person (or the host, by its signal) ended the operation. */
export function isCancellation(value: unknown): boolean {
  return isLatchkeyError(value, 'CANCELLED', 'REGISTRATION_CANCELLED', 'LOGIN_CANCELLED');
}

/** The message of anything that was thrown. */
export function messageOf(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}

/** Any thrown value as a {@link LatchkeyError}; `operation` fills the text for the unknown. */
export function toLatchkeyError(value: unknown, operation = 'Operation'): LatchkeyError {
  if (value instanceof LatchkeyError) return value;
  if (value instanceof Error && value.name === 'AbortError')
    return new LatchkeyError('CANCELLED', { cause: value });
  return new LatchkeyError('UNKNOWN', { values: { operation }, cause: value });
}
