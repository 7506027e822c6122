/** How a request is confirmed: one pure function of its type, the settings and the surroundings. */
import { LatchkeyError } from '../errors.js';
import type { ConfirmationConfig, UiMode } from '../types.js';

export type ConfirmationRequest =
  | 'signTransaction'
  | 'signNep413Message'
  | 'registerAccount'
  | 'linkDevice'
  | 'decryptPrivateKeyWithPrf'
  | 'showSecurePrivateKeyUi';

type RequestClass = 'Signing' | 'Registration' | 'LocalOnly';

const CLASSES: Readonly<Record<ConfirmationRequest, RequestClass>> = {
  signTransaction: 'Signing',
  signNep413Message: 'Signing',
  registerAccount: 'Registration',
  linkDevice: 'Registration',
  decryptPrivateKeyWithPrf: 'LocalOnly',
  showSecurePrivateKeyUi: 'LocalOnly',
};

export interface Surroundings {
  /** A touch device, or Safari: there a prompt needs a click of its own. */
  readonly isTouchOrSafari: boolean;
  readonly isTouch: boolean;
  /** `navigator.userActivation.isActive`. */
  readonly hasUserActivation: boolean;
  /** Whether this document is framed. */
  readonly isEmbedded: boolean;
}

/** The configuration to use; `isExplicit` when the caller gave one with this very request. */
export function decideConfirmation(
  request: string,
  wanted: ConfirmationConfig,
  isExplicit: boolean,
  at: Surroundings,
): ConfirmationConfig {
  if (!isConfirmationRequest(request)) throw new LatchkeyError('UNSUPPORTED_CONFIRMATION');
  if (request === 'decryptPrivateKeyWithPrf') return { ...wanted, uiMode: 'skip' };
  const config: ConfirmationConfig = isUiMode(wanted.uiMode)
    ? wanted
    : { ...wanted, uiMode: 'modal', behavior: 'autoProceed', autoProceedDelayMs: 0 };
  if (at.isEmbedded && CLASSES[request] === 'Registration') {
    // A framed create() needs a click in the frame, whatever was configured.
    const uiMode = isExplicit && config.uiMode !== 'skip' ? config.uiMode : at.isTouch ? 'drawer' : 'modal';
    return { ...config, uiMode, behavior: 'requireClick' };
  }
  if (at.isTouchOrSafari && !at.hasUserActivation) {
    return {
      ...config,
      uiMode: config.uiMode === 'skip' ? 'drawer' : config.uiMode,
      behavior: 'requireClick',
    };
  }
  return config;
}

function isConfirmationRequest(request: string): request is ConfirmationRequest {
  return Object.hasOwn(CLASSES, request);
}

function isUiMode(value: string): value is UiMode {
  return value === 'skip' || value === 'modal' || value === 'drawer';
}

/** What this page is, as the browser tells. */
export function surroundings(): Surroundings {
  const isTouch = navigator.maxTouchPoints > 0 && matchMedia('(pointer: coarse)').matches;
  const isSafari =
    /safari/i.test(navigator.userAgent) && !/chrom|crios|android|edg/i.test(navigator.userAgent);
  return {
    isTouch,
    isTouchOrSafari: isTouch || isSafari,
    hasUserActivation: navigator.userActivation?.isActive ?? false,
    isEmbedded: globalThis.top !== globalThis.self,
  };
}
