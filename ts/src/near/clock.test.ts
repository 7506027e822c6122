import { describe, expect, it } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { type Clock, createClock } from './clock.js';
import type { BlockView } from './rpc-answer.js';
import type { Node } from './rpc-client.js';
import { hashOf } from './testing/lagging-chain.js';

skipWaits();

const place = (height: number) => ({ height, hash: hashOf(height) });
const blockAt = (height: number): BlockView => ({ header: { ...place(height), timestamp_nanosec: '0' } });

/** A clock over nodes that show these heights; one without a height does not answer. `asked` lists the requests in order. */
function watching(heights: Record<string, number | undefined> = {}) {
  const asked: string[] = [];
  const nodes = Object.keys(heights).map((origin) => ({ origin }) as Node);
  const clock = createClock({
    witnesses: () => nodes,
    askNode: async ({ origin }, method, { finality }, read) => {
      asked.push(`${origin} ${method} ${finality}`);
      const height = heights[origin];
      if (height === undefined) throw new Error('no answer');
      return read(blockAt(height));
    },
  });
  return { clock, asked, heights };
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function msOf(work: Promise<unknown>) {
  const begun = Date.now();
  await work;
  return Date.now() - begun;
}

describe('the highest block seen (core 7)', () => {
  it('never falls, and is one for each finality', () => {
    const { clock } = watching();
    expect([clock.highest('final'), clock.highest('optimistic')]).toEqual([0, 0]);
    clock.note('final', place(5));
    clock.note('optimistic', place(8));
    clock.note('final', place(4));
    expect([clock.highest('final'), clock.highest('optimistic')]).toEqual([5, 8]);
  });

  it('is forgotten with all that was shown when the chain restarts', () => {
    const { clock } = watching();
    clock.noteBlock('final', blockAt(500));
    clock.note('optimistic', place(502));
    clock.restartAt(7);
    expect([clock.highest('final'), clock.highest('optimistic')]).toEqual([7, 7]);
    expect(clock.settled()).toBe(17);
    expect(clock.head(60_000)).toBeUndefined();
    expect(clock.block(60_000)).toBeUndefined();
    clock.note('final', place(8));
    expect(clock.head(0)).toMatchObject(place(8));
    expect(clock.settled()).toBe(17);
  });
});

describe('the newest final block (core 7)', () => {
  it('is the last that an answer has shown, as long as it is young', async () => {
    const { clock } = watching();
    expect(clock.head(60_000)).toBeUndefined();
    clock.note('final', place(5));
    await pass(100);
    expect(clock.head(100)).toMatchObject(place(5));
    expect(clock.head(99)).toBeUndefined();
  });

  it('is no block that is not final, and none that is older', () => {
    const { clock } = watching();
    clock.note('optimistic', place(9));
    expect(clock.head(60_000)).toBeUndefined();
    clock.note('final', place(5));
    clock.note('final', place(4));
    expect(clock.head(60_000)).toMatchObject(place(5));
  });

  it('is young again when it is shown again', async () => {
    const { clock } = watching();
    clock.note('final', place(5));
    await pass(100);
    clock.note('final', place(5));
    expect(clock.head(50)).toMatchObject(place(5));
  });

  it('is kept whole where a node has answered with it', async () => {
    const { clock } = watching();
    clock.noteBlock('optimistic', blockAt(9));
    expect(clock.block(60_000)).toBeUndefined();
    expect(clock.highest('optimistic')).toBe(9);
    clock.noteBlock('final', blockAt(5));
    await pass(100);
    expect(clock.block(100)).toEqual(blockAt(5));
    expect(clock.block(99)).toBeUndefined();
    expect(clock.head(100)).toMatchObject(place(5));
  });
});

describe('the height from which on a "no" is certain (core 7)', () => {
  it('is ten blocks above the first block, whatever comes later', async () => {
    const { clock } = watching();
    expect(clock.settled()).toBe(10);
    clock.note('optimistic', place(100));
    await pass(10_000);
    clock.note('final', place(120));
    expect(clock.settled()).toBe(110);
  });

  it('begins again after more than ten seconds without a block', async () => {
    const { clock } = watching();
    clock.note('final', place(100));
    await pass(10_001);
    clock.note('final', place(120));
    expect(clock.settled()).toBe(130);
  });
});

describe('a question for the newest block (core 7)', () => {
  it('goes to each provider once, and its answer is the highest', async () => {
    const { clock, asked } = watching({ one: 5, two: 7, three: undefined });
    expect(await clock.newest('final', undefined)).toBe(7);
    expect(asked).toEqual(['one block final', 'two block final', 'three block final']);
    expect(clock.highest('final')).toBe(7);
    expect(clock.block(0)).toEqual(blockAt(7));
  });

  it('is 0 where no provider answers', async () => {
    const { clock } = watching({ one: undefined });
    expect(await clock.newest('final', undefined)).toBe(0);
  });

  it('is shared by all who ask at one time for one finality, and asked again later', async () => {
    const { clock, asked, heights } = watching({ one: 5 });
    const both = [clock.newest('final', undefined), clock.newest('final', undefined)];
    const other = clock.newest('optimistic', undefined);
    expect(await Promise.all([...both, other])).toEqual([5, 5, 5]);
    expect(asked).toEqual(['one block final', 'one block optimistic']);
    heights.one = 6;
    expect(await clock.newest('final', undefined)).toBe(6);
  });

  it('ends for the caller who aborts, and goes on for the others', async () => {
    const { clock } = watching({ one: 5 });
    const stopping = new AbortController();
    const aborted = clock.newest('final', stopping.signal);
    const other = clock.newest('final', undefined);
    stopping.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await other).toBe(5);
  });
});

