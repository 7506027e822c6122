/** The check of a client before the relay pays for it: the operator's hook, asked before money is reserved. */
import { messageOf } from 'latchkey/internal/server';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { Secret } from '../platform/secret.js';
import type { SpendMeter } from '../relayer/spend.js';
import type { SingleUse, SingleUses } from './single-use.js';

/** A registration whose proof the registry accepts, for a name that is free. */
export interface Signup {
  readonly accountId: string;
  /** `ed25519:` and base58 of 32 bytes: the new account's key. */
  readonly publicKey: string;
  /** The client's IP address; undefined if nothing shows one. */
  readonly address: string | undefined;
  /** What the app passed as `signupVoucher`. */
  readonly voucher: Secret | undefined;
}

export type SignupVerdict =
  | { readonly ok: true; readonly once?: SingleUse | undefined }
  /** `reason` reaches the client, as a sentence that says what to do. */
  | { readonly ok: false; readonly reason: string };

/** Decides whether the relay pays for a registration. A rejection, or no answer in time, refuses it. */
export type VerifySignup = (signup: Signup, signal: AbortSignal) => SignupVerdict | Promise<SignupVerdict>;

export interface SignupGate {
  /**
   * Asks what needs no record and no other server, before any node is asked. Rejects as `admit` does.
   */
  screen(signup: Signup): Promise<void>;
  /**
   * Asks the hook. Resolves with the meter on which the registration counts, too: it takes what may be used once.
   * Rejects with a {@link Refusal} `signup_refused` or `signup_unavailable`.
   */
  admit(signup: Signup): Promise<SpendMeter>;
}

export interface SignupGateOptions {
  readonly verify: VerifySignup;
  /** The part of the hook that this process decides alone, asked before any node. Default: none. */
  readonly screen?: VerifySignup | undefined;
  /** The record of what may be used once. */
  readonly uses: SingleUses;
  readonly log: Log;
  /** How long the hook may take. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 5000;
const MAX_REASON_LENGTH = 300;

export function createSignupGate({
  verify,
  screen,
  uses,
  log,
  timeoutMs = TIMEOUT_MS,
}: SignupGateOptions): SignupGate {
  const ask = async (hook: VerifySignup, signup: Signup) => {
    const verdict = await inTime(hook, signup, timeoutMs).catch((error: unknown) => {
      log.error('signup_unavailable', { reason: withoutVoucher(messageOf(error), signup) });
      const message =
        'The relay cannot check now who may register. Nothing was sent; try again in a few seconds.';
      throw new Refusal('signup_unavailable', message);
    });
    if (verdict.ok) return verdict.once;
    const reason = withoutVoucher(verdict.reason, signup).slice(0, MAX_REASON_LENGTH);
    throw new Refusal('signup_refused', `${reason} Nothing was sent.`);
  };
  return {
    async screen(signup) {
      if (screen) await ask(screen, signup);
    },
    async admit(signup) {
      const once = await ask(verify, signup);
      return once ? uses.meterOf(once, signup) : FREE;
    },
  };
}

const FREE: SpendMeter = { reserve: () => ({ commit: () => undefined, release: () => undefined }) };

/** The hook's verdict. Rejects after the timeout, even if the hook ignores its signal. */
async function inTime(verify: VerifySignup, signup: Signup, timeoutMs: number): Promise<SignupVerdict> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new Error(`verifySignup gave no answer in ${timeoutMs} ms`);
      reject(reason);
      stop.abort(reason);
    }, timeoutMs);
  });
  try {
    return await Promise.race([(async () => verify(signup, stop.signal))(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function withoutVoucher(text: string, { voucher }: Signup): string {
  return voucher ? text.replaceAll(voucher.reveal(), '[voucher]') : text;
}
