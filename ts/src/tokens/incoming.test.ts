import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Incoming, watchIncoming } from './index.js';
import { startTokenChain, token } from './testing/token-chain.js';

const ALICE = 'alice.testnet';

/** A watch whose looks a test makes by letting time pass, on a chain whose state it changes. */
async function watching(contractIds: readonly string[] = ['test.near']) {
  const balances: Record<string, string> = { [ALICE]: '5' };
  const { nodes, state, asked } = await startTokenChain({ 'test.near': token({}, balances) });
  state.amount = '100';
  const seen: Pick<Incoming, 'contractId' | 'amount'>[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const stop = watchIncoming(
    nodes,
    ALICE,
    ({ contractId, amount }) => seen.push({ ...(contractId !== undefined && { contractId }), amount }),
    { contractIds },
  );
  onStop.push(stop);
  const looks = { count: 0 };
  const look = async (change: Partial<typeof state> = {}): Promise<void> => {
    Object.assign(state, { height: state.height + 1, ...change });
    await vi.advanceTimersByTimeAsync(15_000);
    // Answers come over the network.
    await new Promise((resolve) => setImmediate(resolve));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(looks.count));
    await new Promise((resolve) => setTimeoutOfNode(resolve, 50));
    looks.count = asked.length;
  };
  await look();
  await look();
  return { balances, state, seen, look, stop, asked };
}
const setTimeoutOfNode = globalThis.setTimeout;
const onStop: (() => void)[] = [];
afterEach(() => {
  for (const stop of onStop.splice(0)) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('money that comes in', () => {
  it('is noticed, of NEAR and of a token, each once', async () => {
    const { balances, seen, look } = await watching();
    balances[ALICE] = '12';
    await look({ amount: '130' });
    await look();
    expect(seen).toEqual([{ amount: '30' }, { contractId: 'test.near', amount: '7' }]);
  });

  it('is not what the account itself moved, nor the change of a fee that comes after', async () => {
    const { seen, look } = await watching();
    await look({ amount: '40', nonce: 2 });
    await look({ amount: '55' });
    expect(seen).toEqual([]);
    await look({ amount: '60' });
    expect(seen).toEqual([{ amount: '5' }]);
  });

  it('is not what a node behind the others still shows', async () => {
    const { seen, look, state } = await watching();
    await look({ amount: '10', nonce: 2 });
    await look();
    await look({ amount: '100', height: state.height - 3 });
    expect(seen).toEqual([]);
  });

  it('is not looked for while the page is hidden, and is found when it is seen again', async () => {
    let hidden = 'visible';
    const page = new EventTarget();
    Object.defineProperty(page, 'visibilityState', { get: () => hidden });
    vi.stubGlobal('document', page);
    const { seen, state, asked } = await watching();
    hidden = 'hidden';
    await vi.advanceTimersByTimeAsync(15_000);
    const before = asked.length;
    Object.assign(state, { height: state.height + 9, amount: '101' });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked.length).toBe(before);
    hidden = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await vi.waitFor(() => expect(seen).toEqual([{ amount: '1' }]));
  });

  it('is not looked for once the watch has ended', async () => {
    const { stop, asked } = await watching();
    stop();
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(before);
  });
});
