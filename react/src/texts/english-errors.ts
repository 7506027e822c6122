import type { ErrorValues } from 'latchkey';
import { CANCELLED, LOGIN_CANCELLED, OFFLINE, REGISTRATION_CANCELLED } from 'latchkey/internal';
import { type Headlines, headlineOf } from './headlines.js';

const SITE_FAULT =
  'This site has a mistake in its setup, so nothing was done. Your accounts are untouched. Only the site’s owner can fix it.';
const SITE_ASKED_WRONG =
  'This site asked for something that the wallet cannot do. Nothing was signed. Only the site’s owner can fix it.';
const SITE_NOT_SET_UP = [
  '{origin} isn’t set up for this wallet. Only the site’s owner can change that. Your accounts are untouched.',
  'This site isn’t set up for this wallet. Only the site’s owner can change that. Your accounts are untouched.',
] as const;
const UNKNOWN_HERE =
  'This browser doesn’t know this account. The account is safe. Recover it with your passkey, a linked device or your recovery phrase.';
const WALLET_STOPPED =
  'A part of the wallet stopped working. Your keys are safe. Reload the page and try again.';
const KEYS_NOT_MADE =
  'The wallet couldn’t make your keys. Nothing was created. Reload the page and try again.';
const PASSKEY_NOT_ASKED =
  'The wallet couldn’t get ready to ask for your passkey. Nothing was done. Try again.';
const PASSKEYS_LACK =
  'Passkeys in this browser lack something this wallet needs. Update it, or try another browser.';
const SWITCHED_OFF = 'Switched off on this site for your safety.';
const LAST_KEY =
  'This is the last key of your account. Removing it would lock you out, so it stays. Link another device first.';
const OTHER_NETWORK =
  'This is for another network. Nothing was signed. Change the network in the app and try again.';
const BUTTON_UNCHECKED =
  'The wallet couldn’t check what the button shows. Nothing was signed. Reload the page and try again.';
const NOT_SAVED = 'Your settings couldn’t be saved. Nothing changed. Try again.';
const SOMETHING = 'Something went wrong. Your keys are safe. Check your connection and try again.';

/**
 * What a screen says of each error: what happened, whether money and keys are safe, what to do now. The error's own message
 * stands under Details. A module of its own, which loads with the first failure.
 */
