/** The texts of errors that a wallet may give from its first use on. */
export * from './core.js';

// Arguments and configuration

export const INVALID_ACTION = { code: 'INVALID_ACTION', text: '{reason}' } as const;
export const NO_PAYLOADS = { code: 'NO_PAYLOADS', text: 'No payloads provided for signing' } as const;
export const NO_TRANSACTIONS = {
  code: 'NO_TRANSACTIONS',
  text: 'No transactions provided for batch signing',
} as const;
export const PASSKEYS_UNSUPPORTED = {
  code: 'PASSKEYS_UNSUPPORTED',
  text: 'This browser does not support passkeys (WebAuthn). Please update it, or use another browser.',
} as const;
export const PASSKEYS_FORBIDDEN_HERE = {
  code: 'PASSKEYS_FORBIDDEN_HERE',
  text:
    'This page may not use passkeys here: its permission policy lacks {feature}. ' +
    'A frame gets it by the allow attribute of its iframe, a page by its Permissions-Policy header.',
} as const;
export const PRF_UNSUPPORTED = {
  code: 'PRF_UNSUPPORTED',
  text:
    'This browser cannot return the PRF results of a passkey, from which the wallet makes its keys. ' +
    'Please update it, or use another browser. On Windows, update Windows too.',
} as const;
export const RP_ID_MISMATCH = {
  code: 'RP_ID_MISMATCH',
  text: 'The configured rpId {rpId} does not belong to the host {host}. Set relatedOrigin: true if this is meant.',
} as const;
export const NO_CONFIRMER = {
  code: 'NO_CONFIRMER',
  text: 'No confirm UI is connected. Pass a confirmer to PasskeyManager (latchkey-react brings one), or use the wallet frame.',
} as const;
export const CLICK_REQUIRED = {
  code: 'CLICK_REQUIRED',
  text:
    'Inside a frame this needs a click in the wallet itself, and no confirm UI is connected to take it. ' +
    'Pass a confirmer to PasskeyManager (latchkey-react brings one).',
} as const;
export const MISSING_PAYLOAD = {
  code: 'MISSING_PAYLOAD',
  text: 'Invalid secure confirm request - missing payload',
} as const;
export const UNSUPPORTED_CONFIRMATION = {
  code: 'UNSUPPORTED_CONFIRMATION',
  text: 'Unsupported secure confirmation type',
} as const;

// User decisions

/** As a cause: the user declined in the confirmation. */
export const USER_CANCELLED_REGISTRATION = {
  code: 'USER_CANCELLED_REGISTRATION',
  text: 'User cancelled registration',
} as const;

// Passkeys

export const PASSKEY_EXISTS = {
  code: 'PASSKEY_EXISTS',
  text: "A passkey for '{account}' already exists. Please try logging in instead.",
} as const;
export const PAGE_NOT_FOCUSED = {
  code: 'PAGE_NOT_FOCUSED',
  text: 'The page does not have focus. Click the page and try again.',
} as const;
export const REQUEST_PENDING = {
  code: 'REQUEST_PENDING',
  text: 'Another passkey request is already pending. Finish or cancel it, then try again.',
} as const;
export const WEBAUTHN_FAILED = {
  code: 'WEBAUTHN_FAILED',
  text: 'The passkey request failed: {reason}',
} as const;
export const USER_NOT_VERIFIED = {
  code: 'USER_NOT_VERIFIED',
  text:
    'Your passkey answered without checking that it is you, so nothing was signed or sent. ' +
    'Turn on a PIN, fingerprint or face for your passkeys, or use another passkey.',
} as const;
export const PASSKEY_DIFFERS = {
  code: 'PASSKEY_DIFFERS',
  text:
    'This time the passkey of {account} answered in another way than before. Nothing was signed, sent or ' +
    'changed. Try again in the browser and on the device where you made the passkey (an iPhone needs iOS 18.4 or ' +
    'later), or use another device of the account. Send no money there while this stays so.',
} as const;
export const ANOTHER_PASSKEY = {
  code: 'ANOTHER_PASSKEY',
  text: 'Another passkey than the one of this account answered, so nothing was signed or sent. Try again, and choose the right one.',
} as const;
export const INVALID_CREDENTIAL = {
  code: 'INVALID_CREDENTIAL',
  text: 'The browser returned an incomplete credential: {reason}',
} as const;

