/** The texts of errors of what is loaded later: the price, devices, recovery, app keys, export, the registry, the scanner, other clients. */
import { filled, LatchkeyError } from './latchkey-error.js';

export * from './phone.js';
export * from './wallet.js';

// Registration, keys and messages

export const PASSKEY_UNSTABLE = {
  code: 'PASSKEY_UNSTABLE',
  text:
    'The new passkey of {account} gives other keys each time, so it could not open the account again. Nothing was ' +
    'registered, and you can delete that passkey. Update your device (an iPhone to iOS 18.4 or later) and browser, or use ' +
    'another passkey.',
} as const;
export const PASSKEY_NOT_DISCOVERABLE = {
  code: 'PASSKEY_NOT_DISCOVERABLE',
  text:
    'This authenticator does not find its passkeys by itself, so your account could not be recovered with it. ' +
    'Nothing was registered. Use another one.',
} as const;
export const ACCOUNT_EXISTS = {
  code: 'ACCOUNT_EXISTS',
  text: 'Account {account} already exists. Please choose a different account ID.',
} as const;
/** The registry did not answer; below, it answered no. */
export const REGISTRATION_CHECK_UNANSWERED = {
  code: 'REGISTRATION_CHECK_UNANSWERED',
  text: 'Registration check failed: {reason}',
} as const;
export const ATOMIC_REGISTRATION_FAILED = {
  code: 'ATOMIC_REGISTRATION_FAILED',
  text: 'Atomic registration failed: {reason}',
} as const;
export const REGISTRATION_NOT_STORED = {
  code: 'REGISTRATION_NOT_STORED',
  text:
    'The account {account} was created, but this device could not store its records yet. ' +
    'It has the keys, and stores the rest at the next start or try. {reason}',
} as const;
export const REGISTRATION_MISMATCH = {
  code: 'REGISTRATION_MISMATCH',
  text:
    'The account {account} was created with other keys than the ones made on this device. ' +
    'Do not use it, and report the relay {relay}.',
} as const;
/** What an answer in a registration may lack: the reasons of codes below. */
export const LACKING_TEXTS = {
  bootstrapKey: 'VRF public key missing in bootstrap response',
  vrfKey: 'VRF public key not found in response',
  encryptedVrfKeypair: 'Encrypted VRF keypair not found in response - this is required for registration',
  prfFirst: 'ChaCha20 PRF output not found in WebAuthn credentials',
} as const;
export const NO_ACCOUNT_HERE = {
  code: 'NO_ACCOUNT_HERE',
  text: 'No account is known on this device yet. Register one, or recover or link one here first.',
} as const;
export const VRF_BOOTSTRAP_FAILED = {
  code: 'VRF_BOOTSTRAP_FAILED',
  text: 'VRF bootstrap keypair generation failed: {reason}',
} as const;
export const VRF_DERIVATION_FAILED = {
  code: 'VRF_DERIVATION_FAILED',
  text: 'VRF keypair derivation failed: {reason}',
} as const;
export const VRF_ENCRYPT_FAILED = {
  code: 'VRF_ENCRYPT_FAILED',
  text: 'VRF encrypt-current failed: {reason}',
} as const;
export const SIGNING_FAILED = { code: 'SIGNING_FAILED', text: '{reason}' } as const;
export const NO_LOCAL_KEY_MATERIAL = {
  code: 'NO_LOCAL_KEY_MATERIAL',
  text:
    'No local key material found for this account on this device. ' +
    'Please complete registration or recovery here first.',
} as const;
export const SEALED_KEY_UNUSABLE = {
  code: 'SEALED_KEY_UNUSABLE',
  text:
    'The key {publicKey} on this device cannot be opened: it was altered, or the browser lost the key that ' +
    'protects it. Make a new one.',
} as const;

// The price

export const INSUFFICIENT_BALANCE = {
  code: 'INSUFFICIENT_BALANCE',
  text:
    '{account} has {balance} NEAR free, and this needs {needed} NEAR for gas and deposit.{reason} ' +
    'Send some NEAR to the account, then try again.',
} as const;

// The registry's contract

