/** The relay's routes that the page calls. Only the VRF worker calls the two lock routes. */
import * as v from 'valibot';
import { readBounded } from '../bounded-body.js';
import {
  LatchkeyError,
  messageOf,
  RELAY_REFUSED,
  RELAY_UNREACHABLE,
  SERVER_LOCK_FAILED,
} from '../errors/wallet.js';

/** The relay answers after the chain's finality. */
const REGISTER_TIMEOUT_MS = 60_000;
const KEY_INFO_TIMEOUT_MS = 3_000;
const PROBE_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT = 408;
/** Far more than any answer needs. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 300;
/** 5xx codes with which the relay reports that it sent nothing, or that the chain did not accept it. */
const NOTHING_CREATED: readonly unknown[] = [
  'chain_unreachable',
  'not_ready',
  'relayer_unfunded',
  'signup_unavailable',
  'too_many_requests',
];

/** 5xx codes that settle the outcome of what the relay pays for. */
const SETTLED: readonly unknown[] = ['delegate_failed', 'chain_rejected'];

const RegisterAnswer = v.looseObject({
  success: v.optional(v.boolean()),
  transactionHash: v.optional(v.nullable(v.string())),
  error: v.optional(v.nullable(v.string())),
  message: v.optional(v.nullable(v.string())),
});

const KeyInfo = v.looseObject({
  currentKeyId: v.nullable(v.string()),
  p_b64u: v.string(),
  graceKeyIds: v.optional(v.array(v.string())),
});

export type KeyInfo = v.InferOutput<typeof KeyInfo>;

export interface FundAppKeyBody {
  readonly account_id: string;
  readonly public_key: string;
  /** yoctoNEAR. */
  readonly amount: string;
  readonly signup_voucher: string;
}

export interface RelayClient {
  /**
   * Asks the relay to create the account. Throws RELAY_REFUSED when the relay says that it created nothing, and
   * RELAY_UNREACHABLE otherwise: the account may then exist.
   */
  createAccountAndRegisterUser(
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly transactionHash: string | null }>;
  /**
   * Asks the relay to submit a signed delegate (NEP-366). Throws RELAY_REFUSED when the relay gives a reason (its
   * code in `details.relayCode`), and RELAY_UNREACHABLE when the outcome is unknown.
   */
  sendSignedDelegate(
    body: { readonly hash: string; readonly signedDelegate: string },
    signal: AbortSignal,
  ): Promise<{ readonly transactionHash: string }>;
  /**
   * Asks the relay to pay `amount` yoctoNEAR into a gas key of the account. Throws as {@link sendSignedDelegate} does; the same body,
   * asked again, is paid for once.
   */
  fundAppKey(body: FundAppKeyBody, signal: AbortSignal): Promise<{ readonly transactionHash: string }>;
  keyInfo(signal: AbortSignal): Promise<KeyInfo>;
  /** Whether the relay answers at all. */
  isReachable(signal: AbortSignal): Promise<boolean>;
}

export function createRelayClient(url: string, lockUrl: string = url): RelayClient {
  /** Asks for a transaction that the relay pays for. */
  async function pay(
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly transactionHash: string }> {
    const response = await request(url + path, signal, REGISTER_TIMEOUT_MS, body);
    const answer = v.safeParse(RegisterAnswer, response.body);
    const { success, transactionHash, error, message } = answer.success ? answer.output : {};
    if (response.ok && success === true && transactionHash) return { transactionHash };
    const { status } = response;
    const reason = (message ?? error ?? `HTTP ${status}`).slice(0, MAX_REASON_LENGTH);
    const isSettled = isRefusal(status, success, error) || SETTLED.includes(error);
    throw new LatchkeyError(isSettled ? RELAY_REFUSED : RELAY_UNREACHABLE, {
      values: { reason },
      details: {
        status,
        ...(error && { relayCode: error }),
        ...(transactionHash && { transactionId: transactionHash }),
      },
    });
  }

  return {
    async createAccountAndRegisterUser(body, signal) {
      const response = await request(
        `${url}/create_account_and_register_user`,
        signal,
        REGISTER_TIMEOUT_MS,
        body,
      );
      const answer = v.safeParse(RegisterAnswer, response.body);
      const { success, transactionHash, error, message } = answer.success ? answer.output : {};
      if (response.ok && success === true) return { transactionHash: transactionHash ?? null };
      const { status } = response;
      // The relay's `error` is a code for programs, its `message` a sentence for users.
      const reason = (message ?? error ?? `HTTP ${status}`).slice(0, MAX_REASON_LENGTH);
      const text = isRefusal(status, success, error) ? RELAY_REFUSED : RELAY_UNREACHABLE;
      throw new LatchkeyError(text, { values: { reason }, details: { status } });
    },

    sendSignedDelegate: (body, signal) => pay('/signed-delegate', body, signal),
    fundAppKey: (body, signal) => pay('/fund-app-key', body, signal),

    async keyInfo(signal) {
      const response = await request(`${lockUrl}/shamir/key-info`, signal, KEY_INFO_TIMEOUT_MS);
      const info = v.safeParse(KeyInfo, response.body);
      if (!response.ok || !info.success) {
        throw new LatchkeyError(SERVER_LOCK_FAILED, { values: { reason: `HTTP ${response.status}` } });
      }
      return info.output;
    },

    async isReachable(signal) {
      try {
        await request(`${url}/healthz`, signal, PROBE_TIMEOUT_MS);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Whether the answer is a definite no. A gateway, or a failing relay, cannot vouch for a request it passed on. */
function isRefusal(status: number, success: boolean | undefined, error: unknown): boolean {
  if (status >= 500) return success === false && NOTHING_CREATED.includes(error);
  if (status === REQUEST_TIMEOUT) return false;
  return status >= 400 || success === false;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  /** Parsed JSON; undefined if it is not JSON or too long. */
  readonly body: unknown;
}

async function request(url: string, signal: AbortSignal, timeoutMs: number, body?: unknown): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return {
      ok: response.ok,
      status: response.status,
      body: parse(await readBounded(response, MAX_ANSWER_BYTES)),
    };
  } catch (error) {
    // Whoever ended a read knows why. What was posted may have had an effect.
    if (body === undefined) signal.throwIfAborted();
    const reason = await import('./why-unreachable.js').then(
      ({ whyUnreachable }) => whyUnreachable(url, error, signal),
      () => messageOf(error),
    );
    throw new LatchkeyError(RELAY_UNREACHABLE, { values: { reason }, cause: error });
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
