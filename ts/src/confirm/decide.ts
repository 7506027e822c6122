/** How a request is confirmed: one pure function of its type, what it signs, the settings and the surroundings. */
import { CLICK_REQUIRED, LatchkeyError, UNSUPPORTED_CONFIRMATION } from '../errors/wallet.js';
import { callBoundsOf, isFullAccess } from '../near/key-permission.js';
import type { Action, ConfirmationConfig, TransactionRequest, UiMode } from '../types.js';
import { MAX_DELAY_MS } from './settings-check.js';

export type ConfirmationRequest =
  | 'signTransaction'
  | 'signNep413Message'
  | 'registerAccount'
  | 'linkDevice'
  | 'decryptPrivateKeyWithPrf'
  | 'showSecurePrivateKeyUi';

export type RequestClass = 'Signing' | 'Registration' | 'LocalOnly';

const CLASSES: Readonly<Record<ConfirmationRequest, RequestClass>> = {
  signTransaction: 'Signing',
  signNep413Message: 'Signing',
  registerAccount: 'Registration',
  linkDevice: 'Registration',
  decryptPrivateKeyWithPrf: 'LocalOnly',
  showSecurePrivateKeyUi: 'LocalOnly',
};

/** The settings, weakest first: each layer overrides, field by field, the ones before it. */
export interface ConfirmationSettings {
  /** The defaults, and the page's own choices. */
  readonly page: ConfirmationConfig;
  /**
   * Only the user's own choices in the wallet: inside a frame they alone let a payment go without a click. A host's
   * settings do not belong here.
   */
  readonly user?: Partial<ConfirmationConfig> | undefined;
  /** The caller's settings for this request. */
  readonly call?: Partial<ConfirmationConfig> | undefined;
}

export interface Surroundings {
  /** A touch device, or Safari: both need a separate click for a prompt. */
  readonly isTouchOrSafari: boolean;
  readonly isTouch: boolean;
  /** `navigator.userActivation.isActive`. */
  readonly hasUserActivation: boolean;
  /** Whether another page asks: it frames this document, or opened it. */
  readonly isEmbedded: boolean;
}

export interface ConfirmationInput {
  readonly type: string;
  /** Everything that a 'signTransaction' request would sign. */
  readonly transactions?: readonly TransactionRequest[] | undefined;
  /** The account that signs, and the registry: inside a frame a call to either needs a click. */
  readonly guarded?: readonly string[] | undefined;
  /** It signs a message (NEP-413) for another recipient than the page that asks, alone or with transactions. */
  readonly isForAnother?: boolean | undefined;
  /** The page around the frame could cover it unnoticed, and so lure the user into changing the settings. */
  readonly isCoverable?: boolean | undefined;
  /** An equal payment was sent earlier, and its outcome is not known yet. */
  readonly isRepeated?: boolean | undefined;
  /** The user clicked the page's transaction button, which showed exactly this. */
  readonly wasClicked?: boolean | undefined;
  readonly settings: ConfirmationSettings;
  readonly at: Surroundings;
  /** Whether anything is there to show the request and take a click. */
  readonly hasConfirmer: boolean;
}

/**
 * How the request is confirmed: without UI in mode 'skip', else in that mode, by itself after the delay
 * ('autoProceed') or by a click ('requireClick').
 */
export interface ConfirmationDecision extends ConfirmationConfig {
  readonly requestClass: RequestClass;
}

/**
 * Decides, or refuses: UNSUPPORTED_CONFIRMATION for an unknown type, CLICK_REQUIRED where no setting can waive the click
 * and there is no surface to click in.
 */
export function decideConfirmation(input: ConfirmationInput): ConfirmationDecision {
  const { type, settings, at } = input;
  if (!isConfirmationRequest(type)) throw new LatchkeyError(UNSUPPORTED_CONFIRMATION);
  const requestClass = CLASSES[type];
  const wanted = mergedSettings(settings);
  if (type === 'decryptPrivateKeyWithPrf') return { ...wanted, uiMode: 'skip', requestClass };

  const known = withKnownMode(wanted);
  const placed = at.isEmbedded ? insideFrame(type, requestClass, known, input) : byButton(known, input);
  const decided = at.isTouchOrSafari && !at.hasUserActivation ? byClick(placed, 'drawer') : placed;
  // No setting may hide the warning.
  const isWarned = input.isRepeated && input.hasConfirmer;
  return { ...(isWarned ? byClick(decided, at.isTouch ? 'drawer' : 'modal') : decided), requestClass };
}

/** After a failed prompt, another one always needs a click. */
export function decideAnotherTry<C extends ConfirmationConfig>(decided: C): C {
  return { ...decided, behavior: 'requireClick' };
}

/**
 * Merges the layers. A call's settings come unchecked: an undefined field counts as absent, and a delay that no timer
 * keeps (NaN, or so long that it would fire immediately) does not shorten the user's time to cancel.
 */
export function mergedSettings({ page, user, call }: ConfirmationSettings): ConfirmationConfig {
  const merged = { ...page, ...user, ...given(call) };
  const delayMs = Math.min(Math.max(Number(merged.autoProceedDelayMs) || 0, 0), MAX_DELAY_MS);
  return { ...merged, autoProceedDelayMs: delayMs };
}

function given(settings: Partial<ConfirmationConfig> = {}): Partial<ConfirmationConfig> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** An unknown mode is drawn as a modal that confirms by itself. */
function withKnownMode(config: ConfirmationConfig): ConfirmationConfig {
  if (isUiMode(config.uiMode)) return config;
  return { ...config, uiMode: 'modal', behavior: 'autoProceed', autoProceedDelayMs: 0 };
}