export const CONTRACT_STATE_FAILED = {
  code: 'CONTRACT_STATE_FAILED',
  text: 'Contract state deserialization failed. This may be due to a contract upgrade. Please try again or contact support.',
} as const;
export const REGISTRY_UNKNOWN = {
  code: 'REGISTRY_UNKNOWN',
  text: '{registry} is not a registry that this wallet can use: {reason}. Check contractId, or update the wallet.',
} as const;
export const REGISTRY_LACKS = {
  code: 'REGISTRY_LACKS',
  text: 'The registry {registry} lacks {feature}. {advice}',
} as const;

// The record of an account without a name

export const ACCOUNT_HAS_NAME = {
  code: 'ACCOUNT_HAS_NAME',
  text: '{account} has a name: the registry recorded its passkey when it was made. There is nothing to register.',
} as const;
export const PASSKEY_KEY_UNKNOWN = {
  code: 'PASSKEY_KEY_UNKNOWN',
  text:
    'The registry needs the public key of this passkey, which only the browser that made it knows and which cannot be ' +
    'computed from its answers. Nothing was sent. Register {account} in that browser, or bring the account to a new passkey.',
} as const;

export const DEVICE_NOT_RECORDED = {
  code: 'DEVICE_NOT_RECORDED',
  text:
    'The registry has no record of {account} yet, and linking needs one. Register this device first (registerDevice): ' +
    'that costs about {cost} NEAR.',
} as const;

// Device linking

export const ACCOUNT_NOT_OWNED = { code: 'ACCOUNT_NOT_OWNED', text: '{reason}' } as const;
export const AUTHORIZATION_TIMEOUT = {
  code: 'AUTHORIZATION_TIMEOUT',
  text: 'Failed to scan and link device: {reason}',
} as const;
export const REGISTRATION_FAILED = { code: 'REGISTRATION_FAILED', text: '{reason}' } as const;
export const LINKER_NOT_LOGGED_IN = {
  code: 'LINKER_NOT_LOGGED_IN',
  text: 'Device1 must be logged in to authorize device linking',
} as const;
export const LINKER_HAS_NO_KEY = {
  code: 'LINKER_HAS_NO_KEY',
  text: 'Client NEAR public key not found in user data',
} as const;
export const ACCOUNT_NOT_FOUND = {
  code: 'ACCOUNT_NOT_FOUND',
  text: 'Account {account} does not exist onchain',
} as const;
export const INVALID_FUNDING_AMOUNT = {
  code: 'INVALID_FUNDING_AMOUNT',
  text: 'The funding amount must be a number of NEAR such as 0.05',
} as const;
export const LINK_KEY_KNOWN = {
  code: 'LINK_KEY_KNOWN',
  text:
    'This code was used already: its key is on the account {account}, or is being added to it. ' +
    'Show a new code on the other device, then scan that one.',
} as const;
export const LINK_UNDONE = {
  code: 'LINK_UNDONE',
  text: 'The other device could not join, and its key was removed from the account. Try again. ({reason})',
} as const;
export const LINK_IN_DOUBT = {
  code: 'LINK_IN_DOUBT',
  text:
    'It is not known yet whether the other device could join. If not, the wallet removes its key from the account ' +
    'as soon as the chain answers; until then the list of linked devices shows it. ({reason})',
} as const;

// Devices and their keys

