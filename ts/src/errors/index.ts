/** The texts of the wallet's common error codes; also re-exports the error class and its helpers. */
import { addTexts } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  // Arguments and configuration
  INVALID_ACTION: '{reason}',
  NO_PAYLOADS: 'No payloads provided for signing',
  NO_TRANSACTIONS: 'No transactions provided for batch signing',
  PASSKEYS_UNSUPPORTED:
    'This browser does not support passkeys (WebAuthn). Please update it, or use another browser.',
  PASSKEYS_FORBIDDEN_HERE:
    'This page may not use passkeys here: its permission policy lacks {feature}. ' +
    'A frame gets it by the allow attribute of its iframe, a page by its Permissions-Policy header.',
  IN_APP_BROWSER:
    '{app} shows this page in a browser of its own, which gives no passkeys to a wallet. ' +
    'Open the page in {browser}. Nothing was made here, and nothing is lost.',
  IOS_OUTDATED:
    'On iOS {version} a passkey opens its account on this device alone: another device that scans its code gets other keys. ' +
    'Update to iOS 18.4 or later before you make an account.',
  PRF_UNSUPPORTED:
    'This browser cannot return the PRF results of a passkey, from which the wallet makes its keys. ' +
    'Please update it, or use another browser. On Windows, update Windows too.',
  RP_ID_MISMATCH:
    'The configured rpId {rpId} does not belong to the host {host}. Set relatedOrigin: true if this is meant.',
  NO_CONFIRMER:
    'No confirm UI is connected. Pass a confirmer to PasskeyManager (latchkey-react brings one), or use the wallet frame.',
  CLICK_REQUIRED:
    'Inside a frame this needs a click in the wallet itself, and no confirm UI is connected to take it. ' +
    'Pass a confirmer to PasskeyManager (latchkey-react brings one).',
  MISSING_PAYLOAD: 'Invalid secure confirm request - missing payload',
  UNSUPPORTED_CONFIRMATION: 'Unsupported secure confirmation type',

  // User decisions
  /** As a cause: the user declined in the confirmation. */
  USER_CANCELLED_REGISTRATION: 'User cancelled registration',

  // Passkeys
  PASSKEY_EXISTS: "A passkey for '{account}' already exists. Please try logging in instead.",
  PAGE_NOT_FOCUSED: 'The page does not have focus. Click the page and try again.',
  REQUEST_PENDING: 'Another passkey request is already pending. Finish or cancel it, then try again.',
  WEBAUTHN_FAILED: 'The passkey request failed: {reason}',
  USER_NOT_VERIFIED:
    'Your passkey answered without checking that it is you, so nothing was signed or sent. ' +
    'Turn on a PIN, fingerprint or face for your passkeys, or use another passkey.',
  PASSKEY_UNSTABLE:
    'The new passkey of {account} gives other keys each time, so it could not open the account again. Nothing was ' +
    'registered, and you can delete that passkey. Update your device (an iPhone to iOS 18.4 or later) and browser, or use ' +
    'another passkey.',
  PASSKEY_DIFFERS:
    'This time the passkey of {account} answered in another way than before. Nothing was signed, sent or ' +
    'changed. Try again in the browser and on the device where you made the passkey (an iPhone needs iOS 18.4 or ' +
    'later), or use another device of the account. Send no money there while this stays so.',
  PASSKEY_NOT_DISCOVERABLE:
    'This authenticator does not find its passkeys by itself, so your account could not be recovered with it. ' +
    'Nothing was registered. Use another one.',
  ANOTHER_PASSKEY:
    'Another passkey than the one of this account answered, so nothing was signed or sent. Try again, and choose the right one.',
  INVALID_CREDENTIAL: 'The browser returned an incomplete credential: {reason}',

  // Registration
  ACCOUNT_EXISTS: 'Account {account} already exists. Please choose a different account ID.',
  /** The registry did not answer; below, it answered no. */
  REGISTRATION_CHECK_UNANSWERED: 'Registration check failed: {reason}',
  REGISTRATION_CHECK_FAILED: 'Web3Authn contract registration check failed: {reason}',
  ATOMIC_REGISTRATION_FAILED: 'Atomic registration failed: {reason}',
  REGISTRATION_PENDING:
    'It is not known yet whether {account} was registered. Nothing is lost: the wallet looks again by itself, ' +
    'and makes no second passkey for this account before it knows.',
  REGISTRATION_NOT_STORED:
    'The account {account} was created, but this device could not store its records yet. ' +
    'It has the keys, and stores the rest at the next start or try. {reason}',
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
  NO_ACCOUNT_HERE: 'No account is known on this device yet. Register one, or recover or link one here first.',
  NO_ENCRYPTED_KEY: 'No encrypted key found for account {account}',
  VRF_UNLOCK_FAILED: 'Failed to unlock VRF keypair',
  ACCOUNT_NOT_ON_CHAIN:
    'Account {account} does not exist on this chain (it may have been reset). Please register a new account.',
  DEVICE_KEY_REMOVED:
    'The key of this device was removed from {account}. The account is safe. Link this device again from another one.',

  // Recovery; further texts are in errors/recovery.ts
  RECOVERY_FAILED: 'Recovery failed: {reason}',

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
  VERIFICATION_FAILED: 'The registry did not accept this passkey assertion. Nothing was sent.',
  SIGNING_FAILED: '{reason}',
  BATCH_SIGNING_FAILED: 'Batch transaction signing failed',
  INSUFFICIENT_BALANCE:
    '{account} has {balance} NEAR free, and this needs {needed} NEAR for gas and deposit.{reason} ' +
    'Send some NEAR to the account, then try again.',
  NOT_SENT: 'Not sent, because an earlier transaction of the batch failed.',

  // Chain and relay
  RELAY_UNREACHABLE: 'The relay server could not be reached: {reason}',
  RELAY_REFUSED: '{reason}',

  // Workers and storage
  WORKER_TIMEOUT: 'Worker operation timed out after {ms}ms',
  MODAL_TIMEOUT: 'Timed out after {seconds}s, try again',
  WORKER_FAILED: 'Worker error: {reason}',
  VRF_WORKER_UNHEALTHY: 'VRF Worker failed health check',
  UNKNOWN_WORKER_RESPONSE: 'Unknown worker response format',
  CRYPTO_FAILED: '{reason}',
  SEALED_KEY_UNUSABLE:
    'The key {publicKey} on this device cannot be opened: it was altered, or the browser lost the key that ' +
    'protects it. Make a new one.',
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
} as const;

export type WalletTexts = typeof TEXTS;

/** The reason in INSUFFICIENT_BALANCE where the chain or the registry returns most of the amount. */
export const COMES_BACK_TEXT = ' Most of it comes back.';

/** The text of TRANSACTION_FAILED for what was executed. Its own is for what the chain did not take. */
export const EXECUTED_TEXT = 'The chain executed the transaction, and it failed: {reason}';

/** What the VRF worker says in the place of the text of WORKER_FAILED and WORKER_TIMEOUT. */
export const VRF_WORKER_TEXTS = {
  notStarted: 'VRF Worker failed to initialize: {reason}',
  timeout: 'VRF Web Worker communication timeout ({ms}ms) for message type: {type}',
} as const;

/** What a passkey's or worker's answer may lack; each is the reason or the cause of a code above. */
export const LACKING_TEXTS = {
  prf: 'PRF outputs missing from serialized credential',
  bootstrapKey: 'VRF public key missing in bootstrap response',
  vrfKey: 'VRF public key not found in response',
  encryptedVrfKeypair: 'Encrypted VRF keypair not found in response - this is required for registration',
  prfFirst: 'ChaCha20 PRF output not found in WebAuthn credentials',
} as const;

addTexts(TEXTS);
