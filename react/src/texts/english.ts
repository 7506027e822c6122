import type { ErrorValues, ViewerLook } from 'latchkey';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { MISSING_PASSKEY_TEXT } from '../format/missing-passkey.js';
import type { ConfirmTexts } from './english-confirm.js';
import type { TokenTexts } from './english-tokens.js';

const characters = (count: number): string => `${count} ${count === 1 ? 'character' : 'characters'}`;

/**
 * The texts of the kit's components and toasts in English. A name in braces is filled with an account or a code. A text that the
 * specification quotes is exact.
 */
export const english = {
  /** As in HTML's `lang`. */
  language: 'en',
  common: {
    back: 'Back',
    close: 'Close',
    tryAgain: 'Try Again',
    unknownError: 'Unknown error',
    details: 'Details',
    wholeText: (total: string) => `Show all ${total} characters`,
    hiddenCharacter: 'A character that would not be visible, or would reorder the text',
    checkCode: 'Check code',
    missingPasskey: MISSING_PASSKEY_TEXT,
  },
  fate: {
    executed: { label: 'Done', sentence: 'It went through.' },
    sent: { label: 'On its way', sentence: 'The network has it. Don’t send it again.' },
    failed: { label: 'Failed', sentence: 'It was carried out and failed. Only its fee was spent.' },
    refused: {
      label: 'Refused',
      sentence: 'It was not accepted and never will be. You can send it again.',
    },
    unknown: {
      label: 'Not known yet',
      sentence: 'Sent, but not confirmed yet. It may still arrive, so don’t send it again. We keep checking.',
    },
    'not-sent': { label: 'Not sent', sentence: 'It never left this device. You can send it again.' },
  },
  loginMenu: {
    whatToDo: 'What to do',
    usePhrase: 'Use a recovery phrase',
    useDevice: 'Use a linked device',
    username: 'Username',
    continue: 'Continue',
    waiting: 'Waiting',
    register: {
      label: 'Register',
      title: 'Register Account',
      subtitle: 'Create a wallet with Passkey',
      placeholder: 'Pick a username',
      waiting: 'Registering passkey…',
      failed: 'Registration failed',
    },
    login: {
      label: 'Login',
      title: 'Login',
      subtitle: 'Login with Passkey',
      placeholder: 'Enter your username',
      waiting: 'Waiting for Passkey…',
      failed: 'Login failed',
    },
    recover: {
      label: 'Recover',
      title: 'Recover Account',
      subtitle: 'Restore a wallet with Passkey',
      placeholder: 'Leave blank to discover accounts',
      waiting: 'Waiting for Passkey…',
      failed: 'Recovery failed',
    },
    alreadyAnAccount: 'Already have an account?',
    onAnotherDevice: 'Is {account} on another device?',
    linkFor: 'For {account}. Scan with a device that is logged in to it.',
    loggingIn: 'Device linked. Logging in…',
    unknownHere: (account: string) => `This browser does not know ${account}. Restore it with its passkey.`,
    noPasskeyHere:
      'This device has no passkey for this wallet. Are you new? Choose a name. If your passkey is on a phone or a security key, choose Recover once more.',
    registered: (accounts: string) => `${accounts} is registered. You can log in.`,
    elsewhere: {
      title: (browser: string) => `Continue in ${browser}`,
      open: (browser: string) => `Open in ${browser}`,
      byHand: (browser: string) =>
        `If nothing opens, choose ‘Open in ${browser}’ or ‘Open in browser’ in the menu of this app.`,
    },
  },
  names: {
    httpsRequired: 'HTTPS required',
    httpsAdvice: 'A passkey needs a secure page. Open this page with https://.',
    taken: 'name taken',
    takenAdvice: (account: string) => `This device has ${account} already.`,
    logInInstead: 'Log in with it',
    endsIn: (ending: string) => `new names end in ${ending}`,
    endsInAdvice: (ending: string) =>
      `Type only the part before ${ending}. An account that exists already can log in.`,
    noDot: (ending: string) => `A new name has no dot before ${ending}.`,
    notFound: 'Account not found',
    notFoundAdvice: (account: string) => `This browser does not know ${account}.`,
    restoreInstead: 'Restore it with its passkey',
    noSpaces: 'A name has no spaces.',
    noSuchCharacter: (character: string) => `A name has no “${character}”. Use a to z, 0 to 9, - and _.`,
    tooLong: (excess: number, most: number) =>
      `This name is ${characters(excess)} too long. It can have ${characters(most)} at most.`,
    separators: 'A name begins and ends with a letter or a digit, and has one between two separators.',
    wholeId: 'A whole account id ends in .testnet or .near.',
  },
  profile: {
    user: 'User',
    wallet: 'Wallet',
    /** Next to the link's icon, where a wide page has room for it. */
    explorer: 'Explorer',
    inExplorer: (account: string) => `${account} in the explorer`,
    exportKeys: 'Export Keys',
    exportKeysMore: 'View your private keys',
    linkDevice: 'Scan and Link Device',
    linkDeviceMore: 'Scan QR to link a device',
    linkedDevices: 'Linked Devices',
    linkedDevicesMore: 'View linked devices',
    phrase: 'Recovery Phrase',
    phraseMore: 'Twelve words that open your account',
    phraseMade: 'Your recovery phrase is on the account.',
    darkMode: 'Dark Mode',
    lightMode: 'Light Mode',
    toggleTheme: 'Toggle Theme',
    settings: 'Transaction Settings',
    settingsMore: 'Customize confirmation behavior',
    lockWallet: 'Lock Wallet',
    lockWalletMore: 'Log out',
  },
  settings: {
    options: 'Confirmation Options',
    modal: 'Modal: in the middle of the screen',
    drawer: 'Drawer: from the lower edge',
    skip: 'Skip: no confirmation where that is safe',
    behavior: 'When a request comes',
    requireClick: 'Require click',
    autoProceed: 'Auto proceed',
    delay: 'Delay before it proceeds',
    theme: 'Theme',
    dark: 'Dark',
    light: 'Light',
    notChosen: 'The app decides',
    seconds: (count: number) => `${count}s`,
    logInFirst: 'Log in first: these settings are kept with your account.',
    whose: 'For {account}. No site can change these settings.',
    limits:
      'Where you choose nothing, the app decides, but you always confirm what you sign. Keys, devices and whole accounts always need ' +
      'your click.',
    saved: 'Saved',
    stopped: '{site} may not ask you for anything. You stopped its requests.',
    allowed: '{site} may ask you again.',
    allow: 'Allow requests again',
  },
  devices: {
    title: 'Linked Devices',
    list: 'Devices',
    loading: 'Loading your devices…',
    none: 'No authenticators found.',
    device: (number: number) => `Device ${number}`,
    current: '(current device)',
    registeredAt: (date: string) => `Registered: ${date}`,
    unknownDate: 'unknown',
    keyGone: 'Its key is no longer on the account, so it cannot sign.',
    otherKeys: 'Other keys with full access',
    temporaryKey: 'Temporary key',
    temporaryNote: 'Belongs to a linking in progress. It is removed automatically.',
    leftoverNote: 'Left over from linking. It is removed the next time you approve something, or here.',
    recoveryKey: 'Recovery key',
    recoveryNote: 'Its twelve words open the account. Remove it if others may have seen them.',
    otherKey: 'Other key',
    otherNote:
      'Made outside this wallet, with full access. Still using it? Keep it. Never made one? Remove it.',
    remove: 'Remove',
    removing: 'Removing…',
    removeOf: (name: string) => `Remove ${name}`,
    accessKey: (key: string) => `Access key ${key}`,
    clickToCopy: 'Click to copy',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying here',
  },
  scanner: {
    title: 'Scan QR code',
    linkTitle: 'Scan and Link Device',
    camera: 'Camera',
    cameraNumber: (number: number) => `Camera ${number}`,
    position: 'Position the QR code within the frame',
    starting: 'Starting the camera…',
    scanning: 'Scanning...',
    found: 'Found. Checking the code…',
    elsewhere: "Scan in the wallet's own window",
  },
  linkCode: {
    label: 'Link this device',
    generating: 'Generating QR code...',
    picture: 'QR code that links this device',
    scan: 'Scan to backup your other device.',
    scanMore:
      'You’re adding this device. Scan this with a device already logged in, under ‘Scan and Link Device’.',
    waiting: 'Waiting for your other device to scan',
    compare: 'Authorize on your other device if it shows the same code.',
    expiresIn: 'Expires in {time}',
    renew: 'Show a new code',
  },
  resumed: {
    label: 'From before',
    pending: 'Registration not known yet',
    pendingText:
      'It is not known yet whether {account} was set up with this device. Your passkey is safe. This page asks every few seconds; ' +
      'do not register the name again before it is known.',
    committed: 'Registered',
    committedText: '{account} is set up with this device. You can log in.',
    dropped: 'Not registered',
    droppedText: '{account} was not set up with this device, and nothing was lost. You can try again.',
    mismatched: 'Do not use this account',
    mismatchedText:
      '{account} was created with keys that are not this device’s. Send nothing to it, and register another name.',
    unfinished: 'Linking not finished yet',
    unfinishedText:
      'This device was linked to {account}, but its passkey is not registered yet. The account is safe.',
    finish: 'Finish linking',
    checking: 'Checking…',
    checkNow: 'Check now',
    gotIt: 'Got it',
    paymentUnknown: 'Payment not known yet',
    payment: 'A payment from before',
    from: 'From {account}, {date}',
    to: '{fate}: to {receiver}. {sentence}',
    amountTo: '{fate}: {amount} to {receiver}. {sentence}',
  },
  passkeyCheck: {
    title: 'Check your passkey before you receive money',
    why:
      'Your keys are made from your passkey, and not every passkey gives the same ones again. One touch shows that yours does. ' +
      'Until then, money sent to {account} could be lost with the data of this browser.',
    check: 'Check my passkey',
    checking: 'Checking…',
    skip: 'Go on without the check',
  },
  backup: {
    label: 'A second way in',
    title: 'One device, one passkey',
    notBackedUp: 'The passkey of {account} is not backed up: it is on this device alone.',
    deviceBound: 'The passkey of {account} cannot leave this device.',
    remedy:
      'Your account is safe. If this device is lost, nobody can open the account again. Link another device now: it gets a passkey ' +
      'of its own.',
    link: 'Link another device',
    phrase: 'Make a recovery phrase',
    later: 'Later',
  },
  toasts: {
    registrationStarts: 'Starting registration…',
    keysGenerated: 'Keys generated',
    creatingAccount: 'Creating account…',
    registering: 'Registering with the contract…',
    registered: 'Registration completed successfully',
    registeredBy: (transaction: string) => `Registration completed successfully (transaction ${transaction})`,
    registrationFailed: 'Registration failed',
    loggingIn: (account: string) => `Logging in as ${account}...`,
    loggedIn: (account: string) => `Logged in as ${account}!`,
    loginFailed: 'Login failed',
    recoveryFailed: 'Recovery failed',
    signingFailed: 'NEP-413 signing failed',
    transactionFailed: (message: string) => `Transaction failed: ${message}`,
    transferFailed: (message: string) => `Transfer failed: ${message}`,
    scanning: 'Scanning QR code...',
    authorizing: 'Authorizing...',
    authorized: 'Authorization completed successfully!',
    registeringDevice: 'Registering device...',
    deviceLinked: 'Device linked successfully!',
    deviceLinkedTo: (account: string) => `Device linked successfully to ${account}!`,
    linkingComplete: 'Device linking completed successfully!',
    processing: 'Processing...',
    codeReady: 'QR code ready',
    confirming: 'Confirming with the network',
    keyDetected: 'Device key detected on-chain',
    registeringAuthenticator: 'Registering authenticator',
    linked: 'Linked successfully',
    autoLogin: 'Auto-login in progress',
    linkingFailed: 'Device linking failed',
    linkingFailedBecause: (message: string) => `Device linking failed: ${message}`,
    operationFailed: 'Operation failed',
  },
};

/** Every text of the kit. Those of the confirmation load with it, so the English ones are in a module of their own. */
export type Texts = typeof english & {
  /** The texts of the confirmation and the wallet page. Without them, these are in English. */
  readonly confirm?: ConfirmTexts | undefined;
  /** The texts of the list of tokens and of the form that sends. Without them, these are in English. */
  readonly tokens?: TokenTexts | undefined;
  /** The texts of the phrase viewer. Without them, these are in English. */
  readonly phraseViewer?: NonNullable<ViewerLook['phrase']> | undefined;
  /** What a screen says of an error, by its code; the message itself stands under Details. Without it, this is in English. */
  readonly errors?:
    | ((code: string | undefined, message: string, values: ErrorValues | undefined) => string | undefined)
    | undefined;
  /**
   * The text of a step of a flow, for toasts and status lines; undefined where its message in English is to be shown. `device` is
   * the end of a linking: 1 scans, 2 is the new device.
   */
  readonly steps?: ((event: AnyFlowEvent, device: 1 | 2) => string | undefined) | undefined;
};