export const AUTHENTICATORS_FAILED = {
  code: 'AUTHENTICATORS_FAILED',
  text: 'Failed to load authenticators',
} as const;
export const LAST_ACCESS_KEY = {
  code: 'LAST_ACCESS_KEY',
  text: 'Cannot delete the last access key from an account',
} as const;
export const LAST_FULL_ACCESS_KEY = {
  code: 'LAST_FULL_ACCESS_KEY',
  text: 'Cannot delete the last key with full access from an account',
} as const;
export const ACCESS_KEY_NOT_FOUND = {
  code: 'ACCESS_KEY_NOT_FOUND',
  text: 'Access key {key} not found on account {account}',
} as const;
export const LAST_DEVICE = {
  code: 'LAST_DEVICE',
  text: 'Cannot remove the last registered device of an account. Link another device first, then remove this one from there.',
} as const;
export const OWN_DEVICE_KEY = {
  code: 'OWN_DEVICE_KEY',
  text: 'This is the key of the device that you are using. Remove it from another device that is linked to the account.',
} as const;
export const DEVICE_KEY_LEFT = {
  code: 'DEVICE_KEY_LEFT',
  text:
    'The registration of that device is removed, but its key could not be deleted and can still sign. ' +
    'Remove it again to finish. ({reason})',
} as const;
export const LINK_KEY_GONE = {
  code: 'LINK_KEY_GONE',
  text:
    'The key of this device is no longer on {account}: the other device removes an unused key {seconds} seconds after the ' +
    'scan. Nothing changed here. Show a new code.',
} as const;
export const LINK_PENDING = {
  code: 'LINK_PENDING',
  text:
    'Linking this device with {account} is not finished ({reason}). Nothing is lost: it continues at the next ' +
    'start.',
} as const;
export const LINK_SEALED = {
  code: 'LINK_SEALED',
  text: 'Linking this device with {account} needs its passkey to continue.',
} as const;
export const LINK_CODE_REFUSED = {
  code: 'LINK_CODE_REFUSED',
  text:
    'This wallet takes no code of a new device from {page}: it scans by itself (scanAndLinkDevice), unless its operator lists ' +
    'the page in linkCodeHosts.',
} as const;
export const LINK_NOT_FOUND = {
  code: 'LINK_NOT_FOUND',
  text: 'This device has no unfinished linking with {account}.',
} as const;
export const LINK_BUSY = {
  code: 'LINK_BUSY',
  text: 'Another tab of this site is linking this device. Finish or cancel it there, then try again.',
} as const;
export const PASSKEY_SYNCED = {
  code: 'PASSKEY_SYNCED',
  text:
    'A passkey of {account} is on this device already, synced from another one. Recover the account with it: ' +
    'no linking is needed.',
} as const;

// Codes and their scanner

export const INVALID_QR_DATA = { code: 'INVALID_QR_DATA', text: '{reason}' } as const;
export const SESSION_EXPIRED = { code: 'SESSION_EXPIRED', text: 'Device linking session expired' } as const;
export const CAMERA_ACCESS_FAILED = {
  code: 'CAMERA_ACCESS_FAILED',
  text: 'Camera access failed: {reason}',
} as const;
export const CAMERA_DEVICES_FAILED = {
  code: 'CAMERA_DEVICES_FAILED',
  text: 'Failed to access camera devices',
} as const;
export const CAMERA_SCAN_TIMEOUT = {
  code: 'CAMERA_SCAN_TIMEOUT',
  text: 'Camera scan timeout - no QR code detected within {ms}ms',
} as const;
export const CANVAS_UNAVAILABLE = {
  code: 'CANVAS_UNAVAILABLE',
  text: 'Unable to get canvas 2D context',
} as const;
export const QR_NOT_FOUND = {
  code: 'QR_NOT_FOUND',
  text: 'No QR code was found in this picture. Choose one that shows all of the code, or take it from closer.',
} as const;
export const QR_FILE_UNREADABLE = {
  code: 'QR_FILE_UNREADABLE',
  text: 'The browser cannot read this file as a picture. Choose another one.',
} as const;
export const QR_DECODER_FAILED = {
  code: 'QR_DECODER_FAILED',
  text: 'The QR decoder could not be loaded: {reason}. Check your connection, then try again.',
} as const;

// Recovery

export const NO_RECOVERABLE_ACCOUNTS = {
  code: 'NO_RECOVERABLE_ACCOUNTS',
  text: 'No recoverable accounts found',
} as const;
export const NO_PASSKEY_HERE = {
  code: 'NO_PASSKEY_HERE',
  text: 'This device has no passkey for this wallet. If yours is on a phone or a security key, recover again.',
} as const;
export const AUTHENTICATOR_NOT_FOUND = {
  code: 'AUTHENTICATOR_NOT_FOUND',
  text: 'Could not find authenticator for credential',
} as const;
export const PASSKEY_OF_ANOTHER_ACCOUNT = {
  code: 'PASSKEY_OF_ANOTHER_ACCOUNT',
  text: 'Selected passkey belongs to {other}, not {account}',
} as const;
export const PASSKEY_NOT_OF_ACCOUNT = {
  code: 'PASSKEY_NOT_OF_ACCOUNT',
  text: 'Account {account} was not created with this passkey',
} as const;
export const REGISTRY_RECORD_MISMATCH = {
  code: 'REGISTRY_RECORD_MISMATCH',
  text:
    "The registry's record of this passkey does not match the passkey: {reason}. Nothing was stored. " +
    'Try again; if it happens again, use another RPC node.',
} as const;