describe('a tick of the clock (core 7)', () => {
  const tick = (clock: Clock, ms: number, blocks: number) => clock.tick('final', { ms, blocks }, undefined);

  it('waits, and then asks the providers in turn', async () => {
    const { clock, asked } = watching({ one: 5, two: 7 });
    expect(await msOf(tick(clock, 150, 1))).toBe(150);
    await tick(clock, 150, 1);
    await tick(clock, 150, 1);
    expect(asked).toEqual(['two block final', 'one block final', 'two block final']);
    expect(await tick(clock, 150, 1)).toBe(5);
    expect(clock.highest('final')).toBe(7);
  });

  it('shows nothing where the provider does not answer, or there is none', async () => {
    expect(await tick(watching({ one: undefined }).clock, 1, 1)).toBeUndefined();
    expect(await tick(watching().clock, 1, 1)).toBeUndefined();
  });

  it.each([
    [1, 150],
    [2, 600],
    [3, 1_200],
    [4, 1_800],
    [50, 1_800],
  ])('waits for all missing blocks but the last, at most three: %i missing, %i ms', async (blocks, ms) => {
    const { clock } = watching({ one: 5 });
    expect(await msOf(tick(clock, 150, blocks))).toBe(ms);
  });

  it.each([
    ['as long as those before', 2, 1_000, 500],
    ['twice the usual time at most', 2, 9_000, 1_200],
    ['the usual time after a single block', 1, 300, 600],
  ])('waits for a block %s', async (_, blocks, tookMs, ms) => {
    const { clock } = watching({ one: 5 });
    clock.note('final', place(100));
    await pass(tookMs);
    clock.note('final', place(100 + blocks));
    clock.note('final', place(90));
    expect(await msOf(tick(clock, 1, 2))).toBe(ms);
  });

  it('is one for all who wait for one finality, and another begins after it', async () => {
    const { clock, asked } = watching({ one: 5 });
    const optimistic = clock.tick('optimistic', { ms: 150, blocks: 1 }, undefined);
    expect(await Promise.all([tick(clock, 150, 1), tick(clock, 600, 1), optimistic])).toEqual([5, 5, 5]);
    expect(asked.toSorted()).toEqual(['one block final', 'one block optimistic']);
    await tick(clock, 150, 1);
    expect(asked).toHaveLength(3);
  });

  it('ends for the caller who aborts', async () => {
    const { clock } = watching({ one: 5 });
    const stopping = new AbortController();
    const waiting = clock.tick('final', { ms: 150, blocks: 1 }, stopping.signal);
    stopping.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