// Registration

export const REGISTRATION_CHECK_FAILED = {
  code: 'REGISTRATION_CHECK_FAILED',
  text: 'Web3Authn contract registration check failed: {reason}',
} as const;
export const REGISTRATION_PENDING = {
  code: 'REGISTRATION_PENDING',
  text:
    'It is not known yet whether {account} was registered. Nothing is lost: the wallet looks again by itself, ' +
    'and makes no second passkey for this account before it knows.',
} as const;

// Login and session

export const NOT_LOGGED_IN = {
  code: 'NOT_LOGGED_IN',
  text: 'User not authenticated. Please login first.',
} as const;
export const NO_LOCAL_ACCOUNT = {
  code: 'NO_LOCAL_ACCOUNT',
  text: 'User data not found for {account} in IndexedDB. Please register an account.',
} as const;
export const NO_USER_DATA = { code: 'NO_USER_DATA', text: 'User data not found for {account}' } as const;
export const NO_PUBLIC_KEY = {
  code: 'NO_PUBLIC_KEY',
  text: 'No NEAR public key found for {account}. Please register an account.',
} as const;
export const NO_VRF_CREDENTIALS = {
  code: 'NO_VRF_CREDENTIALS',
  text: 'No VRF credentials found for {account}. Please register an account.',
} as const;
export const NO_AUTHENTICATORS = {
  code: 'NO_AUTHENTICATORS',
  text: 'No authenticators found for account {account}. Please register.',
} as const;
export const NO_ENCRYPTED_KEY = {
  code: 'NO_ENCRYPTED_KEY',
  text: 'No encrypted key found for account {account}',
} as const;
export const VRF_UNLOCK_FAILED = { code: 'VRF_UNLOCK_FAILED', text: 'Failed to unlock VRF keypair' } as const;
export const ACCOUNT_NOT_ON_CHAIN = {
  code: 'ACCOUNT_NOT_ON_CHAIN',
  text: 'Account {account} does not exist on this chain (it may have been reset). Please register a new account.',
} as const;
/** An account without a name, before its first money. */
export const ACCOUNT_UNFUNDED = {
  code: 'ACCOUNT_UNFUNDED',
  text: '{account} is not on the chain yet. Send NEAR to this address: that makes the account.',
} as const;
export const DEVICE_KEY_REMOVED = {
  code: 'DEVICE_KEY_REMOVED',
  text: 'The key of this device was removed from {account}. The account is safe. Link this device again from another one.',
} as const;

// Recovery's own failure

export const RECOVERY_FAILED = { code: 'RECOVERY_FAILED', text: 'Recovery failed: {reason}' } as const;

// VRF

export const VRF_CHALLENGE_FAILED = {
  code: 'VRF_CHALLENGE_FAILED',
  text: 'VRF challenge generation failed: {reason}',
} as const;
export const VRF_REFRESH_FAILED = { code: 'VRF_REFRESH_FAILED', text: 'VRF refresh failed' } as const;
export const SERVER_LOCK_FAILED = {
  code: 'SERVER_LOCK_FAILED',
  text: 'The server lock could not be used: {reason}',
} as const;
export const SERVER_LOCK_MISMATCH = {
  code: 'SERVER_LOCK_MISMATCH',
  text: 'The relay serves another Shamir group than the one configured here. It is not used.',
} as const;

// Signing

export const INTENT_DIGEST_MISMATCH = {
  code: 'INTENT_DIGEST_MISMATCH',
  text: 'What was shown is not what would be signed. Nothing was signed.',
} as const;
export const VERIFICATION_FAILED = {
  code: 'VERIFICATION_FAILED',
  text: 'The registry did not accept this passkey assertion. Nothing was sent.',
} as const;
export const PASSKEY_NOT_RECORDED = {
  code: 'PASSKEY_NOT_RECORDED',
  text: 'The registry knows another passkey of {account}, and not this one. Register this device too (registerDevice). Nothing was sent.',
} as const;
export const BATCH_SIGNING_FAILED = {
  code: 'BATCH_SIGNING_FAILED',
  text: 'Batch transaction signing failed',
} as const;
export const NOT_SENT = {
  code: 'NOT_SENT',
  text: 'Not sent, because an earlier transaction of the batch failed.',
} as const;

