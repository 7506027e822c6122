/** How a request is confirmed: one pure function of its type, what it signs, the settings and the surroundings. */
import { LatchkeyError } from '../errors/index.js';
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
  /** Whether this document is framed. */
  readonly isEmbedded: boolean;
}

export interface ConfirmationInput {
  readonly type: string;
  /** Everything that a 'signTransaction' request would sign. */
  readonly transactions?: readonly TransactionRequest[] | undefined;
  /** The request would sign them as a delegate, which another account submits. */
  readonly isDelegate?: boolean | undefined;
  /** An equal payment was sent earlier, and its outcome is not known yet. */
  readonly isRepeated?: boolean | undefined;
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
  if (!isConfirmationRequest(type)) throw new LatchkeyError('UNSUPPORTED_CONFIRMATION');
  const requestClass = CLASSES[type];
  const wanted = mergedSettings(settings);
  if (type === 'decryptPrivateKeyWithPrf') return { ...wanted, uiMode: 'skip', requestClass };

  const known = withKnownMode(wanted);
  const placed = at.isEmbedded ? insideFrame(type, requestClass, known, input) : known;
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

/** Inside a frame the settings may come from a host, which must not spend the user's money or take the account. */
function insideFrame(
  type: ConfirmationRequest,
  requestClass: RequestClass,
  config: ConfirmationConfig,
  { settings, transactions, isDelegate, at, hasConfirmer }: ConfirmationInput,
): ConfirmationConfig {
  const isRegistration = requestClass === 'Registration';
  // Safari has the drawer for signing outside of a frame too.
  const surface = at.isTouch || (at.isTouchOrSafari && !isRegistration) ? 'drawer' : 'modal';
  const need = clickNeed(type, transactions, isDelegate);
  const { user } = settings;
  const maySkip = need === 'never' || (need === 'unless-chosen' && user?.uiMode === 'skip');
  const mayProceed = maySkip || (need === 'unless-chosen' && user?.behavior === 'autoProceed');
  if (!mayProceed) {
    if (!hasConfirmer) throw new LatchkeyError('CLICK_REQUIRED');
    const isModeKept = !isRegistration || settings.call !== undefined;
    return byClick(isModeKept ? config : { ...config, uiMode: surface }, surface);
  }
  if (need === 'never') return config;
  return {
    ...config,
    uiMode: config.uiMode === 'skip' && !maySkip ? surface : config.uiMode,
    // Never less time to cancel than the user chose.
    autoProceedDelayMs: Math.max(config.autoProceedDelayMs, user?.autoProceedDelayMs ?? 0),
  };
}

/** 'unless-chosen': the click is needed unless the user chose otherwise in the wallet. */
type ClickNeed = 'never' | 'unless-chosen' | 'always';

/** What a request inside a frame needs (interop.md section 8, security of the frame, 4). */
function clickNeed(
  type: ConfirmationRequest,
  transactions: readonly TransactionRequest[] | undefined,
  isDelegate = false,
): ClickNeed {
  if (type === 'signNep413Message') return 'unless-chosen';
  // The browser itself wants a click for a framed create(); export and linking give the account away.
  if (type !== 'signTransaction' || !transactions) return 'always';
  if (needsClickAlways(transactions)) return 'always';
  const needs = new Set(transactions.flatMap(({ actions }) => actions.map(clickNeedOf)));
  return isDelegate || needs.has('unless-chosen') ? 'unless-chosen' : 'never';
}

/** Whether any of these needs a click that no setting waives. */
export function needsClickAlways(transactions: readonly TransactionRequest[]): boolean {
  return transactions.some(({ actions }) => actions.some((action) => clickNeedOf(action) === 'always'));
}

function clickNeedOf(action: Action): ClickNeed {
  switch (action.type) {
    case 'FunctionCall':
      return /^0+$/.test(action.deposit) ? 'never' : 'unless-chosen';
    case 'CreateAccount':
      return 'never';
    case 'Transfer':
    case 'Stake':
    case 'DeployContract':
      return 'unless-chosen';
    case 'AddKey':
      return typeof action.accessKey.permission === 'object' ? 'unless-chosen' : 'always';
    // DeleteKey, DeleteAccount, and any action of a later version.
    default:
      return 'always';
  }
}

function isConfirmationRequest(request: string): request is ConfirmationRequest {
  return Object.hasOwn(CLASSES, request);
}

function isUiMode(value: string): value is UiMode {
  return value === 'skip' || value === 'modal' || value === 'drawer';
}

/** What the browser says about this page. */
export function surroundings(): Surroundings {
  const isTouch = navigator.maxTouchPoints > 0 && matchMedia('(pointer: coarse)').matches;
  return {
    isTouch,
    isTouchOrSafari: isTouch || isSafari(navigator.userAgent),
    hasUserActivation: navigator.userActivation?.isActive ?? false,
    isEmbedded: globalThis.top !== globalThis.self,
  };
}

/** Every Chromium names Safari too. */
export function isSafari(userAgent: string): boolean {
  return /safari/i.test(userAgent) && !/chrom|crios|android|edg/i.test(userAgent);
}