// Recovery phrases

export const RECOVERY_PHRASE_OFF = {
  code: 'RECOVERY_PHRASE_OFF',
  text:
    'Recovery phrases are off: scripts of this page could read the words. Set keyExport: { sameOrigin: true } in the ' +
    'configuration if every script of this origin is trusted.',
} as const;
export const RECOVERY_PHRASE_LENGTH = {
  code: 'RECOVERY_PHRASE_LENGTH',
  text: 'A recovery phrase has 12 words, and these are {count}. Enter all of them, in order.',
} as const;
export const RECOVERY_PHRASE_WORD = {
  code: 'RECOVERY_PHRASE_WORD',
  text: 'Word {position} is not a word of recovery phrases. Check its spelling.',
} as const;
export const RECOVERY_PHRASE_CHECKSUM = {
  code: 'RECOVERY_PHRASE_CHECKSUM',
  text:
    'These 12 words do not belong together: one of them is another word, or their order is wrong. Compare them with what ' +
    'you wrote down.',
} as const;
export const RECOVERY_PHRASE_NOT_OF_ACCOUNT = {
  code: 'RECOVERY_PHRASE_NOT_OF_ACCOUNT',
  text:
    'These words do not open {account}: the account does not have their key. Check the name and the words. The account is ' +
    'as it was.',
} as const;
export const RECOVERY_PHRASE_LIMITED = {
  code: 'RECOVERY_PHRASE_LIMITED',
  text:
    'The key of these words is on {account}, but without full access, so it cannot let a passkey in. The account is as it ' +
    'was. Use the words of a key with full access.',
} as const;
export const RECOVERY_PHRASE_NOT_USED = {
  code: 'RECOVERY_PHRASE_NOT_USED',
  text:
    'The new passkey was not added to {account}: {reason}. The account is as it was, the words still open it, and the ' +
    'passkey that was made was dropped. Try again.',
} as const;
export const RECOVERY_PHRASE_IN_DOUBT = {
  code: 'RECOVERY_PHRASE_IN_DOUBT',
  text:
    'It is not known yet whether {account} has the key of the new passkey. The account is safe, and the words still open ' +
    'it. Try again with the same words: no second passkey is needed.',
} as const;
export const RECOVERY_KEY_NOT_ADDED = {
  code: 'RECOVERY_KEY_NOT_ADDED',
  text:
    'The recovery key was not added to {account}: {reason}. The account is as it was. The words that you wrote down open ' +
    'nothing: destroy them, and make new ones.',
} as const;
export const RECOVERY_KEY_IN_DOUBT = {
  code: 'RECOVERY_KEY_IN_DOUBT',
  text:
    'It is not known yet whether {account} has the recovery key: {reason}. Keep the words. They open the account once its ' +
    'list of devices shows the recovery key {key}; if that never comes, destroy them, and make new ones.',
} as const;

// Accounts of another wallet

export const ADOPTION_REFUSED = {
  code: 'ADOPTION_REFUSED',
  text:
    'Your other wallet did not add the key to {account}: {reason}. Your account is as it was, and the passkey that was ' +
    'made for it was dropped. Try again, and approve it there.',
} as const;
export const ADOPTED_KEY_MISSING = {
  code: 'ADOPTED_KEY_MISSING',
  text:
    'Your other wallet says that it added the key to {account}, but the account does not have it after a minute. Your ' +
    'account is as it was. Look at the transaction there, then try again: no second passkey is needed.',
} as const;

// App keys