// Key export

export const EXPORT_NEAR_KEYPAIR_DISABLED = {
  code: 'EXPORT_NEAR_KEYPAIR_DISABLED',
  text:
    'Key export is off: scripts of this page could reach the key viewer. ' +
    'Set keyExport: { sameOrigin: true } in the configuration if every script of this origin is trusted.',
} as const;
export const EXPORT_NEAR_KEYPAIR_UI_FAILED = {
  code: 'EXPORT_NEAR_KEYPAIR_UI_FAILED',
  text: 'The key viewer could not be used: {reason}. Reload the page and try again.',
} as const;

// Chain and relay

export const RELAY_UNREACHABLE = {
  code: 'RELAY_UNREACHABLE',
  text: 'The relay server could not be reached: {reason}',
} as const;
export const RELAY_REFUSED = { code: 'RELAY_REFUSED', text: '{reason}' } as const;

// Workers and storage

export const WORKER_TIMEOUT = {
  code: 'WORKER_TIMEOUT',
  text: 'Worker operation timed out after {ms}ms',
} as const;
export const MODAL_TIMEOUT = {
  code: 'MODAL_TIMEOUT',
  text: 'Timed out after {seconds}s, try again',
} as const;
export const WORKER_FAILED = { code: 'WORKER_FAILED', text: 'Worker error: {reason}' } as const;
export const VRF_WORKER_UNHEALTHY = {
  code: 'VRF_WORKER_UNHEALTHY',
  text: 'VRF Worker failed health check',
} as const;
export const UNKNOWN_WORKER_RESPONSE = {
  code: 'UNKNOWN_WORKER_RESPONSE',
  text: 'Unknown worker response format',
} as const;
export const CRYPTO_FAILED = { code: 'CRYPTO_FAILED', text: '{reason}' } as const;
export const STORAGE_FAILED = {
  code: 'STORAGE_FAILED',
  text: 'The local database could not be used ({reason}). Reload the page; if that does not help, restart the browser.',
} as const;
export const STORAGE_UNAVAILABLE = {
  code: 'STORAGE_UNAVAILABLE',
  text:
    'This browser or window has no IndexedDB, where the encrypted keys are kept. ' +
    'Update the browser, or open the page in an ordinary window.',
} as const;
export const STORAGE_DENIED = {
  code: 'STORAGE_DENIED',
  text:
    'The browser does not let this page keep data. ' +
    'Leave the private window, or allow cookies and site data for this site, then reload the page.',
} as const;
export const STORAGE_FULL = {
  code: 'STORAGE_FULL',
  text:
    'There is no room left for the data of this site, and nothing of this step was stored. ' +
    'Free some disk space, or delete the data of other sites, then try again.',
} as const;
export const STORAGE_NEWER = {
  code: 'STORAGE_NEWER',
  text: 'A newer version of the wallet has been used here. Reload the page to get that version.',
} as const;
export const STORAGE_BLOCKED = {
  code: 'STORAGE_BLOCKED',
  text:
    'Another tab holds an older version of the wallet open. ' +
    'Close the other tabs of this site, then try again here: nothing is lost.',
} as const;
export const STORAGE_INTERRUPTED = {
  code: 'STORAGE_INTERRUPTED',
  text: 'The browser interrupted the local database, and nothing of this step was stored. Try again.',
} as const;

/**
 * Of what was executed; TRANSACTION_FAILED itself is for what the chain did not take. Its values have `fate: 'failed'`, by which a
 * catalogue tells the two apart.
 */
export const TRANSACTION_EXECUTED = {
  code: 'TRANSACTION_FAILED',
  text: 'The chain executed the transaction, and it failed: {reason}',
} as const;

/** What the VRF worker says in the place of the text of WORKER_FAILED and WORKER_TIMEOUT. */
export const VRF_WORKER_TEXTS = {
  notStarted: 'VRF Worker failed to initialize: {reason}',
  timeout: 'VRF Web Worker communication timeout ({ms}ms) for message type: {type}',
} as const;

/** The cause of PRF_MISSING. */
export const LACKING_PRF_TEXT = 'PRF outputs missing from serialized credential';
