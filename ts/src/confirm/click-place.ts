import type { ConfirmModel } from './port.js';

/** Where a confirmation takes its click. */
export interface ClickSurroundings {
  /** Whether this document is framed. */
  readonly isFramed: boolean;
  /** `tellsVisibility` of the click guard. */
  readonly tracksVisibility: boolean;
  /** The wallet's operator trusts the host not to deceive the user. */
  readonly isTrustedHost: boolean;
}

/**
 * 'popup' for everything that signs, exports or joins an account, where the page around the frame could cover it unnoticed:
 * no page can cover a separate window. A new account is confirmed in the frame: it takes nothing from the user, and the
 * browser lets a frame create its passkey only right after a click there.
 */
export function clickPlace(asked: ConfirmModel | 'export', at: ClickSurroundings): 'here' | 'popup' {
  if (!isCoverable(at)) return 'here';
  const isNewAccount = asked !== 'export' && asked.kind === 'registration' && asked.joining === undefined;
  return isNewAccount ? 'here' : 'popup';
}

/** Whether the page around the frame could cover it, and neither the browser nor the wallet's operator excludes that. */
function isCoverable({ isFramed, tracksVisibility, isTrustedHost }: ClickSurroundings): boolean {
  return isFramed && !tracksVisibility && !isTrustedHost;
}
