/** The clients of a soak: what each one requests, how it behaves, and the answers it got. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type MadeRegistration, makeRegistrationAt } from '../../server/src/testing/registration.js';
import type { BlockView } from '../../ts/src/near/index.js';
import { type Random, randomOf } from './random.js';

export const KINDS = ['plain', 'impatient', 'twins', 'rivals', 'forged'] as const;

/**
 * - `plain` asks until it gets a definite answer.
 * - `impatient` gives up before an answer can arrive, and asks another relay.
 * - `twins` send one request several times concurrently.
 * - `rivals` are two people who request one name at the same time.
 * - `forged` has an invalid proof and must never succeed.
 */
export type Kind = (typeof KINDS)[number];

/** A client's request and its progress. */
export interface Wish {
  readonly kind: Kind;
  readonly accountId: string;
  readonly publicKey: string;
  readonly body: string;
  /** `open` until a relay reports success or refuses for good. */
  state: 'open' | 'granted' | 'refused';
  /** Every answer, in order: a status, `no answer`, `gave up`, or `silence` if a patient client timed out. */
  readonly answers: string[];
  /** The text of the last refusal. */
  lastError: string;
}

const MAX_ASKS = 10;
const WHOLE_PATIENCE_MS = 60_000;
// 400: the request is invalid. 409: the name is taken. Any other status may change on a later request.
const REFUSED_FOR_GOOD = new Set([400, 409]);

/** The most clients of one run. Keeps all names the same length. */
export const MAX_CLIENTS = 1_000_000;

/** The name that client `index` requests. */
export function nameOf(seed: number, index: number): string {
  return `soak-${seed.toString(36)}-${String(index).padStart(6, '0')}`;
}

/** The wishes of client `index`. The first clients cover each kind once. */
export function makeWishes(seed: number, index: number, block: BlockView): Wish[] {
  const random = randomOf(seed, `client ${index}`);
  const kind = KINDS[index] ?? random.pick(['plain', 'plain', 'plain', ...KINDS]);
  return wishesFor(kind, nameOf(seed, index), block);
}

/** The wishes of a client of this kind. Rivals are two wishes for one name. */
export function wishesFor(kind: Kind, name: string, block: BlockView): Wish[] {
  const requests = [makeRegistrationAt(block, name)];
  if (kind === 'rivals') requests.push(makeRegistrationAt(block, name));
  if (kind === 'forged') forge(requests);
  return requests.map((request) => ({
    kind,
    accountId: request.new_account_id,
    publicKey: request.new_public_key,
    body: JSON.stringify(request),
    state: 'open',
    answers: [],
    lastError: '',
  }));
}

function forge(requests: readonly MadeRegistration[]): void {
  for (const { vrf_data } of requests) vrf_data.vrf_proof[3]! ^= 1;
}

/** Runs the requests of client `index` in the way of its kind. May leave wishes open. */
export async function ask(
  seed: number,
  index: number,
  wishes: readonly Wish[],
  urls: readonly string[],
): Promise<void> {
  const random = randomOf(seed, `asks ${index}`);
  await Promise.all(wishes.map((wish) => askInItsWay(wish, random, urls)));
}

async function askInItsWay(wish: Wish, random: Random, urls: readonly string[]): Promise<void> {
  for (let turn = 0; turn < MAX_ASKS && wish.state === 'open'; turn += 1) {
    if (turn > 0) await sleep(random.between(50, 200 * 1.5 ** turn));
    const copies = wish.kind === 'twins' ? random.between(2, 3) : 1;
    const asks = Array.from({ length: copies }, () => {
      const isImpatient = wish.kind === 'impatient' && turn < 3;
      const patienceMs = isImpatient ? random.between(10, 1_500) : WHOLE_PATIENCE_MS;
      return askOnce(wish, random.pick(urls), patienceMs);
    });
    await Promise.all(asks);
  }
}

/** Sends one request to one relay. Success or refusal settles the wish; each twin may settle it. */
export async function askOnce(wish: Wish, url: string, patienceMs = WHOLE_PATIENCE_MS): Promise<void> {
  let status: number;
  let answer: { success?: boolean; error?: string; message?: string };
  try {
    const response = await fetch(new URL('/create_account_and_register_user', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: wish.body,
      signal: AbortSignal.timeout(patienceMs),
    });
    status = response.status;
    answer = (await response.json()) as typeof answer;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const isSilence = patienceMs === WHOLE_PATIENCE_MS;
    wish.answers.push(isTimeout ? (isSilence ? 'silence' : 'gave up') : 'no answer');
    return;
  }
  wish.answers.push(String(status));
  if (status === 200 && answer.success === true) {
    wish.state = 'granted';
    return;
  }
  wish.lastError = `${status} ${answer.error}: ${answer.message}`;
  // A granted wish stays granted; the audit checks it on the chain.
  if (REFUSED_FOR_GOOD.has(status) && wish.state === 'open') wish.state = 'refused';
}
