/**
 * Views that take several nodes, looks or pages. Loaded when one is first needed.
 *
 * A view is repeated until its answer counts: nodes of several providers agree where they must, a "no" comes from a block
 * that is not below those seen, and from two blocks where something is thrown away for it.
 */
import { sleep } from '../sleep.js';
import { agreedAnswer, agreedView } from './agreed.js';
import {
  type AccessKeyList,
  type Answer,
  type BlockView,
  BlockViewSchema,
  placeOf,
  placeOfFailure,
  reader,
} from './rpc-answer.js';
import type { Node, Params, RpcClient } from './rpc-client.js';
import { isFinalAnswer, isTransient, type RpcFailure, rpcError, rpcFailure } from './rpc-error.js';
import type { Ask, Nodes, Question } from './views.js';

/** Nodes that are behind for this long are reported, unless the chain has made fewer than {@link PATIENCE_BLOCKS}. */
const PATIENCE_MS = 12_000;
/** A node lags by blocks, not by time: where they are slow, the client waits for so many, as long as new ones come. */
const PATIENCE_BLOCKS = 20;
const LONGEST_PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 600;
/**
 * A node this far below the blocks seen does not lag: a local chain was reset, or a node has named a block that does not
 * exist. In blocks; at 0.6 s a block, a minute.
 */
const FAR_BELOW = 100;
/** A block that is named this far above the blocks seen is an invention, or too far away to wait for. In blocks. */
const FAR_ABOVE = 20;
/** Looks that must say "no" where nodes name no block. */
const LOOKS_WITHOUT_HEIGHT = 3;

/** An answer or the chain's refusal, and the block it was read at. */
interface Look<T> {
  /** Undefined where the node did not say. */
  readonly height: number | undefined;
  readonly isNo: boolean;
  /** Returns the answer, or throws the refusal. */
  readonly take: () => T;
}

/**
 * How long to wait for nodes that lag, by the blocks that they show meanwhile: takes the height of each look, and tells
 * whether the wait ends within so many milliseconds.
 */
function patience(): (height: number | undefined, ms: number) => boolean {
  const begun = Date.now();
  let [first, highest, grewAt] = [0, 0, begun];
  return (height = 0, ms) => {
    const then = Date.now() + ms;
    if (height > highest) {
      first ||= height;
      [highest, grewAt] = [height, Date.now()];
    }
    const isEnough = then > grewAt + PATIENCE_MS || highest >= first + PATIENCE_BLOCKS;
    return then > begun + PATIENCE_MS && (isEnough || then > begun + LONGEST_PATIENCE_MS);
  };
}

/** The first answer that counts. Rejects with kind `node` when the nodes lag longer than {@link patience} allows. */
export async function askThoroughly<T extends Answer>(question: Question<T>): Promise<T> {
  const { mayBeOld, twice, certain, newest, heldAt, finality, clock, signal } = question;
  let { floor } = question;
  const isOver = patience();
  const saidNoAt = new Set<number | undefined>();
  let looksWithoutHeight = 0;
  let lastHeight: number | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  /** Until a node has shown the block, or none answers. Where one has, the others are behind it, and are only asked later. */
  const waitFor = async (needed: number, seen?: number) => {
    for (let height = seen; ; ) {
      if (isOver(height, pauseMs)) throw lagging(lastHeight, floor);
      const blocks = needed - clock.highest(finality);
      if (blocks <= 0) height = await sleep(pauseMs, signal).then(() => undefined);
      else height = await clock.tick(finality, { ms: pauseMs, blocks }, signal);
      pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
      if (height === undefined || height >= needed) return;
    }
  };

  if (question.waitsFirst) {
    floor = Math.max(floor, await question.placeWrites());
    if (clock.highest(finality) < floor) await waitFor(floor);
  }
  for (let looks = 1; ; looks += 1) {
    const isFirst = looks === 1;
    const seen = await look(question, isFirst ? question.answered : undefined).catch((error: unknown) => {
      const failure = rpcFailure(error);
      if (isFirst || !failure || !isTransient(failure) || isOver(0, pauseMs)) throw error;
      return undefined;
    });
    if (isFirst && seen?.height !== undefined && seen.height < floor - FAR_BELOW) {
      const shown = await clock.newest(finality, signal);
      if (shown > 0 && shown < floor - FAR_BELOW) floor = question.restartAt(Math.min(shown, seen.height));
    }
    if (isFirst && seen && !mayBeOld(seen.isNo)) {
      if (!question.waitsFirst) floor = Math.max(floor, await question.placeWrites());
      const highest = Math.max(floor, clock.highest(finality));
      if (seen.isNo && heldAt <= highest + FAR_ABOVE) floor = Math.max(floor, heldAt);
      if (newest || (seen.isNo && certain)) floor = Math.max(floor, clock.settled());
      else if (seen.isNo && twice) floor = Math.max(floor, await clock.newest(finality, signal));
    }
    if (seen?.isNo) saidNoAt.add(seen.height);
    if (seen && (mayBeOld(seen.isNo) || (seen.height ?? floor) >= floor)) {
      if (seen.height === undefined) looksWithoutHeight += 1;
      const isSure = saidNoAt.size > 1 || looksWithoutHeight === LOOKS_WITHOUT_HEIGHT;
      if (!seen.isNo || !twice || isSure) return seen.take();
    }
    lastHeight = seen?.height ?? lastHeight;
    await waitFor(Math.max(floor, (lastHeight ?? 0) + 1), lastHeight);
  }
}

