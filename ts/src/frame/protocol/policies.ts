/** How the frame behaves for a message: whether it covers the page, needs a click, or outlives the result. */
import { type ErrorText, RECOVERY_FAILED } from '../../errors/wallet.js';
import type { FlowName } from '../../events.js';

export interface Policy {
  /** Whether the frame covers the page for all of the request, while its phase needs the user, or not at all. */
  readonly overlay: 'fullscreen' | 'by-phase' | 'none';
  /** Whether it needs a click in the wallet's own UI, whatever a host sets. */
  readonly click: 'always' | 'by-content' | 'never';
  /** Its UI and its events outlive the result. */
  readonly sticky?: true;
  /** It sends to the chain: without an answer, its outcome is unknown. */
  readonly sends?: true;
  /** The flow whose events its PROGRESS carries. A flow can be cancelled. */
  readonly flow?: FlowName;
  /** The error of a failure that has none of its own; HOST_ERROR where absent. */
  readonly failure?: ErrorText;
  /** Answered by PONG. */
  readonly pong?: true;
}

// The policies that several messages share.
export const quiet = { overlay: 'none', click: 'never' } as const satisfies Policy;
export const pong = { ...quiet, pong: true } as const satisfies Policy;
export const recovering = {
  overlay: 'by-phase',
  click: 'never',
  flow: 'recovery',
  failure: RECOVERY_FAILED,
} as const satisfies Policy;
export const signing = {
  overlay: 'fullscreen',
  click: 'by-content',
  flow: 'action',
} as const satisfies Policy;
export const sending = { ...signing, sends: true } as const satisfies Policy;
export const byPhase = { overlay: 'by-phase', click: 'always' } as const satisfies Policy;