export const APP_KEY_MISSING = {
  code: 'APP_KEY_MISSING',
  text: 'This device has no app key of {account} for {receiver}. Make one with addAppKey, or sign with the passkey.',
} as const;
export const APP_KEY_NOT_FOR_THIS = {
  code: 'APP_KEY_NOT_FOR_THIS',
  text:
    'The app key of {account} does not permit calling {method} of {receiver}. It permits {allowed}. ' +
    'Make one that does, or sign with the passkey.',
} as const;
export const APP_KEY_GONE = {
  code: 'APP_KEY_GONE',
  text: 'The app key of {account} for {receiver} is no longer on the account: it was revoked. Make a new one.',
} as const;
export const APP_KEY_EXPIRED = {
  code: 'APP_KEY_EXPIRED',
  text:
    'The app key of {account} for {receiver} ended at {end}. This wallet no longer signs with it. Make a new one with ' +
    'addAppKey, or sign with the passkey.',
} as const;
export const APP_KEY_ALLOWANCE = {
  code: 'APP_KEY_ALLOWANCE',
  text: 'The allowance of the app key {publicKey} does not cover this call. Revoke it and make a new one.',
} as const;
export const APP_KEY_OUT_OF_GAS = {
  code: 'APP_KEY_OUT_OF_GAS',
  text:
    'What is left on the app key {publicKey} does not cover this call. Fill it with a TransferToGasKey action, which any ' +
    'account can send; or revoke it, which returns the rest, and make a new one; or sign with the passkey.',
} as const;
export const APP_KEY_UNKNOWN = {
  code: 'APP_KEY_UNKNOWN',
  text: '{publicKey} is not an app key of {account}.',
} as const;

// Tokens

export const TOKEN_UNUSABLE = {
  code: 'TOKEN_UNUSABLE',
  text: '{contractId} does not answer as the contract of a token (NEP-141) does: {reason}',
} as const;
export const TOKEN_STORAGE_TOO_DEAR = {
  code: 'TOKEN_STORAGE_TOO_DEAR',
  text: '{contractId} asks for {price} NEAR before {receiver} can receive its token, far more than a token needs. Nothing was sent.',
} as const;
export const TOKEN_INDEXER_FAILED = {
  code: 'TOKEN_INDEXER_FAILED',
  text: 'The indexer of tokens gave no usable answer: {reason}',
} as const;

// The wallet's own page

export const ACCOUNT_BUSY = {
  code: 'ACCOUNT_BUSY',
  text:
    'Something that {account} began here has not ended yet, such as a payment whose outcome is not known. Removing it now ' +
    'would lose sight of it. Wait until it has ended, then remove the account.',
} as const;
export const HOME_IN_FRAME = {
  code: 'HOME_IN_FRAME',
  text: 'The wallet opens its own page only by itself, never inside another page.',
} as const;

// Other clients

export const BYTES_NOT_SIGNED = {
  code: 'BYTES_NOT_SIGNED',
  text: 'The wallet signs no bytes that it cannot show. Sign a transaction or a message (NEP-413) instead.',
} as const;
export const ACTION_NOT_CARRIED = {
  code: 'ACTION_NOT_CARRIED',
  text: 'The wallet does not sign this: {reason}. Nothing was signed.',
} as const;
export const OTHER_ACCOUNT = {
  code: 'OTHER_ACCOUNT',
  text: 'This is for {asked}, and the wallet signs for {account}. Nothing was signed.',
} as const;
export const OTHER_KEY = {
  code: 'OTHER_KEY',
  text: 'This names the key {asked}, and the wallet signs with {publicKey}. Nothing was signed.',
} as const;
export const OTHER_NETWORK = {
  code: 'OTHER_NETWORK',
  text: 'The provider is on the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
} as const;
export const OTHER_TRANSACTION = {
  code: 'OTHER_TRANSACTION',
  text: 'The wallet signed something else than was asked. It was thrown away, and not sent.',
} as const;
export const SIGNED_BEFORE = {
  code: 'SIGNED_BEFORE',
  text:
    'These actions were signed before, as {transactionId}, and the chain does not know that transaction. ' +
    'The user was not asked again. Make new actions to ask once more; LatchkeyAccount signs an overtaken nonce again by itself.',
} as const;
export const NETWORK_NOT_SERVED = {
  code: 'NETWORK_NOT_SERVED',
  text: 'This is for the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
} as const;
export const NOTHING_CONNECTED = {
  code: 'NOTHING_CONNECTED',
  text: 'No account of the wallet is connected. Sign in first.',
} as const;

