/**
 * The newest blocks that the nodes show. All questions of a client have one clock: of those who wait for a block, one asks.
 */
import { orAborted, sleep } from '../sleep.js';
import { BlockViewSchema, type Finality, reader } from './rpc-answer.js';
import type { Node } from './rpc-client.js';
import type { Nodes } from './views.js';

/** How often each provider must have shown a block before its newest one is known: a balancer has several nodes. */
const SAMPLES = 3;
/** A block of the public chains: what a node showed within it is the newest. */
const RECENT_MS = 600;

export interface Clock {
  /** The highest block that any node has shown; 0 before the first. */
  highest(finality: Finality): number;
  /** A node has shown a block. */
  note(node: Node, finality: Finality, height: number): void;
  /** The highest block that any provider shows now; 0 where none answers. Asks those that have not just shown theirs. */
  newest(finality: Finality, signal: AbortSignal | undefined): Promise<number>;
  /** As {@link newest}, by nothing that was shown before. */
  newestAnew(finality: Finality, signal: AbortSignal | undefined): Promise<number>;
  /** Waits so long at most, and then for a node's newest block; undefined where it does not answer. */
  tick(finality: Finality, ms: number, signal: AbortSignal | undefined): Promise<number | undefined>;
  /** Forgets what was shown: no node has those blocks now. */
  restartAt(height: number): void;
}

interface Shown {
  readonly node: Node;
  readonly finality: Finality;
  readonly height: number;
  readonly at: number;
}

export function createClock({ askNode, witnesses }: Pick<Nodes, 'askNode' | 'witnesses'>): Clock {
  const highest = { final: 0, optimistic: 0 };
  let shown: Shown[] = [];
  let ticks = 0;
  const asking = new Map<Finality, Promise<number>>();
  const ticking = new Map<Finality, Promise<number | undefined>>();

  const recent = (finality: Finality) => {
    const since = Date.now() - RECENT_MS;
    shown = shown.filter(({ at }) => at > since);
    return shown.filter((each) => each.finality === finality);
  };

  const note: Clock['note'] = (node, finality, height) => {
    highest[finality] = Math.max(highest[finality], height);
    shown.push({ node, finality, height, at: Date.now() });
  };

  const ask = async (node: Node, finality: Finality) => {
    const { header } = await askNode(node, 'block', { finality }, reader(BlockViewSchema), undefined);
    note(node, finality, header.height);
    return header.height;
  };

  const sample = async (finality: Finality) => {
    const known = recent(finality);
    const asked = witnesses().flatMap((node) => {
      const missing = SAMPLES - known.filter((each) => each.node === node).length;
      return Array.from({ length: Math.max(0, missing) }, () => ask(node, finality));
    });
    const answers = await Promise.allSettled(asked);
    const heights = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 0));
    return Math.max(0, ...known.map(({ height }) => height), ...heights);
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
    note,
    newest: (finality, signal) => orAborted(shared(asking, finality, sample), signal),
    newestAnew: (finality, signal) => {
      shown = [];
      return orAborted(sample(finality), signal);
    },
    tick: (finality, ms, signal) =>
      orAborted(
        shared(ticking, finality, (of) => askNext(of, ms)),
        signal,
      ),
    restartAt: (height) => {
      Object.assign(highest, { final: height, optimistic: height });
      shown = [];
    },
  };
}

/** The work that is under way for a key, or a new one. */
function shared<K, T>(under: Map<K, Promise<T>>, key: K, work: (key: K) => Promise<T>): Promise<T> {
  const running = under.get(key) ?? work(key).finally(() => under.delete(key));
  under.set(key, running);
  return running;
}
