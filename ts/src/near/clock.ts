/**
 * The newest blocks that the nodes show. All questions of a client share one clock: of those that wait for a block, one asks.
 */
import { orAborted, sleep } from '../sleep.js';
import { type BlockView, BlockViewSchema, type Finality, type Place, reader } from './rpc-answer.js';
import type { Node } from './rpc-client.js';
import type { Nodes } from './views.js';

/** The most blocks that a node in sync is behind the chain. (`agreed.ts` bears more, since it compares at one block.) */
const LAG_BLOCKS = 10;
/** After this long without a block, the clock knows nothing of the present. */
const SILENCE_MS = 10_000;
/** A block of the public chains, until the clock has seen how long one takes. */
const BLOCK_MS = 600;
/** The most blocks between two questions, since another question may wait for the next one. */
const MAX_BLOCKS_PER_TICK = 3;

export interface Clock {
  /** The highest block that any node has shown; 0 before the first. */
  highest(finality: Finality): number;
  /**
   * From this height on, each node shows what the chain held when the clock began to watch, also a node that lags, and
   * although the first block may come from such a node. The clock watches from the first block after a silence.
   */
  settled(): number;
  /** A node has shown a block. */
  note(finality: Finality, block: Place): void;
  /** A node has answered `block`. */
  noteBlock(finality: Finality, block: BlockView): void;
  /** The newest final block that a node has shown within so many milliseconds. */
  head(maxAgeMs: number): Place | undefined;
  /** The last answer to `block` for the newest final block, if it is that young. */
  block(maxAgeMs: number): BlockView | undefined;
  /** Asks each provider once for its newest block, and returns the highest; 0 where none answers. */
  newest(finality: Finality, signal: AbortSignal | undefined): Promise<number>;
  /** Waits `ms`, longer where blocks are missing, then asks a node for its newest block; undefined where it does not answer. */
  tick(
    finality: Finality,
    wait: { readonly ms: number; readonly blocks: number },
    signal: AbortSignal | undefined,
  ): Promise<number | undefined>;
  /** Forgets what was shown: no node has those blocks now. */
  restartAt(height: number): void;
}

export function createClock({ askNode, witnesses }: Pick<Nodes, 'askNode' | 'witnesses'>): Clock {
  const highest = { final: 0, optimistic: 0 };
  let first = { height: 0, at: 0 };
  let last = { height: 0, at: Number.NEGATIVE_INFINITY };
  let head: Place & { readonly at: number } = { height: 0, hash: '', at: Number.NEGATIVE_INFINITY };
  let answered: { readonly block: BlockView; readonly at: number } | undefined;
  let ticks = 0;
  const asking = new Map<Finality, Promise<number>>();
  const ticking = new Map<Finality, Promise<number | undefined>>();

  const note: Clock['note'] = (finality, { height, hash }) => {
    const at = Date.now();
    if (finality === 'final' && height >= head.height) head = { height, hash, at };
    if (at > last.at + SILENCE_MS) first = { height, at };
    last = { height: Math.max(last.height, height), at };
    highest[finality] = Math.max(highest[finality], height);
  };

  const noteBlock: Clock['noteBlock'] = (finality, block) => {
    note(finality, block.header);
    if (finality === 'final') answered = { block, at: Date.now() };
  };

  const blockMs = () => {
    const blocks = last.height - first.height;
    return blocks > 1 ? Math.min((last.at - first.at) / blocks, 2 * BLOCK_MS) : BLOCK_MS;
  };

  const ask = async (node: Node, finality: Finality) => {
    const block = await askNode(node, 'block', { finality }, reader(BlockViewSchema), undefined);
    noteBlock(finality, block);
    return block.header.height;
  };

  const askAll = async (finality: Finality) => {
    const asked = witnesses().map((node) => ask(node, finality).catch(() => 0));
    return Math.max(0, ...(await Promise.all(asked)));
  };

  const askNext = async (finality: Finality, ms: number) => {
    await sleep(ms);
    const nodes = witnesses();
    ticks += 1;
    const node = nodes[ticks % nodes.length];
    return node && ask(node, finality).catch(() => undefined);
  };

  return {
    highest: (finality) => highest[finality],
    settled: () => first.height + LAG_BLOCKS,
    note,
    noteBlock,
    block: (maxAgeMs) => (answered && Date.now() - answered.at <= maxAgeMs ? answered.block : undefined),
    head: (maxAgeMs) => (Date.now() - head.at <= maxAgeMs ? head : undefined),
    newest: (finality, signal) => orAborted(shared(asking, finality, askAll), signal),
    tick: (finality, { ms, blocks }, signal) => {
      const waitMs = Math.max(ms, Math.min(blocks - 1, MAX_BLOCKS_PER_TICK) * blockMs());
      return orAborted(
        shared(ticking, finality, (of) => askNext(of, waitMs)),
        signal,
      );
    },
    restartAt: (height) => {
      Object.assign(highest, { final: height, optimistic: height });
      first = { height, at: Date.now() };
      last = first;
      answered = undefined;
      head = { height: 0, hash: '', at: Number.NEGATIVE_INFINITY };
    },
  };
}

/** The work that is under way for a key, or a new one. */
function shared<K, T>(under: Map<K, Promise<T>>, key: K, work: (key: K) => Promise<T>): Promise<T> {
  const running = under.get(key) ?? work(key).finally(() => under.delete(key));
  under.set(key, running);
  return running;
}