/** Further texts of the linking steps. */
export const LINK_TEXTS = {
  cancelled: 'User cancelled link-device confirmation',
  cancelledRegen: 'User cancelled link-device confirmation (Option E regen)',
  cancelledOptionF: 'User cancelled link-device confirmation (Option F)',
  cancelledAdoption: 'Bringing your account was cancelled. Nothing was changed.',
  vrfOptionE: 'Failed to derive VRF keypair from PRF for Option E',
  vrfOptionF: 'Failed to derive VRF keypair from PRF for real account',
  nearKey: 'Failed to derive NEAR keypair in step 1',
  sessionExpired: 'Session expired',
  noTemporaryKey: 'Missing temporary private key or account ID for key replacement',
  replacementFailed: 'Key replacement failed: {reason}',
  notSigned: 'Failed to sign registration transaction',
  noCredential: 'WebAuthn credential not available after VRF migration',
  notOwned:
    '{account} names the key of this device, but has not added it. Unless it is your account, another person ' +
    'has read the code. Show a new one.',
  refused: 'The registry did not accept this device: {reason}',
  busyOther: 'This site is already linking another device. Finish or cancel that first, then try again.',
  scannedHere:
    'The wallet scanned the code of a new device less than 15 minutes ago, so it takes none from {page} now. ' +
    'Scan in the wallet again, or wait.',
  busyHere: 'This page is still finishing an earlier linking of this device. Try again in a moment.',
} as const;

/** One of these texts, with its placeholders filled. */
export function linkText(
  text: keyof typeof LINK_TEXTS,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return filled(LINK_TEXTS[text], values);
}

/** Faults of a linking QR code; the codes are INVALID_QR_DATA and, for `expired` and `missed`, SESSION_EXPIRED. */
export const QR_TEXTS = {
  notJson: 'Invalid QR code format - expected JSON device linking data',
  url: 'QR code contains a URL, not device linking data',
  nearKey: 'QR code contains a NEAR key, not device linking data',
  noKey: 'Missing device public key',
  badKey: 'Invalid device public key format',
  noTimestamp: 'Missing timestamp',
  badTimestamp: 'Invalid timestamp: it must be milliseconds since 1970',
  future: 'QR code is from the future. Check the clocks of both devices, then show a new code',
  expired: 'QR code expired',
  missed:
    'This device was asleep or offline for too long to know whether the code was scanned. Show a new code.',
  badVersion: 'Unsupported QR code version. Update the wallet on both devices',
} as const;

/** Recovery's texts for a failed passkey prompt, which replace the code's text. */
export const RECOVERY_PROMPT_TEXTS = {
  notAllowed: 'Touch ID was cancelled or timed out.',
  aborted: 'Authentication was cancelled.',
  timedOut: 'Touch ID timed out. Please try again.',
  security: 'Security error. Make sure you are on a secure site (HTTPS).',
  noMatch: 'No matching passkey found for this account.',
} as const;

/** Advice after a recovery that found nothing, appended to the error in the result's message. */
export const RECOVERY_ADVICE = {
  noPasskeyOffered:
    'If no passkey of yours was offered, this browser has none for this site: ' +
    'use the browser, phone or security key that holds it, or link this device from one that is logged in.',
  unknownAccount: 'The registry knows no passkey of {account}. Check how the name is spelled.',
  foreignPasskey: 'The chosen passkey belongs to no account in this registry. Choose another one.',
} as const;

/** What an earlier registry, or the other one on testnet, lacks, each with advice for the operator. */
export const LACKING_IN_REGISTRY = {
  httpOrigins: {
    feature: 'passkeys of http pages',
    advice: 'Serve this page over https, or deploy your own registry.',
  },
  allowedHosts: {
    feature: 'a list of the hosts that may embed the wallet',
    advice: "Name them in the wallet's own configuration, or deploy your own registry.",
  },
  existingPasskeys: {
    feature: 'a method to record a passkey that an account has already',
    advice: 'Deploy the registry of this release there, or your own: no migration is needed.',
  },
} as const;

/** Logged once where a wallet or a relay meets that registry. */
export const OTHER_REGISTRY_TEXT =
  '{registry} is not a Latchkey registry. It works, with less protection: it keeps the deposit of a refused ' +
  'registration, does not compare what the user approved with the registration, lets any account remove a linking, ' +
  'and records no access key of a device. For real users, deploy your own registry (docs/concepts/registry.mdx).';

/** An error that names what the registry lacks. */
export function lacks(
  { contractId: registry }: { readonly contractId: string },
  what: keyof typeof LACKING_IN_REGISTRY,
): LatchkeyError {
  return new LatchkeyError(REGISTRY_LACKS, { values: { registry, ...LACKING_IN_REGISTRY[what] } });
}
