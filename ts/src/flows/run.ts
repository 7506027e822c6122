/** What every flow shares: its events, its signal, the host's callbacks, and one end. */
import { type LatchkeyError, toLatchkeyError } from '../errors.js';
import { createEmitter, type Emit, type FlowName } from '../events.js';
import type { FlowOptions, Outcome } from '../types.js';

export interface Run<F extends FlowName> {
  readonly emit: Emit<F>;
  /** Aborts when the host ends the flow. */
  readonly signal: AbortSignal;
}

const OPERATION = { registration: 'Registration', login: 'Login', action: 'Operation' } as const;

/** Runs a flow. `failed` makes its result, or throws, when the flow did not succeed. */
export async function runFlow<F extends FlowName, R>(
  flow: F,
  options: FlowOptions<F, R>,
  body: (run: Run<F>) => Promise<R>,
  failed: (error: LatchkeyError, run: Run<F>) => R,
): Promise<R> {
  const run: Run<F> = {
    emit: createEmitter(flow, options.onEvent),
    signal: options.signal ?? new AbortController().signal,
  };
  let result: R;
  try {
    await options.beforeCall?.();
    run.signal.throwIfAborted();
    result = await body(run);
  } catch (thrown) {
    const error = toLatchkeyError(thrown, OPERATION[flow]);
    options.onError?.(error);
    try {
      return failed(error, run);
    } finally {
      await options.afterCall?.(false);
    }
  }
  await options.afterCall?.(true, result);
  return result;
}

/** The part of a result that says what went wrong. */
export function failure(error: LatchkeyError): Outcome & { readonly error: string } {
  return { success: false, error: error.message, errorCode: error.code };
}

/** The same for an event. */
export function eventError(error: LatchkeyError) {
  return { error: { code: error.code, message: error.message } };
}
