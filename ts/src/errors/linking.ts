/** The error texts of device linking, and of an account's devices and keys. */
import { addTexts, filled } from './latchkey-error.js';

export * from './adoption.js';
export * from './qr.js';

const TEXTS = {
  // Device linking
  ACCOUNT_NOT_OWNED: '{reason}',
  AUTHORIZATION_TIMEOUT: 'Failed to scan and link device: {reason}',
  REGISTRATION_FAILED: '{reason}',
  LINKER_NOT_LOGGED_IN: 'Device1 must be logged in to authorize device linking',
  LINKER_HAS_NO_KEY: 'Client NEAR public key not found in user data',
  ACCOUNT_NOT_FOUND: 'Account {account} does not exist onchain',
  INVALID_FUNDING_AMOUNT: 'The funding amount must be a number of NEAR such as 0.05',
  LINK_KEY_KNOWN:
    'This code was used already: its key is on the account {account}, or is being added to it. ' +
    'Show a new code on the other device, then scan that one.',
  LINK_UNDONE:
    'The other device could not join, and its key was removed from the account. Try again. ({reason})',
  LINK_IN_DOUBT:
    'It is not known yet whether the other device could join. If not, the wallet removes its key from the account ' +
    'as soon as the chain answers; until then the list of linked devices shows it. ({reason})',

  // Devices and their keys
  AUTHENTICATORS_FAILED: 'Failed to load authenticators',
  LAST_ACCESS_KEY: 'Cannot delete the last access key from an account',
  LAST_FULL_ACCESS_KEY: 'Cannot delete the last key with full access from an account',
  ACCESS_KEY_NOT_FOUND: 'Access key {key} not found on account {account}',
  LAST_DEVICE:
    'Cannot remove the last registered device of an account. Link another device first, then remove this one from there.',
  OWN_DEVICE_KEY:
    'This is the key of the device that you are using. Remove it from another device that is linked to the account.',
  DEVICE_KEY_LEFT:
    'The registration of that device is removed, but its key could not be deleted and can still sign. ' +
    'Remove it again to finish. ({reason})',
  LINK_KEY_GONE:
    'The key of this device is no longer on {account}: the other device removes an unused key {seconds} seconds after the ' +
    'scan. Nothing changed here. Show a new code.',
  LINK_PENDING:
    'Linking this device with {account} is not finished ({reason}). Nothing is lost: it continues at the next ' +
    'start.',
  LINK_SEALED: 'Linking this device with {account} needs its passkey to continue.',
  LINK_CODE_REFUSED:
    'This wallet takes no code of a new device from {page}: it scans by itself (scanAndLinkDevice), unless its operator lists ' +
    'the page in linkCodeHosts.',
  LINK_NOT_FOUND: 'This device has no unfinished linking with {account}.',
  LINK_BUSY: 'Another tab of this site is linking this device. Finish or cancel it there, then try again.',
  PASSKEY_SYNCED:
    'A passkey of {account} is on this device already, synced from another one. Recover the account with it: ' +
    'no linking is needed.',
} as const;

export type LinkingTexts = typeof TEXTS;

addTexts(TEXTS);

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
