/** The texts of errors between a host and the wallet: its frame, its windows, and the embedded transaction button. */
export * from './core.js';

// The frame

export const WALLET_FRAME_TIMEOUT = {
  code: 'WALLET_FRAME_TIMEOUT',
  text: 'Wallet iframe READY timeout',
} as const;
export const WALLET_FRAME_UNREACHABLE = {
  code: 'WALLET_FRAME_UNREACHABLE',
  text:
    'The wallet at {origin} cannot be reached. Your keys and your money are safe. Check your connection, or whether a ' +
    'blocker in this browser stops it, then try again.',
} as const;
export const WALLET_FRAME_ISOLATED = {
  code: 'WALLET_FRAME_ISOLATED',
  text:
    'This page is isolated (Cross-Origin-Embedder-Policy), so the browser shows no frame that is not. The operator of the ' +
    'wallet at {origin} can serve it so too: the preset isolated (CROSS_ORIGIN).',
} as const;
export const NOT_A_WALLET = {
  code: 'NOT_A_WALLET',
  text: '{page} answered, but is not a Latchkey wallet: check walletOrigin and walletServicePath.',
} as const;
export const WALLET_FRAME_MISSING = {
  code: 'WALLET_FRAME_MISSING',
  text: 'Wallet iframe window missing',
} as const;
export const REQUEST_TIMEOUT = {
  code: 'REQUEST_TIMEOUT',
  text: 'Wallet request timeout for {type}',
} as const;
export const WALLET_FRAME_LOST = {
  code: 'WALLET_FRAME_LOST',
  text: 'The wallet page was closed or reloaded before it answered. Try again.',
} as const;

// Refusals of the wallet page

export const HOST_NOT_ALLOWED = {
  code: 'HOST_NOT_ALLOWED',
  text: 'The page {origin} may not use this wallet. Its operator can add the origin to the list of hosts.',
} as const;
export const OPENER_NOT_ALLOWED = {
  code: 'OPENER_NOT_ALLOWED',
  text: 'The page {origin} may not ask this wallet in a window. Its operator can add the origin to openers.',
} as const;
export const HOST_NOT_IN_REGISTRY = {
  code: 'HOST_NOT_IN_REGISTRY',
  text:
    'This wallet admits the page {origin}, but the registry {registry} does not list it in allowed_hosts, and would refuse ' +
    'every passkey here. The wallet has not asked for one. An admin of the registry can add the page: {command}',
} as const;
export const HOST_BUSY = {
  code: 'HOST_BUSY',
  text: '{count} requests of this page are waiting for the user. Wait until one of them has its answer.',
} as const;
export const HOST_PAUSED = {
  code: 'HOST_PAUSED',
  text:
    'The user refused several requests of {origin} in a row, so the wallet does not ask for it now. ' +
    'Try again in {seconds} seconds.',
} as const;
export const HOST_STOPPED = {
  code: 'HOST_STOPPED',
  text:
    'The user stopped the requests of {origin}. ' +
    "The user can allow them again in the wallet's settings; otherwise the wallet asks again after a day.",
} as const;
export const CONFIG_NOT_ALLOWED = {
  code: 'CONFIG_NOT_ALLOWED',
  text: 'A host may not configure this: {reason}',
} as const;
export const INVALID_MESSAGE = {
  code: 'INVALID_MESSAGE',
  text: 'The message {type} is not valid: {reason}',
} as const;

// Failures without a text of their own

export const HOST_ERROR = { code: 'HOST_ERROR', text: 'Wallet error' } as const;
export const LINK_DEVICE_INIT_FAILED = {
  code: 'LINK_DEVICE_INIT_FAILED',
  text: 'The linking of this device could not be started. Try again.',
} as const;
export const SET_CONFIRM_BEHAVIOR_FAILED = {
  code: 'SET_CONFIRM_BEHAVIOR_FAILED',
  text: 'The confirmation behavior could not be set. Try again.',
} as const;
export const SET_CONFIRMATION_CONFIG_FAILED = {
  code: 'SET_CONFIRMATION_CONFIG_FAILED',
  text: 'The confirmation settings could not be set. Try again.',
} as const;

// Ceremonies outside the frame

export const POPUP_UNAVAILABLE = {
  code: 'POPUP_UNAVAILABLE',
  text:
    'The wallet could not open its own window. Allow pop-ups for this site, then try again. If a window did open, ' +
    'this site cuts it off: it must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups instead ' +
    'of same-origin.',
} as const;
export const WEBAUTHN_BRIDGE_TIMEOUT = {
  code: 'WEBAUTHN_BRIDGE_TIMEOUT',
  text: 'WebAuthn bridge timeout',
} as const;

// Windows that a page asks

export const WINDOW_BLOCKED = {
  code: 'WINDOW_BLOCKED',
  text: 'The browser blocked the window of the wallet. Allow pop-ups for this site, or ask within a click of the user.',
} as const;
export const WINDOW_SILENT = {
  code: 'WINDOW_SILENT',
  text:
    'The window of the wallet at {origin} was closed before it answered, or this page cuts off the windows that it opens. If ' +
    'this happens each time, this page sends the header Cross-Origin-Opener-Policy: same-origin: it must send ' +
    'same-origin-allow-popups in its place.',
} as const;

// The embedded transaction button

export const BUTTON_NO_HANDLER = {
  code: 'BUTTON_NO_HANDLER',
  text: 'No external confirm handler provided',
} as const;
export const BUTTON_NOT_READY = { code: 'BUTTON_NOT_READY', text: 'iframe not ready' } as const;
export const BUTTON_FAILED = {
  code: 'BUTTON_FAILED',
  text: 'The transaction button could not be shown: {reason}',
} as const;
export const BUTTON_CLICK_REQUIRED = {
  code: 'BUTTON_CLICK_REQUIRED',
  text: 'The transaction button reported a confirmation without a click of the user. Nothing was signed.',
} as const;
export const UI_DIGEST_FAILED = { code: 'UI_DIGEST_FAILED', text: 'UI digest failed' } as const;
export const UI_DIGEST_TIMEOUT = { code: 'UI_DIGEST_TIMEOUT', text: 'UI digest timeout' } as const;
export const UI_DIGEST_SUPERSEDED = { code: 'UI_DIGEST_SUPERSEDED', text: 'superseded' } as const;
export const UI_DIGEST_MISMATCH = {
  code: 'UI_DIGEST_MISMATCH',
  text: 'The transaction changed after the button showed it. Nothing was signed. Look at it again, then confirm.',
} as const;
export const TRANSACTION_CANCELLED = {
  code: 'TRANSACTION_CANCELLED',
  text: 'Transaction cancelled by user',
} as const;
export const TRANSACTION_DATA_MISSING = {
  code: 'TRANSACTION_DATA_MISSING',
  text: 'Missing required data for transaction',
} as const;
export const TRANSACTION_NOT_EXECUTED = {
  code: 'TRANSACTION_NOT_EXECUTED',
  text: 'Failed to execute transaction',
} as const;

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

/** Shown in the wallet's own window when no page has asked it anything. */
export const POPUP_LOST_TEXT =
  'This window has lost the page that opened it. Close it and try again there. If this happens each time, that page ' +
  'must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups instead of same-origin.';
