/** What every flow takes, and how it ends. */
import type { ErrorValues, LatchkeyError, LatchkeyErrorCode } from '../errors/latchkey-error.js';
import type { EventListener, FlowName } from '../events.js';
import type { ConfirmationWish } from './confirmation.js';

/** Options of every flow. */
export interface FlowOptions<F extends FlowName, Result> {
  readonly onEvent?: EventListener<F> | undefined;
  readonly onError?: ((error: LatchkeyError) => void) | undefined;
  /** Runs before the flow's first step; a rejection ends the flow. */
  readonly beforeCall?: (() => void | Promise<void>) | undefined;
  /** Runs after the flow's end, with its result when it succeeded. */
  readonly afterCall?: ((success: boolean, result?: Result) => void | Promise<void>) | undefined;
  /** Ends the flow: cancels running work and starts none that still waits. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the confirmation settings for this call. */
  readonly confirmationConfig?: ConfirmationWish | undefined;
}

/** How a flow ended: without success, it says why, in words and by code. */
export interface Outcome {
  readonly success: boolean;
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
  /** What fills the text of that code, for a catalogue in another language; absent where the words came from elsewhere. */
  readonly errorValues?: ErrorValues;
}