async function look<T extends Answer>(
  question: Question<T>,
  answered: Promise<T> | undefined,
): Promise<Look<T>> {
  const { ask, askWitness, nodes, isNo, signal } = question;
  try {
    const { agreement, witnesses } = nodes;
    const answer = await (answered ??
      (askWitness ? agreedView({ nodes: witnesses(), agreement, signal, ask: askWitness }) : ask()));
    return { height: placeOf(answer).height, isNo: isNo(answer), take: () => answer };
  } catch (error) {
    const refusal = rpcFailure(error);
    if (!refusal || !isFinalAnswer(refusal)) throw error;
    const take = () => {
      throw error;
    };
    return { height: placeOfFailure(refusal)?.height, isNo: refusal.kind !== 'invalid_request', take };
  }
}

function lagging(height: number | undefined, floor: number) {
  const reason =
    height !== undefined && height < floor
      ? `the node lags: it is at block ${height}, and block ${floor} is needed`
      : 'the node shows no newer block, so its answer could not be checked';
  return rpcError({ kind: 'node' }, { reason });
}

/** A view of one block. */
export interface PinnedQuestion<T> {
  readonly nodes: Nodes;
  /** Asks one node, or without one the nodes in turn. */
  readonly ask: (node?: Node) => Promise<T>;
  /** base58. */
  readonly blockHash: string;
  readonly agreed: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The state after one block neither lags nor ages, so the first answer counts; where nodes must agree, theirs are compared.
 * Refuses what a node read at another block.
 */
export async function askPinned<T extends Answer>({
  nodes,
  ask,
  blockHash,
  agreed,
  signal,
}: PinnedQuestion<T>): Promise<T> {
  const { agreement, witnesses } = nodes;
  const assertThere = (hash: string | undefined): void => {
    if (hash === undefined || hash === blockHash) return;
    throw rpcError(
      { kind: 'malformed' },
      { reason: `asked about block ${blockHash}, a node answered for ${hash}` },
    );
  };
  const answer = async (node?: Node): Promise<T> => {
    try {
      const value = await onceKnown(() => ask(node), signal, isUnknownBlock);
      assertThere(placeOf(value).hash);
      return value;
    } catch (error) {
      const refusal = rpcFailure(error);
      assertThere(refusal && placeOfFailure(refusal)?.hash);
      throw error;
    }
  };
  if (!agreed || agreement === 1) return answer();
  return agreedView({ nodes: witnesses(), agreement, signal, ask: answer });
}

/** A block on which nodes agree: height, hash and time. Of one node, a block below those seen is asked of the next. */
export async function agreedBlock({
  nodes: { agreement, witnesses, askNode, request },
  params,
  floor,
  signal,
}: {
  readonly nodes: Nodes;
  readonly params: Params;
  readonly floor: number;
  readonly signal: AbortSignal | undefined;
}): Promise<BlockView> {
  const read = reader(BlockViewSchema);
  if (agreement === 1) {
    const isNew = ({ header }: BlockView): boolean => 'block_id' in params || header.height >= floor;
    return request('block', params, read, { signal, accept: isNew });
  }
  const ask = (node: Node, atHeight: number | undefined): Promise<BlockView> =>
    onceKnown(
      () => askNode(node, 'block', atHeight === undefined ? params : { block_id: atHeight }, read, signal),
      signal,
      isUnknownBlock,
    );
  return agreedAnswer({
    nodes: witnesses(),
    agreement,
    signal,
    ask,
    essence: ({ header: { height, hash, timestamp_nanosec } }) => [height, hash, timestamp_nanosec],
    placeOf: ({ header: { height, hash } }) => ({ height, hash }),
  });
}

function isUnknownBlock({ causeName }: RpcFailure): boolean {
  return causeName === 'UNKNOWN_BLOCK';
}

/** 20,000 keys. */
const MAX_PAGES = 200;

/** The whole list, as of the first page's block. */
export async function withOtherPages(first: AccessKeyList, ask: Ask<AccessKeyList>): Promise<AccessKeyList> {
  const keys = [...first.keys];
  const { last_key: begin, ...rest } = first;
  let lastKey = begin;
  for (let pages = 1; lastKey != null; pages += 1) {
    const page = await onceKnown(() => ask({ block_id: first.block_hash, after_key: lastKey }));
    if (page.block_hash !== first.block_hash || page.keys.length === 0 || pages === MAX_PAGES) {
      throw rpcError({ kind: 'malformed' }, { reason: 'the pages of the access keys do not end' });
    }
    keys.push(...page.keys);
    lastKey = page.last_key;
  }
  return { ...rest, keys };
}

const ATTEMPTS = 6;
const PAUSE_MS = 400;

/** Looks up the heights of blocks that hold our writes. Drops a block that no node knows. */
export async function placeWrites(
  rpc: Pick<RpcClient, 'block' | 'noteWrite'>,
  hashes: Set<string>,
): Promise<void> {
  await Promise.all(
    [...hashes].map(async (hash) => {
      rpc.noteWrite(await heightOfBlock(rpc, hash));
      hashes.delete(hash);
    }),
  );
}

/** The height of a block that a node has named; 0 where no node knows it, also after some seconds. */
export async function heightOfBlock(
  rpc: Pick<RpcClient, 'block'>,
  blockId: string,
  signal?: AbortSignal,
): Promise<number> {
  try {
    return (await onceKnown(() => rpc.block({ blockId }, { signal }), signal)).header.height;
  } catch (error) {
    if (!rpcFailure(error)) throw error;
    return 0;
  }
}

/** Asks about a block that a node has named, until one that lags behind the same address knows it too. */
export async function onceKnown<T>(
  ask: () => Promise<T>,
  signal?: AbortSignal,
  mayComeToIt: (failure: RpcFailure) => boolean = isTransient,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = rpcFailure(error);
      if (attempt === ATTEMPTS || !failure || !mayComeToIt(failure)) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}
