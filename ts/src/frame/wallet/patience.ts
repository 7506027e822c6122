/**
 * How long the user's patience with one host lasts: it pauses after several refusals in a row, and the user may tell it
 * to stop. Kept for the host in this origin's storage, because a host loads its frame again at will.
 */
import * as v from 'valibot';
import type { Confirmer } from '../../confirm/port.js';
import { HOST_PAUSED, HOST_STOPPED, isLatchkeyError, LatchkeyError } from '../../errors/frame.js';
import { failure } from '../../failed-results.js';
import type { Wallet } from '../../wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import { classifyWebAuthnError } from '../../webauthn/webauthn-error.js';
import {
  FIRST_PAUSE_MS,
  FORGOTTEN_AFTER_MS,
  LONGEST_PAUSE_MS,
  REFUSALS_IN_A_ROW,
  STOPPED_MS,
  WITHDRAWALS_IN_A_ROW,
} from './limits.js';
import { wrapEach } from './wrap-each.js';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const KeptSchema = v.object({
  refusals: count,
  withdrawals: count,
  /** When the last of them was; in milliseconds since 1970, like `until`. */
  at: count,
  /** The host may ask from then on. */
  until: count,
  isStopped: v.boolean(),
});
type Kept = v.InferOutput<typeof KeptSchema>;

const FRESH: Kept = { refusals: 0, withdrawals: 0, at: 0, until: 0, isStopped: false };

/** Begins the key of each host in this origin's local storage. */
export const ASKING_PREFIX = 'latchkey:asking:';

export class Patience {
  readonly #host: string;
  readonly #key: string;
  /** The questions that the user has not answered yet. */
  readonly #open = new Set<AbortController>();
  /** Stands in where the browser refuses storage. */
  #last = FRESH;

  constructor(host: string) {
    this.#host = host;
    this.#key = ASKING_PREFIX + host;
    // Another frame of the same host may have been refused.
    addEventListener('storage', ({ key }) => {
      if (key === this.#key || key === null) this.#endOpen();
    });
  }

  /** Whether the user told this host to stop. */
  get isStopped(): boolean {
    return this.#read().isStopped;
  }

  /** When this host may ask again, in milliseconds since 1970; undefined where it may ask now. */
  get silentUntil(): number | undefined {
    const { until } = this.#read();
    return until > Date.now() ? until : undefined;
  }

  /** Whether a question offers to stop: the host was refused before, or other questions of it are open. */
  get offersStop(): boolean {
    const { refusals, withdrawals } = this.#read();
    return refusals + withdrawals > 0 || this.#open.size > 1;
  }

  /** Throws HOST_STOPPED or HOST_PAUSED while the host may not ask. */
  assertMayAsk(): void {
    if (this.refusal) throw this.refusal;
  }

  /**
   * Asks the user unless the host may not. `ask` gets a signal that aborts when the host has to be silent before the
   * user has answered; this then rejects with the reason.
   */
  async asking<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.assertMayAsk();
    const open = new AbortController();
    this.#open.add(open);
    try {
      const answer = await ask(open.signal);
      open.signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw open.signal.aborted ? open.signal.reason : error;
    } finally {
      this.#open.delete(open);
    }
  }

  /** The user agreed to a request. */
  agreed(): void {
    this.#keep(FRESH);
  }

  /** The user refused a request. */
  refused(): void {
    const { refusals, withdrawals } = this.#read();
    const over = refusals + 1 - REFUSALS_IN_A_ROW;
    this.#count({ refusals: refusals + 1, withdrawals }, over);
  }

  /** The host, or a time limit, ended a question before the user answered. */
  withdrawn(): void {
    const { refusals, withdrawals } = this.#read();
    const over = withdrawals + 1 - WITHDRAWALS_IN_A_ROW;
    this.#count({ refusals, withdrawals: withdrawals + 1 }, over);
  }

  /** The user wants no more questions of this host. */
  stop(): void {
    const now = Date.now();
    this.#keep({ ...FRESH, at: now, until: now + STOPPED_MS, isStopped: true });
    this.#endOpen();
  }

  /** The user lets the host ask again. */
  allow(): void {
    this.#keep(FRESH);
  }

