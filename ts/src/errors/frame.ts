/** The error texts of the wallet frame, for both its ends. */
import { addTexts } from './latchkey-error.js';

export * from './latchkey-error.js';

const TEXTS = {
  // The frame
  WALLET_FRAME_TIMEOUT: 'Wallet iframe READY timeout',
  WALLET_FRAME_UNREACHABLE:
    'The wallet at {origin} cannot be reached. Your keys and your money are safe. Check your connection, or whether a ' +
    'blocker in this browser stops it, then try again.',
  WALLET_FRAME_ISOLATED:
    'This page is isolated (Cross-Origin-Embedder-Policy), so the browser shows no frame that is not. The operator of the ' +
    'wallet at {origin} can serve it so too: the preset isolated (CROSS_ORIGIN).',
  NOT_A_WALLET: '{page} answered, but is not a Latchkey wallet: check walletOrigin and walletServicePath.',
  WALLET_FRAME_MISSING: 'Wallet iframe window missing',
  REQUEST_TIMEOUT: 'Wallet request timeout for {type}',
  WALLET_FRAME_LOST: 'The wallet page was closed or reloaded before it answered. Try again.',

  // Refusals of the wallet page
  HOST_NOT_ALLOWED:
    'The page {origin} may not use this wallet. Its operator can add the origin to the list of hosts.',
  OPENER_NOT_ALLOWED:
    'The page {origin} may not ask this wallet in a window. Its operator can add the origin to openers.',
  HOST_NOT_IN_REGISTRY:
    'This wallet admits the page {origin}, but the registry {registry} does not list it in allowed_hosts, and would refuse ' +
    'every passkey here. The wallet has not asked for one. An admin of the registry can add the page: {command}',
  HOST_BUSY: '{count} requests of this page are waiting for the user. Wait until one of them has its answer.',
  HOST_PAUSED:
    'The user refused several requests of {origin} in a row, so the wallet does not ask for it now. ' +
    'Try again in {seconds} seconds.',
  HOST_STOPPED:
    'The user stopped the requests of {origin}. ' +
    "The user can allow them again in the wallet's settings; otherwise the wallet asks again after a day.",
  CONFIG_NOT_ALLOWED: 'A host may not configure this: {reason}',
  INVALID_MESSAGE: 'The message {type} is not valid: {reason}',

  // Failures without a text of their own
  HOST_ERROR: 'Wallet error',
  LINK_DEVICE_INIT_FAILED: 'The linking of this device could not be started. Try again.',
  SET_CONFIRM_BEHAVIOR_FAILED: 'The confirmation behavior could not be set. Try again.',
  SET_CONFIRMATION_CONFIG_FAILED: 'The confirmation settings could not be set. Try again.',
} as const;

export type FrameTexts = typeof TEXTS;

addTexts(TEXTS);

/** Further texts of the frame's two ends. */
export const FRAME_TEXTS = {
  lostWhileSending:
    'The wallet page stopped before it answered. Your keys are safe. The request may have been sent, and its outcome ' +
    'is not known yet: check your account before you repeat it.',
  lostAfterSending:
    'The wallet page stopped after it sent this. Your keys are safe. The outcome is not known yet: ' +
    'look up {ids} before you repeat it.',
  preferences: "users change their choices in the wallet's own settings, which openSettings shows",
  noRawKeys:
    'A host gets no private key. exportNearKeypairWithUI shows it to the user, in the wallet itself.',
} as const;
