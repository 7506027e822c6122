/**
 * Turns a call of the facade into a request: covers the page while the user is needed, and runs the host's
 * callbacks.
 */
import { CANCELLED, errorFrom, HOST_ERROR, isLatchkeyError, LatchkeyError } from '../../errors/frame.js';
import { type FlowName, type FlowPhase, STEPS } from '../../events.js';
import { eventError, type Run, runFlow } from '../../flows/run.js';
import type { ActionResult, FlowOptions, Outcome } from '../../types.js';
import type { EndOf, MessageType, PayloadOf, Progress, ResultOf } from '../protocol/index.js';
import { overlayOn } from './overlay-phases.js';
import type { WalletFrame } from './wallet-frame.js';

export interface RequestOptions<T extends MessageType> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (report: Progress) => void;
  /** Receives the result of a sticky request, before its end. */
  readonly onResult?: (result: ResultOf<T>) => void;
}

export interface PortRequests {
  /** Resolves with the request's result. */
  ask<T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    options?: RequestOptions<T>,
  ): Promise<ResultOf<T>>;
  /** Resolves with the end of a sticky request, after its result. */
  askToEnd<T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    options?: RequestOptions<T>,
  ): Promise<EndOf<T>>;
}

const ERROR_PHASE: { readonly [F in FlowName]: FlowPhase<F> } = {
  registration: 'registration-error',
  login: 'login-error',
  action: 'action-error',
  recovery: 'account-recovery-error',
  linking: 'device-linking-error',
  export: 'export-error',
};

export function requestsOf(frame: WalletFrame): PortRequests {
  const send = async <T extends MessageType>(
    type: T,
    payload: PayloadOf<T>,
    { signal, onProgress, onResult }: RequestOptions<T>,
    untilEnd: boolean,
  ): Promise<ResultOf<T> | EndOf<T>> => {
    const byUser = new AbortController();
    const ending = signal ? AbortSignal.any([signal, byUser.signal]) : byUser.signal;
    const hold = frame.overlay.hold(() => byUser.abort(new LatchkeyError(CANCELLED)));
    const client = await unlessAborted(frame.connect(), ending);
    const { overlay } = client.policyOf(type);
    try {
      if (overlay === 'fullscreen') hold.show();
      return await new Promise<ResultOf<T> | EndOf<T>>((resolve, reject) => {
        const answered = untilEnd ? onResult : resolve;
        client
          .request(type, payload, {
            signal: ending,
            onProgress(report) {
              const change = overlay === 'none' ? undefined : overlayOn(report);
              if (change) hold[change]();
              onProgress?.(report);
            },
            onUi: (state) => (state === 'opened' ? hold.show() : hold.hide()),
            onEnd: (end) => (end.ok ? resolve(end.result) : reject(end.error)),
          })
          .then((result) => answered?.(result), reject);
      });
    } catch (error) {
      // A request that ended without an answer may be on a page that is gone.
      if (isLatchkeyError(error, 'REQUEST_TIMEOUT', 'CANCELLED')) void frame.doubt(client);
      throw error;
    } finally {
      hold.release();
    }
  };
  return {
    ask: (type, payload, options = {}) => send(type, payload, options, false) as Promise<never>,
    askToEnd: (type, payload, options = {}) => send(type, payload, options, true) as Promise<never>,
  };
}

/**
 * Runs a flow of the wallet page with the callbacks that stay in this one: `beforeCall` before the request, its
 * events, and `onError` and `afterCall` at its end. Resolves with the wallet's answer, whether the flow succeeded or
 * not; throws where the request did not arrive or its answer did not return.
 */
export function flowOver<F extends FlowName, R>(
  flow: F,
  options: FlowOptions<F, R>,
  request: (run: {
    readonly signal: AbortSignal;
    readonly onProgress: (report: Progress) => void;
  }) => Promise<R>,
): Promise<R> {
  let answered: { readonly result: R } | undefined;
  let toldError = false;
  const tell = (run: Run<F>, { phase, status, message = '', data, error }: Progress): void => {
    if (!Object.hasOwn(STEPS[flow], phase)) return;
    toldError ||= status === 'error';
    run.emit(phase as FlowPhase<F>, status, message, { ...(data && { data }), ...(error && { error }) });
  };
  return runFlow(
    flow,
    options,
    async (run) => {
      const result = await request({ signal: run.signal, onProgress: (report) => tell(run, report) });
      const failure = failureIn(result);
      if (!failure) return result;
      answered = { result };
      const { error = HOST_ERROR.text, errorCode: code = HOST_ERROR.code, errorValues: values } = failure;
      throw errorFrom({ code, message: error, values, details: detailsOf(failure, result) });
    },
    (error, run) => {
      if (answered) return answered.result;
      if (!toldError) run.emit(ERROR_PHASE[flow], 'error', error.message, eventError(error));
      throw error;
    },
  );
}

/** The failure in a result, or the first one in several. */
function failureIn(result: unknown): Outcome | undefined {
  const isFailure = (part: unknown): part is Outcome =>
    typeof part === 'object' && part !== null && (part as Partial<Outcome>).success === false;
  return [result].flat().find(isFailure);
}

/** What the result of a transaction tells besides its error; of a batch, the results of all. */
function detailsOf(
  { fate, transactionId, result: outcome }: Partial<ActionResult>,
  results: unknown,
): Readonly<Record<string, unknown>> {
  return {
    ...(fate && { fate }),
    ...(transactionId && { transactionId }),
    ...(outcome != null && { outcome }),
    ...(Array.isArray(results) && { results }),
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