  /** `over`: how many are above the limit; negative below it. */
  #count(counts: Pick<Kept, 'refusals' | 'withdrawals'>, over: number): void {
    const now = Date.now();
    const pauseMs = over < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** over, LONGEST_PAUSE_MS);
    const until = Math.max(this.#read().until, now + pauseMs);
    this.#keep({ ...counts, at: now, until, isStopped: false });
    if (over >= 0) this.#endOpen();
  }

  #endOpen(): void {
    const error = this.refusal;
    if (!error) return;
    for (const open of this.#open) open.abort(error);
  }

  /** HOST_STOPPED or HOST_PAUSED while the host may not ask. */
  get refusal(): LatchkeyError | undefined {
    const { until, isStopped } = this.#read();
    const waitMs = until - Date.now();
    if (waitMs <= 0) return undefined;
    const seconds = Math.ceil(waitMs / 1000);
    const values = { origin: this.#host, seconds };
    return new LatchkeyError(isStopped ? HOST_STOPPED : HOST_PAUSED, { values, details: { seconds } });
  }

  #read(): Kept {
    let kept = this.#last;
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? 'null');
      kept = v.is(KeptSchema, stored) ? stored : FRESH;
    } catch {
      // The browser refuses storage: this page's own memory counts.
    }
    const now = Date.now();
    // A pause from a clock that was ahead ends too.
    const isOver = now >= kept.until || kept.until - now > STOPPED_MS;
    return isOver && (kept.isStopped || now - kept.at >= FORGOTTEN_AFTER_MS) ? FRESH : kept;
  }

  #keep(kept: Kept): void {
    this.#last = kept;
    try {
      localStorage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // As above.
    }
  }
}

/** Asks the user only as long as the patience lasts, and counts the answers. */
export function patientConfirmer(confirmer: Confirmer, patience: Patience): Confirmer {
  return wrapEach(confirmer, {
    show: (show) => async (model, signal) => {
      const decision = await patience.asking((over) => {
        const offer = { ...model, ...(patience.offersStop && { offersStop: true }) };
        return show(offer, AbortSignal.any([signal, over]));
      });
      if (decision === 'stop') patience.stop();
      else if (decision === 'cancel') patience[signal.aborted ? 'withdrawn' : 'refused']();
      // A request that proceeds by itself got no answer of the user.
      else if (model.behavior === 'requireClick') patience.agreed();
      return decision;
    },
    wait: (wait) => async (model, signal) => {
      await patience.asking((over) => wait(model, AbortSignal.any([signal, over])));
      if (!signal.aborted) patience.refused();
    },
    viewerLook: (look) => look,
    errorText: (text) => text,
    choose: (choose) => async (model, signal) => {
      const choice = await patience.asking((over) => {
        const offer = { ...model, ...(patience.offersStop && { offersStop: true }) };
        return choose(offer, AbortSignal.any([signal, over]));
      });
      if (choice.kind === 'stop') patience.stop();
      else if (choice.kind === 'cancel') patience[signal.aborted ? 'withdrawn' : 'refused']();
      return choice;
    },
    scan: (scan) => async (model, signal) => {
      try {
        return await patience.asking((over) => scan(model, AbortSignal.any([signal, over])));
      } catch (error) {
        if (signal.aborted) patience.withdrawn();
        else if (isLatchkeyError(error, 'CANCELLED')) patience.refused();
        throw error;
      }
    },
  });
}

/** The same for passkey prompts: a login has one without a confirmation. */
export function patientCredentials(credentials: Credentials, patience: Patience): Credentials {
  const ask = async <T>(signal: AbortSignal, prompt: () => Promise<T>): Promise<T> => {
    patience.assertMayAsk();
    try {
      const answer = await prompt();
      patience.agreed();
      return answer;
    } catch (error) {
      if (signal.aborted) patience.withdrawn();
      else if (classifyWebAuthnError(error, '').code === 'CANCELLED') patience.refused();
      throw error;
    }
  };
  return {
    ...credentials,
    create: (publicKey, signal) => ask(signal, () => credentials.create(publicKey, signal)),
    get: (publicKey, signal) => ask(signal, () => credentials.get(publicKey, signal)),
  };
}

/**
 * Lets the host log in with names that it was never introduced to only as long as the patience lasts, and counts each one
 * that this browser does not know like a question that the host took back. Otherwise a host could try names until one
 * brings a prompt.
 */
export function patientLogin(wallet: Wallet, patience: Patience): Wallet {
  const login: Wallet['loginPasskey'] = async (accountId, options) => {
    const { nearAccountId } = await wallet.getLoginState(accountId);
    const error = nearAccountId === null ? patience.refusal : undefined;
    if (error) {
      const nobody = { nearAccountId: null, loggedInNearAccountId: null, clientNearPublicKey: null };
      return { ...failure(error), ...nobody };
    }
    const result = await wallet.loginPasskey(accountId, options);
    if (result.errorCode === 'NO_LOCAL_ACCOUNT') patience.withdrawn();
    return result;
  };
  return new Proxy(wallet, {
    get: (target, name): unknown => (name === 'loginPasskey' ? login : Reflect.get(target, name)),
  });
}