export const englishHeadlines: Headlines = {
  // Everywhere
  NO_BROWSER: SITE_FAULT,
  WALLET_FRAME_ONLY: SITE_FAULT,
  MISSING_RELAYER_URL: SITE_FAULT,
  INSECURE_CONTEXT: 'Passkeys need a secure page. Nothing was done. Open this page with https://.',
  INVALID_CONFIG: SITE_FAULT,
  INVALID_RPC_URL: SITE_FAULT,
  INVALID_ACCOUNT_ID: 'No account can have this name. Nothing was done. Check how it is spelled.',
  INVALID_AMOUNT: 'This isn’t an amount that the wallet can use. Nothing was sent. Check the number.',
  CANCELLED: CANCELLED.text,
  REGISTRATION_CANCELLED: REGISTRATION_CANCELLED.text,
  LOGIN_CANCELLED: LOGIN_CANCELLED.text,
  PRF_MISSING: PASSKEYS_LACK,
  WORKER_CLOSED:
    'The wallet closed before it finished. Your keys are safe. Look at your activity before you repeat a payment.',
  UI_DIGEST_VALIDATION_FAILED:
    'The wallet couldn’t check what it showed you, so nothing was signed. Try again.',
  NEAR_RPC_FAILED: 'The network didn’t answer. Your keys and money are safe. Try again in a moment.',
  OFFLINE: OFFLINE.text,
  RPC_DISAGREEMENT: 'Two network servers disagree about your account, so nothing was done. Try again later.',
  TRANSACTION_FAILED:
    'The network refused this transaction, so no money moved. Check what it asks for, then try again.',
  UNKNOWN: SOMETHING,

  // Arguments and configuration
  INVALID_ACTION: SITE_ASKED_WRONG,
  NO_PAYLOADS: SITE_ASKED_WRONG,
  NO_TRANSACTIONS: SITE_ASKED_WRONG,
  PASSKEYS_UNSUPPORTED:
    'This browser has no passkeys. Your accounts are untouched. Update it, or use another browser.',
  PASSKEYS_FORBIDDEN_HERE:
    'This site doesn’t let the wallet use passkeys. Your accounts are untouched. Only the site’s owner can change that.',
  PRF_UNSUPPORTED: PASSKEYS_LACK,
  RP_ID_MISMATCH: SITE_FAULT,
  NO_CONFIRMER: SITE_FAULT,
  CLICK_REQUIRED: SITE_FAULT,
  MISSING_PAYLOAD: SITE_ASKED_WRONG,
  UNSUPPORTED_CONFIRMATION: SITE_ASKED_WRONG,

  // Passkeys
  USER_CANCELLED_REGISTRATION: 'You cancelled. Nothing was created. Try again when you’re ready.',
  PASSKEY_EXISTS: [
    'You already have a passkey for {account}. Log in with it.',
    'You already have a passkey for this account. Log in with it.',
  ],
  PAGE_NOT_FOCUSED: 'The browser asks for a click first. Nothing was done. Click this page, then try again.',
  REQUEST_PENDING: 'Another passkey prompt is still open. Finish or close it, then try again.',
  WEBAUTHN_FAILED: 'Your passkey couldn’t be used. Nothing was signed or sent. Try again.',
  USER_NOT_VERIFIED:
    'Your passkey didn’t check that it is you, so nothing was signed or sent. Turn on a PIN, fingerprint or face for it, or ' +
    'use another passkey.',
  PASSKEY_DIFFERS:
    'Your passkey answered differently this time, so nothing was done. Use the browser and device where you made it, or a ' +
    'linked device. Send no money to this account until that works.',
  ANOTHER_PASSKEY:
    'That was another account’s passkey, so nothing was signed or sent. Try again, and choose the right one.',
  INVALID_CREDENTIAL:
    'Your passkey’s answer was incomplete, so nothing was done. Update the browser, or try another one.',

  // Registration
  REGISTRATION_CHECK_FAILED:
    'The account couldn’t be created. You spent nothing. Try again, or pick another name.',
  REGISTRATION_PENDING: [
    'We don’t know yet whether {account} was created. Your passkey is safe. We keep checking, so don’t create it again.',
    'We don’t know yet whether the account was created. Your passkey is safe. We keep checking, so don’t create it again.',
  ],
  PASSKEY_UNSTABLE:
    'The new passkey couldn’t open the account again, so nothing was created. Delete it, update your device and browser, or ' +
    'use another passkey.',
  PASSKEY_NOT_DISCOVERABLE:
    'This passkey device doesn’t find its passkeys by itself, so you couldn’t recover your account. Nothing was created. Use ' +
    'another one.',
  ACCOUNT_EXISTS: [
    '{account} is taken. Nothing was created. Pick another name.',
    'This name is taken. Nothing was created. Pick another one.',
  ],
  REGISTRATION_CHECK_UNANSWERED: 'The network didn’t answer, so nothing was created. Try again in a moment.',
  ATOMIC_REGISTRATION_FAILED: 'The account couldn’t be created. You spent nothing. Try again.',
  REGISTRATION_NOT_STORED: [
    '{account} was created, but this browser couldn’t save all of it yet. Its keys are safe here. Open the wallet again to finish.',
    'The account was created, but this browser couldn’t save all of it yet. Its keys are safe here. Open the wallet again to finish.',
  ],
  REGISTRATION_MISMATCH: [
    'Don’t use {account}: someone else’s keys are on it. Send nothing there; pick another name. Tell support: {relay}.',
    'Don’t use this account: someone else’s keys are on it. Send nothing there; pick another name, and tell support.',
  ],
  NO_ACCOUNT_HERE: 'There is no account in this browser yet. Create one, or recover or link yours.',
  VRF_BOOTSTRAP_FAILED: KEYS_NOT_MADE,
  VRF_DERIVATION_FAILED: KEYS_NOT_MADE,
  VRF_ENCRYPT_FAILED: KEYS_NOT_MADE,

  // Login and session
  NOT_LOGGED_IN: 'You’re not logged in, so nothing was done. Log in, then try again.',
  NO_LOCAL_ACCOUNT: UNKNOWN_HERE,
  NO_USER_DATA: UNKNOWN_HERE,
  NO_PUBLIC_KEY: UNKNOWN_HERE,
  NO_VRF_CREDENTIALS: UNKNOWN_HERE,
  NO_AUTHENTICATORS: UNKNOWN_HERE,
  NO_ENCRYPTED_KEY: UNKNOWN_HERE,
  NO_LOCAL_KEY_MATERIAL:
    'This browser has no key of this account. The account is safe. Finish creating or recovering it here first.',
  VRF_UNLOCK_FAILED:
    'Your account couldn’t be unlocked. Nothing is lost. Try again, and choose the passkey of this account.',
  ACCOUNT_NOT_ON_CHAIN:
    'This account doesn’t exist on this network; a test network may have been reset. Create a new account.',
  DEVICE_KEY_REMOVED:
    'This device was removed from the account. The account is safe. Link the device again from another one.',

  // Recovery
  RECOVERY_FAILED:
    'Recovery didn’t work. Your account is safe. Try again, or use a linked device or your recovery phrase.',
  NO_RECOVERABLE_ACCOUNTS:
    'No account was found for that passkey. Your accounts are safe. Try another passkey, a linked device or your recovery phrase.',
  NO_PASSKEY_HERE:
    'No passkey for this wallet was found on this device. Is yours on a phone or a security key? Recover again.',
  AUTHENTICATOR_NOT_FOUND:
    'That passkey opens no account here. Your accounts are safe. Choose another passkey.',
  PASSKEY_OF_ANOTHER_ACCOUNT: [
    'That passkey opens {other}, not {account}. Nothing changed. Choose the other passkey.',
    'That passkey opens another account. Nothing changed. Choose the passkey of this one.',
  ],
  PASSKEY_NOT_OF_ACCOUNT:
    'That passkey doesn’t open this account. The account is safe. Choose another passkey.',
  REGISTRY_RECORD_MISMATCH:
    'Your account’s record doesn’t match this passkey. Nothing was stored. Try again later.',

  // The server that helps to unlock, and what precedes each passkey prompt
  VRF_CHALLENGE_FAILED: PASSKEY_NOT_ASKED,
  VRF_REFRESH_FAILED: PASSKEY_NOT_ASKED,
  SERVER_LOCK_FAILED:
    'The wallet’s server couldn’t help to unlock your account. Your keys are safe. Log in with your passkey.',
  SERVER_LOCK_MISMATCH:
    'The wallet’s server isn’t the one that this wallet knows, so it wasn’t used. Your keys are safe. Log in with your passkey.',

  // Signing
  INTENT_DIGEST_MISMATCH:
    'What you saw isn’t what would be signed, so nothing was signed. Look at the request again.',
  VERIFICATION_FAILED: 'Your passkey wasn’t accepted. Nothing was sent. Try again.',
  BATCH_SIGNING_FAILED: 'These transactions couldn’t be signed. Nothing was sent. Try again.',
  SIGNING_FAILED: 'This couldn’t be signed. Nothing was sent. Try again.',
  NOT_SENT: 'Not sent, because an earlier transaction failed. You can send it again.',
  SEALED_KEY_UNUSABLE:
    'A key that this browser keeps can’t be opened any more. Your account is safe. Give the app access again.',
  INSUFFICIENT_BALANCE: [
    'You have {balance} NEAR; this needs up to {needed}.{reason} Add NEAR, then try again.',
    'You have too little NEAR for this. Nothing was sent. Add NEAR, then try again.',
  ],

  // Key export
  EXPORT_NEAR_KEYPAIR_DISABLED: SWITCHED_OFF,
  EXPORT_NEAR_KEYPAIR_UI_FAILED: 'Your key couldn’t be shown. It is safe. Reload the page and try again.',

  // The wallet's servers
  RELAY_UNREACHABLE:
    'The wallet’s server can’t be reached. Your keys and money are safe. Check your connection and try again.',
  RELAY_REFUSED: 'The wallet’s server said no. Your keys and money are safe. Try again later.',
  CONTRACT_STATE_FAILED:
    'Your account’s record couldn’t be read. Nothing was done. Try again later, or ask support.',
  REGISTRY_UNKNOWN: SITE_FAULT,
  REGISTRY_LACKS: SITE_FAULT,

  // Workers and storage
  WORKER_TIMEOUT: WALLET_STOPPED,
  WORKER_FAILED: WALLET_STOPPED,
  VRF_WORKER_UNHEALTHY: WALLET_STOPPED,
  UNKNOWN_WORKER_RESPONSE: WALLET_STOPPED,
  CRYPTO_FAILED: WALLET_STOPPED,
  MODAL_TIMEOUT: 'Time ran out, so nothing was signed. Try again.',
  STORAGE_FAILED:
    'This browser couldn’t use what the wallet keeps here. Your account is safe. Reload the page; if that doesn’t help, restart ' +
    'the browser.',
  STORAGE_UNAVAILABLE: 'This window can’t keep your account. Update the browser, or use an ordinary window.',
  STORAGE_DENIED:
    'This browser won’t let the wallet keep your account here. Leave the private window, or allow this site’s data, then reload.',
  STORAGE_FULL: 'This device has no room left, so this step wasn’t stored. Free some space, then try again.',
  STORAGE_NEWER: 'A newer version of the wallet was used here. Nothing is lost. Reload the page to get it.',
  STORAGE_BLOCKED:
    'Another tab has an older version of the wallet open. Nothing is lost. Close the other tabs, then try again.',
  STORAGE_INTERRUPTED: 'Saving was interrupted; this step wasn’t stored. Try again.',

  // Device linking
  ACCOUNT_NOT_OWNED:
    'The account hasn’t let this device in. Unless you chose it yourself, someone else has read the code. Show a new one.',
  AUTHORIZATION_TIMEOUT:
    'The other device couldn’t be linked. Your account is safe. Show a new code there, then scan that one.',
  REGISTRATION_FAILED: 'This device couldn’t be added. Your account is safe. Show a new code and try again.',
  LINKER_NOT_LOGGED_IN: 'You’re not logged in on this device. Nothing was linked. Log in, then scan again.',
  LINKER_HAS_NO_KEY:
    'This device has no key of your account, so it can’t link another. The account is safe. Recover it here first.',
  ACCOUNT_NOT_FOUND: [
    '{account} doesn’t exist. Nothing was done. Check how it is spelled.',
    'This account doesn’t exist. Nothing was done. Check how it is spelled.',
  ],
  INVALID_FUNDING_AMOUNT: SITE_ASKED_WRONG,
  LINK_KEY_KNOWN:
    'This code was used already. Your account is safe. Show a new code on the other device, then scan that one.',
  LINK_UNDONE:
    'The other device couldn’t join, and its key was removed again. Your account is safe. Try again.',
  LINK_IN_DOUBT:
    'We don’t know yet whether the other device joined. Your account is safe: if it didn’t, its key is removed by itself. ' +
    'Look at your devices in a minute.',
  LINK_KEY_GONE: 'Time ran out. Nothing changed. Show a new code and try again.',
  LINK_PENDING:
    'Linking this device isn’t finished. Nothing is lost. It continues when you open the wallet again.',
  LINK_SEALED: 'Linking this device isn’t finished. Nothing is lost. Use your passkey to continue.',
  LINK_CODE_REFUSED:
    'This wallet takes no codes from this site. Nothing was linked. Scan the code in the wallet itself.',
  LINK_NOT_FOUND: 'Nothing is left to finish on this device. Nothing changed. Show a new code to link it.',
  LINK_BUSY: 'Another tab is linking this device. Finish or cancel it there, then try again.',
  LINK_DEVICE_INIT_FAILED: 'Linking couldn’t start. Nothing changed. Try again.',
  PASSKEY_SYNCED:
    'This device has your passkey already, so it needs no linking. Recover the account with that passkey.',

  // Devices and their keys
  AUTHENTICATORS_FAILED: 'Your devices couldn’t be loaded. Nothing changed. Try again.',
  LAST_ACCESS_KEY: LAST_KEY,
  LAST_FULL_ACCESS_KEY: LAST_KEY,
  ACCESS_KEY_NOT_FOUND: 'That key isn’t on your account any more. Nothing changed. Load the list again.',
  LAST_DEVICE:
    'This is your last device, so it stays. Link another device first, then remove this one from there.',
  OWN_DEVICE_KEY: 'You’re using this device, so it stays. Remove it from another linked device.',
  DEVICE_KEY_LEFT: 'The device was removed, but its key still works. Remove it again to finish.',

  // Codes and their scanner
  INVALID_QR_DATA:
    'That isn’t a code for linking, so nothing was linked. Scan the code that your other device shows under ‘Scan and Link Device’.',
  SESSION_EXPIRED: 'This code ran out. Nothing was linked. Show a new code, then scan that one.',
  CAMERA_ACCESS_FAILED:
    'The camera can’t be used. Allow it for this site, or close other apps that use it, then try again.',
  CAMERA_DEVICES_FAILED: 'No camera was found. Connect or allow one, then try again.',
  CAMERA_SCAN_TIMEOUT: 'No code was seen. Hold it still inside the frame, and try again.',
  CANVAS_UNAVAILABLE: 'This browser can’t read the camera’s picture. Update it, or try another browser.',
  QR_NOT_FOUND: 'There is no code in this picture. Choose one that shows all of it.',
  QR_FILE_UNREADABLE: 'This file isn’t a picture that the browser can read. Choose another one.',
  QR_DECODER_FAILED: 'The code reader couldn’t be loaded. Check your connection and try again.',

  // Recovery phrases
  RECOVERY_PHRASE_OFF: SWITCHED_OFF,
  RECOVERY_PHRASE_LENGTH: [
    'A recovery phrase has 12 words, not {count}. Enter all of them, in order.',
    'A recovery phrase has 12 words. Enter all of them, in order.',
  ],
  RECOVERY_PHRASE_WORD: [
    'Word {position} isn’t a word of recovery phrases. Check its spelling.',
    'One word isn’t a word of recovery phrases. Check the spelling.',
  ],
  RECOVERY_PHRASE_CHECKSUM:
    'These 12 words don’t belong together. Compare each word and their order with what you wrote down.',
  RECOVERY_PHRASE_NOT_OF_ACCOUNT: [
    'These words don’t open {account}. The account is as it was. Check the name and the words.',
    'These words don’t open this account. The account is as it was. Check the name and the words.',
  ],
  RECOVERY_PHRASE_LIMITED:
    'These words have limited access, so they can’t add a passkey. The account is as it was. Use words with full access.',
  RECOVERY_PHRASE_NOT_USED:
    'The new passkey wasn’t added. The account is as it was, and the words still open it. Try again.',
  RECOVERY_PHRASE_IN_DOUBT:
    'We don’t know yet whether the new passkey was added. The account is safe, and the words still open it. Try again with the ' +
    'same words.',
  RECOVERY_KEY_NOT_ADDED:
    'The recovery phrase wasn’t added. The account is as it was. The words that you wrote down open nothing: destroy them, and make ' +
    'new ones.',
  RECOVERY_KEY_IN_DOUBT:
    'We don’t know yet whether the recovery phrase was added. Keep the words. They work once your list of devices shows a recovery ' +
    'key; if it never does, destroy them, and make new ones.',

  // Accounts of another wallet
  ADOPTION_REFUSED:
    'Your other wallet didn’t let this one in. Your account is as it was. Try again, and approve it there.',
  ADOPTED_KEY_MISSING:
    'Your other wallet says that it let this one in, but the account doesn’t show it. Your account is as it was. Look there, then ' +
    'try again.',

  // App access
  APP_KEY_MISSING:
    'This app has no access to your account on this device. Nothing was sent. Give it access again.',
  APP_KEY_NOT_FOR_THIS:
    'The access that you gave this app doesn’t cover this. Nothing was sent. Approve it with your passkey, or give new access.',
  APP_KEY_GONE: 'This app’s access was removed. Nothing was sent. Give it access again.',
  APP_KEY_EXPIRED: 'This app’s access has ended. Nothing was sent. Give it access again.',
  APP_KEY_ALLOWANCE:
    'The budget that you gave this app is used up. Nothing was sent. Remove its access, and give it again.',
  APP_KEY_UNKNOWN: 'Your account has no such app access. Nothing changed. Load the list again.',

  // Tokens
  TOKEN_UNUSABLE: [
    'At {contractId} there is no token that this wallet can use. Check the token’s address. Nothing was sent.',
    'This is no token that the wallet can use. Check the token’s address. Nothing was sent.',
  ],
  TOKEN_STORAGE_TOO_DEAR: [
    'This token asks for {price} NEAR before {receiver} can receive it, far more than a token needs. Nothing was sent.',
    'This token asks for far more than a token needs before it can be received. Nothing was sent.',
  ],
  TOKEN_INDEXER_FAILED:
    'Some of your tokens may be missing here: the service that finds them doesn’t answer. They are safe. Try again later.',

  // The wallet's own page
  ACCOUNT_BUSY:
    'Something that this account began isn’t finished, such as a payment. Nothing was removed. Wait until it is known, then try again.',
  HOME_IN_FRAME:
    'The wallet doesn’t open inside another page. Your accounts are untouched. Open it in a tab of its own.',

  // Other clients
  BYTES_NOT_SIGNED:
    'This site asked for a signature on something that the wallet can’t show you, so nothing was signed.',
  ACTION_NOT_CARRIED: SITE_ASKED_WRONG,
  OTHER_ACCOUNT: [
    'This is for {asked}, and you are using {account}. Nothing was signed. Change the account, then try again.',
    'This is for another account. Nothing was signed. Change the account, then try again.',
  ],
  OTHER_KEY: 'This asks for a key that isn’t yours. Nothing was signed. Log in to the app again.',
  OTHER_NETWORK,
  OTHER_TRANSACTION:
    'Something else was signed than was asked, so it was thrown away. Nothing was sent. Try again.',
  SIGNED_BEFORE:
    'This was signed once already, and the network doesn’t know it. Nothing was sent again. Start it again in the app.',
  NETWORK_NOT_SERVED: OTHER_NETWORK,
  NOTHING_CONNECTED: 'No account is connected to this app, so nothing was done. Sign in to the app first.',

  // The wallet's frame
  WALLET_FRAME_TIMEOUT:
    'The wallet didn’t start in time. Your keys and money are safe. Check your connection and try again.',
  WALLET_FRAME_UNREACHABLE:
    'The wallet can’t be reached. Your keys and money are safe. Check your connection, or whether a blocker in this browser stops it, ' +
    'then try again.',
  WALLET_FRAME_ISOLATED:
    'This site can’t show the wallet. Your accounts are untouched. Only the site’s owner can change that.',
  NOT_A_WALLET: SITE_FAULT,
  WALLET_FRAME_MISSING: 'The wallet was closed. Your keys are safe. Reload the page and try again.',
  REQUEST_TIMEOUT:
    'The wallet didn’t answer in time. Your keys are safe. Look at your activity before you repeat a payment.',
  WALLET_FRAME_LOST:
    'The wallet closed before it answered. Your keys are safe. Look at your activity before you repeat a payment.',

  // Refusals of the wallet page
  HOST_NOT_ALLOWED: SITE_NOT_SET_UP,
  OPENER_NOT_ALLOWED: SITE_NOT_SET_UP,
  HOST_NOT_IN_REGISTRY: SITE_NOT_SET_UP,
  HOST_BUSY: [
    '{count} requests from this site still need your answer. Answer one first.',
    'Requests from this site still need your answer. Answer one first.',
  ],
  HOST_PAUSED: [
    'You said no to {origin} several times, so it can’t ask for {seconds} seconds.',
    'You said no to this site several times, so it can’t ask for a while.',
  ],
  HOST_STOPPED: [
    'You stopped requests from {origin}. Allow them again in the wallet’s settings, or wait a day.',
    'You stopped requests from this site. Allow them again in the wallet’s settings, or wait a day.',
  ],
  CONFIG_NOT_ALLOWED: SITE_FAULT,
  INVALID_MESSAGE: SITE_ASKED_WRONG,

  HOST_ERROR: SOMETHING,
  SET_CONFIRM_BEHAVIOR_FAILED: NOT_SAVED,
  SET_CONFIRMATION_CONFIG_FAILED: NOT_SAVED,

  // Windows
  POPUP_UNAVAILABLE:
    'The wallet couldn’t open its window. Nothing was done. Allow pop-ups for this site, then try again.',
  WEBAUTHN_BRIDGE_TIMEOUT: 'Your passkey prompt took too long. Nothing was signed. Try again.',
  WINDOW_BLOCKED:
    'The browser blocked the wallet’s window. Nothing was done. Allow pop-ups for this site, then try again.',
  WINDOW_SILENT:
    'The wallet’s window closed before it answered. Your keys are safe. Look at your activity before you repeat a payment.',

  // The embedded transaction button
  BUTTON_NO_HANDLER: SITE_FAULT,
  BUTTON_NOT_READY: BUTTON_UNCHECKED,
  BUTTON_FAILED: 'The wallet’s button couldn’t be shown. Nothing was signed. Reload the page and try again.',
  BUTTON_CLICK_REQUIRED:
    'Something other than your click pressed the button, so nothing was signed. Press it yourself.',
  UI_DIGEST_FAILED: BUTTON_UNCHECKED,
  UI_DIGEST_TIMEOUT: BUTTON_UNCHECKED,
  UI_DIGEST_SUPERSEDED: BUTTON_UNCHECKED,
  UI_DIGEST_MISMATCH:
    'The transaction changed after you saw it, so nothing was signed. Look at it again, then confirm.',
  TRANSACTION_CANCELLED: 'You cancelled. Nothing was sent.',
  TRANSACTION_DATA_MISSING: SITE_ASKED_WRONG,
  TRANSACTION_NOT_EXECUTED:
    'The transaction didn’t go through. Your keys are safe. Look at your activity before you repeat it.',

  // Phones
  IN_APP_BROWSER: [
    '{app} can’t use passkeys. Nothing is lost. Open this page in {browser}.',
    'This app’s browser can’t use passkeys. Nothing is lost. Open this page in your own browser.',
  ],
  IOS_OUTDATED: [
    'On iOS {version}, your account would open on this device alone. Update to iOS 18.4 or later before you create it.',
    'On this iOS, your account would open on this device alone. Update to iOS 18.4 or later before you create it.',
  ],
};

const EXECUTED = 'The transaction was carried out and failed. Only its fee was spent. You can try again.';

/** The English headline of an error. */
export const englishError = (
  code: string | undefined,
  _message: string,
  values: ErrorValues | undefined,
): string =>
  code === 'TRANSACTION_FAILED' && values?.fate === 'failed'
    ? EXECUTED
    : headlineOf(englishHeadlines, code, values);
