/**
 * The check of a client before the relay pays for it: the operator's hook, asked before money is reserved, and the
 * record of the vouchers that pay only once.
 */
import { messageOf } from '../../errors/index.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../observe/log.js';
import type { Secret } from '../platform/secret.js';
import type { RelayRecord } from '../relayer/record.js';
import type { SpendMeter } from '../relayer/spend.js';
import { shortHash } from './hash.js';

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

/** Something that pays for one registration only. */
export interface SingleUse {
  /** Unique among all that the hook accepts. The record holds only its hash. */
  readonly id: string;
  /** When the hook refuses it by itself, in milliseconds since 1970: the relay remembers it until then. */
  readonly expiresAtMs: number;
}

export type SignupVerdict =
  | { readonly ok: true; readonly once?: SingleUse }
  /** `reason` reaches the client, as a sentence that says what to do. */
  | { readonly ok: false; readonly reason: string };

/** Decides whether the relay pays for a registration. A rejection, or no answer in time, refuses it. */
export type VerifySignup = (signup: Signup, signal: AbortSignal) => SignupVerdict | Promise<SignupVerdict>;

export interface SignupGate {
  /**
   * Asks the hook. Resolves with the meter on which the registration counts, too: it takes what may be used once.
   * Rejects with a {@link Refusal} `signup_refused` or `signup_unavailable`.
   */
  admit(signup: Signup): Promise<SpendMeter>;
}

export interface SignupGateOptions {
  readonly verify: VerifySignup;
  readonly record: RelayRecord;
  readonly log: Log;
  /** How long the hook may take. Default 5000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
const MAX_REASON_LENGTH = 300;

export function createSignupGate({
  verify,
  record,
  log,
  timeoutMs = TIMEOUT_MS,
}: SignupGateOptions): SignupGate {
  const used = new UsedOnce(record);
  return {
    async admit(signup) {
      const verdict = await inTime(verify, signup, timeoutMs).catch((error: unknown) => {
        log.error('signup_unavailable', { reason: withoutVoucher(messageOf(error), signup) });
        const message =
          'The relay cannot check now who may register. Nothing was sent; try again in a few seconds.';
        throw new Refusal('signup_unavailable', message);
      });
      if (!verdict.ok) {
        const reason = withoutVoucher(verdict.reason, signup).slice(0, MAX_REASON_LENGTH);
        throw new Refusal('signup_refused', `${reason} Nothing was sent.`);
      }
      return verdict.once ? used.meterOf(verdict.once, signup) : FREE;
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

/** Whose registration holds the voucher, until the chain reports its end. */
interface Use {
  readonly expiresAtMs: number;
  /** The hash of account and key. Null once the registration's outcome is known: the voucher is used up. */
  holder: string | null;
  /** Reservations of the holder that may still cost money. */
  open: number;
}

const PREFIX = 'used:';
/** A voucher that was checked before its expiry may reach its reservation after it. */
const KEPT_LONGER_MS = 600_000;

/**
 * The used vouchers, until they expire. A use follows its reservation of money: the outcome makes it final, and a
 * transaction that was never sent gives it back. Until then only the same registration may use it again.
 */
class UsedOnce {
  readonly #record: RelayRecord;
  readonly #uses = new Map<string, Use>();

  constructor(record: RelayRecord) {
    this.#record = record;
    for (const [id, text] of record.entries(PREFIX)) {
      const [expiresAtMs, holder = null] = text.split(' ');
      // The former process's reservation may still cost money, and nothing ends it now.
      this.#uses.set(id, { expiresAtMs: Number(expiresAtMs), holder, open: 1 });
    }
  }

  meterOf({ id, expiresAtMs }: SingleUse, { accountId, publicKey }: Signup): SpendMeter {
    return {
      reserve: async () => {
        const [key, holder] = await Promise.all([shortHash(id), shortHash(`${accountId}|${publicKey}`)]);
        this.#forget();
        const use = this.#uses.get(key) ?? { expiresAtMs, holder, open: 0 };
        if (use.holder !== holder) {
          const message = 'This voucher has been used. Nothing was sent; ask the app for another.';
          throw new Refusal('signup_refused', message);
        }
        use.open += 1;
        this.#keep(key, use);
        return {
          commit: () => {
            use.holder = null;
            this.#keep(key, use);
          },
          release: () => {
            use.open -= 1;
            if (use.open === 0 && use.holder !== null) this.#drop(key);
          },
        };
      },
    };
  }

  #keep(key: string, use: Use): void {
    this.#uses.set(key, use);
    const { expiresAtMs, holder } = use;
    this.#record.write(PREFIX + key, holder === null ? `${expiresAtMs}` : `${expiresAtMs} ${holder}`);
  }

  #drop(key: string): void {
    this.#uses.delete(key);
    this.#record.write(PREFIX + key, null);
  }

  #forget(): void {
    const now = this.#record.now();
    for (const [key, { expiresAtMs }] of this.#uses) if (expiresAtMs + KEPT_LONGER_MS < now) this.#drop(key);
  }
}