function byClick(config: ConfirmationConfig, insteadOfSkip: Exclude<UiMode, 'skip'>): ConfirmationConfig {
  return {
    ...config,
    uiMode: config.uiMode === 'skip' ? insteadOfSkip : config.uiMode,
    behavior: 'requireClick',
  };
}

/** A click on the page's own button counts for the click that the page wants, and not for one that the user wants. */
function byButton(
  config: ConfirmationConfig,
  { wasClicked, settings: { user } }: ConfirmationInput,
): ConfirmationConfig {
  if (!wasClicked || user?.behavior === 'requireClick') return config;
  return { ...config, behavior: 'autoProceed', autoProceedDelayMs: user?.autoProceedDelayMs ?? 0 };
}

/** Inside a frame the settings may come from a host, which must get nothing signed unseen. */
function insideFrame(
  type: ConfirmationRequest,
  requestClass: RequestClass,
  config: ConfirmationConfig,
  input: ConfirmationInput,
): ConfirmationConfig {
  const { settings, at, hasConfirmer } = input;
  const isRegistration = requestClass === 'Registration';
  // Safari has the drawer for signing outside of a frame too.
  const surface = at.isTouch || (at.isTouchOrSafari && !isRegistration) ? 'drawer' : 'modal';
  const { user } = settings;
  const mayChoose = !needsClick(type, input);
  const maySkip = mayChoose && user?.uiMode === 'skip';
  const mayProceed = maySkip || (mayChoose && user?.behavior === 'autoProceed');
  if (!mayProceed) {
    if (!hasConfirmer) throw new LatchkeyError(CLICK_REQUIRED);
    const isModeKept = !isRegistration || settings.call !== undefined;
    return byClick(isModeKept ? config : { ...config, uiMode: surface }, surface);
  }
  return {
    ...config,
    uiMode: config.uiMode === 'skip' && !maySkip ? surface : config.uiMode,
    // Never less time to cancel than the user chose.
    autoProceedDelayMs: Math.max(config.autoProceedDelayMs, user?.autoProceedDelayMs ?? 0),
  };
}

/** More gas than this in one request always needs a click: as much as one call may burn, 0.03 NEAR at the usual price. */
const MOST_GAS_UNSEEN = 300n * 10n ** 12n;

/** Whether a request inside a frame needs a click that no setting waives (interop.md section 8, security of the frame, 4). */
function needsClick(
  type: ConfirmationRequest,
  { transactions, guarded = [], isForAnother = false, isCoverable = false }: ConfirmationInput,
): boolean {
  if (isCoverable || isForAnother) return true;
  if (type === 'signNep413Message') return false;
  // The browser itself wants a click for a framed create(); export and linking give the account away.
  if (type !== 'signTransaction' || !transactions) return true;
  if (needsClickAlways(transactions)) return true;
  const reaches = ({ receiverId, actions }: TransactionRequest) =>
    actions.some((action) => guarded.includes(calledBy(action, receiverId) ?? ''));
  return transactions.some(reaches) || gasOf(transactions) > MOST_GAS_UNSEEN;
}

/** The contract that an action calls, or that a key which it adds may call. */
function calledBy(action: Action, receiverId: string): string | undefined {
  if (action.type === 'FunctionCall') return receiverId;
  return action.type === 'AddKey' ? callBoundsOf(action.accessKey.permission)?.receiverId : undefined;
}

function gasOf(transactions: readonly TransactionRequest[]): bigint {
  const actions = transactions.flatMap(({ actions }) => actions);
  return actions.reduce(
    (sum, action) => sum + (action.type === 'FunctionCall' ? BigInt(action.gas) : 0n),
    0n,
  );
}

/** Whether any of these takes the account away or lets another in: a click that no setting waives. */
function needsClickAlways(transactions: readonly TransactionRequest[]): boolean {
  return transactions.some(({ actions }) => actions.some(takesAccount));
}

function takesAccount(action: Action): boolean {
  switch (action.type) {
    case 'FunctionCall':
    case 'CreateAccount':
    case 'Transfer':
    case 'Stake':
      return false;
    case 'AddKey':
      return isFullAccess(action.accessKey.permission);
    // DeleteKey, DeleteAccount, any contract code and first state (anyone may call the code, and it may add keys), what fills
    // and empties gas keys, and any action of a later version.
    default:
      return true;
  }
}

function isConfirmationRequest(request: string): request is ConfirmationRequest {
  return Object.hasOwn(CLASSES, request);
}

function isUiMode(value: string): value is UiMode {
  return value === 'skip' || value === 'modal' || value === 'drawer';
}

/** What the browser says about this page. `isForHost`: its wallet serves another page. */
export function surroundings(isForHost = false): Surroundings {
  const isTouch = navigator.maxTouchPoints > 0 && matchMedia('(pointer: coarse)').matches;
  return {
    isTouch,
    isTouchOrSafari: isTouch || isSafari(navigator.userAgent),
    hasUserActivation: navigator.userActivation?.isActive ?? false,
    isEmbedded: isForHost || globalThis.top !== globalThis.self,
  };
}

/** Every Chromium names Safari too. */
export function isSafari(userAgent: string): boolean {
  return /safari/i.test(userAgent) && !/chrom|crios|android|edg/i.test(userAgent);
}
