/** How a call of the facade fails: its callbacks hear of it, and it resolves or rejects as its type says. */
import { type LatchkeyError, toLatchkeyError } from './errors/core.js';
import type { FlowOptions, Outcome } from './types.js';
import { type CallArgs, type CallName, failsWith, type ResolvingCall } from './wallet.js';

type Callbacks = Pick<FlowOptions<'action', unknown>, 'onError' | 'afterCall'>;

/** Loads the failed result of a call's type. */
export type FailedResultLoader = (
  call: ResolvingCall,
  args: CallArgs<CallName>,
  error: LatchkeyError,
) => Promise<Outcome | readonly Outcome[]>;

/** The errors that a flow or a call has told its caller's `onError`. */
const told = new WeakSet<LatchkeyError>();

/** Tells `onError`. */
export async function tellFailure(
  error: LatchkeyError,
  { onError }: Pick<Callbacks, 'onError'>,
): Promise<void> {
  told.add(error);
  await reported(() => onError?.(error));
}

/** A callback's error does not change the outcome; it is reported like an event listener's. */
export async function reported(callback: () => void | Promise<void>): Promise<void> {
  try {
    await callback();
  } catch (error) {
    reportError(error);
  }
}

/**
 * Resolves with the failed result of the call's type, with one for each part of the request, or rejects. Its callbacks hear
 * of what fails outside of its flow, such as code that does not load.
 */
export async function failedCall(
  call: CallName,
  args: CallArgs<CallName>,
  thrown: unknown,
  failedResult: FailedResultLoader,
): Promise<unknown> {
  const error = toLatchkeyError(thrown);
  if (!told.has(error)) {
    const last = args.at(-1) as ({ readonly options?: Callbacks } & Callbacks) | null | undefined;
    const options = last?.options ?? last ?? {};
    await tellFailure(error, options);
    await reported(() => options.afterCall?.(false));
  }
  const by = failsWith(call);
  if (by === 'rejection') throw error;
  try {
    return await failedResult(call as never, args, error);
  } catch {
    // The code of the results does not load either, for lack of a network.
    const outcome = { success: false, error: error.message, errorCode: error.code };
    return by === 'results' ? [outcome] : outcome;
  }
}
