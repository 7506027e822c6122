/** The confirmation of one approval: shows it, gets the answer, stays during the passkey prompt, and goes away. */
import {
  CANCELLED,
  cancelledBy,
  isLatchkeyError,
  LatchkeyError,
  MODAL_TIMEOUT,
  NO_CONFIRMER,
  USER_CANCELLED_REGISTRATION,
} from '../errors/wallet.js';
import type { ConfirmationConfig } from '../types.js';
import { decideAnotherTry } from './decide.js';
import type { Confirmer, ConfirmModel, Decision, RetryReason } from './port.js';

/** How long a user may take in a confirmer: far longer than a worker may. */
const PERSON_LIMIT_MS = 5 * 60_000;
/** More tries than a user makes: a confirmer that clicks by itself must not prompt without end. */
const MAX_TRIES = 10;

/** A model without the fields that {@link Confirmation} adds. */
export type Shown = ConfirmModel extends infer Model
  ? Model extends ConfirmModel
    ? Omit<Model, 'uiMode' | 'behavior' | 'autoProceedDelayMs' | 'theme' | 'retry' | 'error'>
    : never
  : never;

export class Confirmation {
  readonly #confirmer: Confirmer | null;
  readonly #config: ConfirmationConfig;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;

  /** `config` is what {@link decideConfirmation} decided. `signal` ends the wait for a user with CANCELLED. */
  constructor(confirmer: Confirmer | null, config: ConfirmationConfig, signal: AbortSignal) {
    if (config.uiMode !== 'skip' && !confirmer) throw new LatchkeyError(NO_CONFIRMER);
    this.#confirmer = confirmer;
    this.#config = config;
    this.#signal = signal;
  }

  /**
   * Gets the user's yes, then runs `attempt`, which asks for the passkey. If the prompt was refused or timed out, the
   * confirmer offers another try: a fresh click, never a second prompt without one.
   */
  async approve<T>(shown: Shown, attempt: () => Promise<T>): Promise<T> {
    let failed: LatchkeyError | undefined;
    for (let tries = 1; ; tries += 1) {
      await this.#confirm(shown, failed);
      try {
        return await attempt();
      } catch (error) {
        if (tries === MAX_TRIES || !this.#mayRetry(error)) throw error;
        failed = error;
      }
    }
  }

  /** Closes the surface. */
  close(): void {
    this.#closing.abort();
  }

  #mayRetry(error: unknown): error is LatchkeyError {
    if (this.#config.uiMode === 'skip' || this.#signal.aborted) return false;
    return isLatchkeyError(error) && retryReason(error) !== undefined;
  }

  async #confirm(shown: Shown, failed: LatchkeyError | undefined): Promise<void> {
    const decided = failed ? decideAnotherTry(this.#config) : this.#config;
    const { uiMode, behavior, autoProceedDelayMs, theme } = decided;
    if (this.#signal.aborted) throw cancelledBy(this.#signal);
    if (uiMode === 'skip' || !this.#confirmer) return;

    const retry = failed && retryReason(failed);
    const model: ConfirmModel = {
      ...shown,
      uiMode,
      behavior,
      autoProceedDelayMs,
      theme,
      ...(retry && { retry }),
      ...(failed && { error: await retryText(failed, this.#confirmer) }),
    };
    const decision = this.#confirmer.show(model, AbortSignal.any([this.#closing.signal, this.#signal]));
    const limitMs = behavior === 'autoProceed' ? autoProceedDelayMs : PERSON_LIMIT_MS;
    const outcome = await firstOf(decision, limitMs, this.#signal);
    if (outcome === 'confirm' || (outcome === 'elapsed' && behavior === 'autoProceed')) return;
    if (outcome === 'elapsed')
      throw new LatchkeyError(MODAL_TIMEOUT, { values: { seconds: limitMs / 1000 } });
    throw this.#signal.aborted ? cancelledBy(this.#signal) : declined(shown);
  }
}

/** The user said no in the confirmation. */
function declined({ kind }: Shown): LatchkeyError {
  const cause = kind === 'registration' ? new LatchkeyError(USER_CANCELLED_REGISTRATION) : undefined;
  return new LatchkeyError(CANCELLED, { cause });
}

/** Why another try may help, or undefined when it cannot. */
export function retryReason(error: LatchkeyError): RetryReason | undefined {
  switch (error.code) {
    case 'CANCELLED':
      return error.details.timedOut ? 'timeout' : 'cancelled';
    case 'WORKER_TIMEOUT':
      return 'timeout';
    case 'PAGE_NOT_FOCUSED':
      return 'focus';
    case 'REQUEST_PENDING':
      return 'pending';
    case 'VRF_BOOTSTRAP_FAILED':
    case 'VRF_CHALLENGE_FAILED':
      return isLatchkeyError(error.cause, 'WORKER_TIMEOUT') ? 'timeout' : undefined;
    case 'NEAR_RPC_FAILED':
    case 'VRF_REFRESH_FAILED':
    case 'WEBAUTHN_FAILED':
    case 'ANOTHER_PASSKEY':
      return 'failed';
    case 'PRF_MISSING':
      return error.details.again ? 'failed' : undefined;
    case 'USER_NOT_VERIFIED':
      return error.details.again ? 'unverified' : undefined;
    default:
      return undefined;
  }
}

/** The text shown with the offer of another try, in the confirmer's language. */
export async function retryText(
  error: LatchkeyError,
  confirmer: Pick<Confirmer, 'errorText'> | null,
): Promise<string> {
  const told =
    retryReason(error) === 'timeout' ? new LatchkeyError(MODAL_TIMEOUT, { values: { seconds: 60 } }) : error;
  return (await confirmer?.errorText?.(told).catch(() => undefined)) ?? told.message;
}

/** The decision, or 'elapsed' after so many milliseconds, or 'cancel' when the signal aborts. */
function firstOf(decision: Promise<Decision>, limitMs: number, signal: AbortSignal) {
  return new Promise<Decision | 'elapsed'>((resolve, reject) => {
    const timer = setTimeout(() => settle('elapsed'), limitMs);
    const onAbort = (): void => settle('cancel');
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const settle = (outcome: Decision | 'elapsed'): void => {
      stopWaiting();
      resolve(outcome);
    };
    signal.addEventListener('abort', onAbort);
    decision.then(settle, (error) => {
      stopWaiting();
      reject(error);
    });
  });
}
