/** What every flow shares: its events, its signal, the host's callbacks, and one end. */
import { reported, tellFailure } from '../call-failure.js';
import {
  CANCELLED,
  isCancellation,
  LatchkeyError,
  LOGIN_CANCELLED,
  PRF_MISSING,
  REGISTRATION_CANCELLED,
  toLatchkeyError,
} from '../errors/core.js';
import { orOffline } from '../errors/offline.js';
import { createEmitter, type Emit, type FlowName } from '../events.js';
import type { FlowOptions } from '../types.js';
import { assertWaits, type Waits } from './check-wait.js';

export interface Run<F extends FlowName> {
  readonly emit: Emit<F>;
  /** Aborts when the host ends the flow, always with CANCELLED. */
  readonly signal: AbortSignal;
}

const OPERATION = {
  registration: 'Registration',
  login: 'Login',
  action: 'Operation',
  recovery: 'Recovery',
  linking: 'Device linking',
  export: 'Key export',
} as const;
const CANCELLED_IN = {
  registration: REGISTRATION_CANCELLED,
  login: LOGIN_CANCELLED,
  action: CANCELLED,
  recovery: CANCELLED,
  linking: CANCELLED,
  export: CANCELLED,
} as const;

/**
 * Runs a flow. When the flow did not succeed, `failed` makes its result, or throws; `inWords` is for a flow with its
 * own words for failures.
 */
export async function runFlow<F extends FlowName, R>(
  flow: F,
  options: FlowOptions<F, R> & Waits,
  body: (run: Run<F>) => Promise<R>,
  failed: (error: LatchkeyError, run: Run<F>) => R,
  inWords: (error: LatchkeyError) => LatchkeyError = (error) => error,
): Promise<R> {
  const ending = new AbortController();
  const run: Run<F> = { emit: createEmitter(flow, options.onEvent), signal: ending.signal };
  const end = (): void => ending.abort(new LatchkeyError(CANCELLED, { cause: options.signal?.reason }));
  if (options.signal?.aborted) end();
  options.signal?.addEventListener('abort', end, { once: true });
  let result: R;
  try {
    assertWaits(options);
    await options.beforeCall?.();
    run.signal.throwIfAborted();
    result = await body(run);
  } catch (thrown) {
    const error = inWords(inWordsOf(flow, thrown));
    await tellFailure(error, options);
    try {
      return failed(error, run);
    } finally {
      await reported(() => options.afterCall?.(false));
    }
  } finally {
    options.signal?.removeEventListener('abort', end);
  }
  await reported(() => options.afterCall?.(true, result));
  return result;
}

/** The error in this flow's words. */
function inWordsOf(flow: FlowName, thrown: unknown): LatchkeyError {
  const error = toLatchkeyError(thrown, OPERATION[flow]);
  const { cause, details } = error;
  if (isCancellation(error) && error.code !== CANCELLED_IN[flow].code) {
    return new LatchkeyError(CANCELLED_IN[flow], { cause: error, details });
  }
  if (error.code === 'PRF_MISSING') {
    return new LatchkeyError(PRF_MISSING, { values: { operation: OPERATION[flow] }, cause, details });
  }
  return orOffline(error);
}

/** The part of an event that says what went wrong. */
export function eventError(error: LatchkeyError) {
  const { code, message, values } = error;
  return { error: { code, message, ...(values && { values }) } };
}
