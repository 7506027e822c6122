/**
 * Asks nodes of several providers one security-relevant question, so that no single node can lie unnoticed.
 *
 * Nodes lag, so two honest answers may differ. Answers are therefore compared at the same block: if they differ, the
 * node that is ahead is asked again for the block of the one behind, and the answers at that block must match.
 */

import { base64 } from '@scure/base';
import { LatchkeyError, RPC_DISAGREEMENT } from '../errors/core.js';
import { sleep } from '../sleep.js';
import {
  type AccessKeyList,
  type AccessKeyView,
  type AccountView,
  type Answer,
  type CallResult,
  type Place,
  placeOf,
  placeOfFailure,
} from './rpc-answer.js';
import { isFinalAnswer, rpcError, rpcFailure } from './rpc-error.js';

const ROUNDS = 3;
const PAUSE_MS = 500;
/** Rejects a node further behind: otherwise an old block, presented as the newest, could pass as agreed. */
export const MAX_LAG_BLOCKS = 100;

export interface AgreedQuestion<N, T> {
  /** Asked in this order. */
  readonly nodes: readonly N[];
  /** Number of nodes that must give the same answer. */
  readonly agreement: number;
  /** Asks one node for its newest final block, or for the block at a height. */
  readonly ask: (node: N, atHeight: number | undefined) => Promise<T>;
  /** The part of an answer that must match; the rest may differ. */
  readonly essence: (value: T) => unknown;
  readonly placeOf: (value: T) => Place;
  readonly signal?: AbortSignal | undefined;
}

/** One node's answer, or the final refusal it returned for the chain. */
interface Said<N, T> {
  readonly node: N;
  readonly essence: string;
  readonly place: Place | undefined;
  /** Returns the answer, or throws the refusal. */
  readonly take: () => T;
}

/**
 * The answer that the nodes agree on, as of the oldest block that one of them named. Throws RPC_DISAGREEMENT, which
 * names both nodes, if two differ at one block; NEAR_RPC_FAILED if too few answer.
 */
export async function agreedAnswer<N extends { readonly origin: string }, T>(
  question: AgreedQuestion<N, T>,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return (await compared(question, await firstAnswers(question))).take();
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      if (round === ROUNDS) throw error.last;
    }
    await sleep(PAUSE_MS, question.signal);
  }
}

/** An inconclusive reading, for example from a node that lags too far. */
class TryAgain extends Error {
  readonly last: LatchkeyError;

  constructor(last: LatchkeyError) {
    super(last.message);
    this.last = last;
  }
}

async function compared<N extends { readonly origin: string }, T>(
  question: AgreedQuestion<N, T>,
  answers: readonly Said<N, T>[],
): Promise<Said<N, T>> {
  const [oldest, ...others] = [...answers].sort((a, b) => (a.place?.height ?? 0) - (b.place?.height ?? 0));
  if (!oldest) throw tooFew(question.agreement, 0);
  for (const other of others) {
    const isPlaced = oldest.place !== undefined && other.place !== undefined;
    if (isPlaced && other.place.height - oldest.place.height > MAX_LAG_BLOCKS) {
      throw new TryAgain(lagging(oldest.node.origin, other.place.height - oldest.place.height));
    }
    if (isSame(oldest, other)) continue;
    // Without both blocks, a lagging node and a lying one look alike; another round may settle it.
    if (!isPlaced) throw new TryAgain(disagreement(oldest, other));
    if (oldest.place.height === other.place.height) throw disagreement(oldest, other);
    if (!isSame(oldest, await askAgain(question, other.node, oldest.place.height))) {
      throw disagreement(oldest, other);
    }
  }
  return oldest;
}

/** Whether two answers match. Answers at the same height must also name the same block hash. */
function isSame<N, T>(a: Said<N, T>, b: Said<N, T>): boolean {
  const isOneHeight = a.place !== undefined && a.place.height === b.place?.height;
  return a.essence === b.essence && (!isOneHeight || a.place?.hash === b.place?.hash);
}

async function askAgain<N, T>(question: AgreedQuestion<N, T>, node: N, height: number): Promise<Said<N, T>> {
  try {
    return await said(question, node, height);
  } catch (error) {
    if (error instanceof LatchkeyError && rpcFailure(error)) throw new TryAgain(error);
    throw error;
  }
}

/** The first answers from as many nodes as must agree. Skips nodes that do not answer. */
async function firstAnswers<N, T>(question: AgreedQuestion<N, T>): Promise<Said<N, T>[]> {
  const { nodes, agreement } = question;
  const waiting = [...nodes];
  const answers: Said<N, T>[] = [];
  let last: LatchkeyError | undefined;
  while (answers.length < agreement) {
    const asked = waiting.splice(0, agreement - answers.length);
    if (asked.length === 0) throw new TryAgain(tooFew(agreement, answers.length, last));
    const outcomes = await Promise.allSettled(asked.map((node) => said(question, node, undefined)));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') answers.push(outcome.value);
      else if (outcome.reason instanceof LatchkeyError && rpcFailure(outcome.reason)) last = outcome.reason;
      else throw outcome.reason;
    }
  }
  return answers;
}

async function said<N, T>(
  { ask, essence, placeOf }: AgreedQuestion<N, T>,
  node: N,
  atHeight: number | undefined,
): Promise<Said<N, T>> {
  try {
    const value = await ask(node, atHeight);
    return { node, essence: stable(essence(value)), place: placeOf(value), take: () => value };
  } catch (error) {
    const failure = rpcFailure(error);
    if (!failure || !isFinalAnswer(failure)) throw error;
    return {
      node,
      essence: stable({ no: failure.kind }),
      place: placeOfFailure(failure),
      take: () => {
        throw error;
      },
    };
  }
}

/** JSON with sorted object keys. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

interface Named {
  readonly node: { readonly origin: string };
}

function disagreement({ node: first }: Named, { node: second }: Named): LatchkeyError {
  return new LatchkeyError(RPC_DISAGREEMENT, {
    values: { first: first.origin, second: second.origin },
    details: { nodes: [first.origin, second.origin] },
  });
}

function lagging(origin: string, blocks: number): LatchkeyError {
  return rpcError({ kind: 'node' }, { reason: `the node ${origin} is ${blocks} blocks behind another` });
}

function tooFew(agreement: number, answered: number, last?: LatchkeyError): LatchkeyError {
  const reason = `${agreement} nodes must agree, and ${answered} answered${last ? `: ${last.message}` : ''}`;
  return rpcError({ kind: 'node' }, { reason }, last);
}

/** The answer to a view that the nodes agree on; see {@link agreedAnswer}. */
export function agreedView<N extends { readonly origin: string }, T extends Answer>(
  question: Omit<AgreedQuestion<N, T>, 'essence' | 'placeOf'>,
): Promise<T> {
  return agreedAnswer({ ...question, essence: essenceOf, placeOf });
}

/** A nonce grows with each transaction, and no key depends on it; nor does a balance, or what an account stores. */
function essenceOf(answer: object): unknown {
  if ('bytes' in answer) return base64.encode((answer as CallResult).bytes);
  if ('amount' in answer) return (answer as AccountView).state ?? null;
  if (!('keys' in answer)) return (answer as AccessKeyView).permission;
  return (answer as AccessKeyList).keys
    .map(({ public_key, access_key }) => [public_key, access_key.permission] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
