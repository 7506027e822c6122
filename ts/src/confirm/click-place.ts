import { needsClickAlways } from './decide.js';
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
 * 'popup' for requests that give the account away (a key with full access, the deletion of a key or of the account,
 * linking, export) where the page around the frame could cover it unnoticed: no page can cover a separate window.
 */
export function clickPlace(asked: ConfirmModel | 'export', at: ClickSurroundings): 'here' | 'popup' {
  if (!at.isFramed || at.tracksVisibility || at.isTrustedHost) return 'here';
  return asked === 'export' || givesAccountAway(asked) ? 'popup' : 'here';
}

function givesAccountAway(asked: ConfirmModel): boolean {
  if (asked.kind === 'registration') return asked.joining !== undefined;
  return asked.kind === 'transactions' && needsClickAlways(asked.transactions);
}
