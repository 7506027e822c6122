import { describe, expect, it, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient } from './index.js';
import { noteOutcome } from './send.js';
import { hashOf, LaggingChain } from './testing/lagging-chain.js';

skipWaits();

const URL = 'https://one.example';
const at = (height: number) =>
  ({
    id: String(height),
    outcome: { tokens_burnt: '1', receipt_ids: [] },
    block_hash: hashOf(height),
  }) as never;
const ran = (id: string, receipt_ids: readonly string[] = [], tokens_burnt = '1') => ({
  id,
  outcome: { tokens_burnt, receipt_ids },
  block_hash: `block of ${id}`,
});

describe('an outcome (core 7)', () => {
  it('is seen by later views from the last block in which it took effect', async () => {
    const chain = new LaggingChain({ nodes: { [URL]: [3, 8, 0] } });
    chain.head += 100;
    const rpc = createRpcClient({ urls: URL, fetch: chain.fetch });
    const added = chain.addKey('bob.testnet', 'ed25519:key');
    noteOutcome(rpc, {
      transaction_outcome: at(added - 1),
      receipts_outcome: [at(added), at(added - 1)],
    });
    expect(await rpc.viewAccount('bob.testnet')).not.toBeNull();
  });

  it.each([1, 2])('is seen by a list that must have reached it, of %i providers', async (agreement) => {
    const other = 'https://two.example';
    const chain = new LaggingChain({ nodes: { [URL]: [8, 3], [other]: [5] } });
    chain.addKey('bob.testnet', 'ed25519:first');
    chain.addKey('bob.testnet', 'ed25519:second');
    chain.head += 100;
    const rpc = createRpcClient({ urls: [URL, other], fetch: chain.fetch, agreement });
    noteOutcome(rpc, { transaction_outcome: at(chain.deleteKey('bob.testnet', 'ed25519:second')) });
    const view = { agreed: true, afterWrites: true };
    const { keys } = await rpc.viewAccessKeyList('bob.testnet', view);
    expect(keys).toHaveLength(1);
  });

  it.each<[string, readonly string[], unknown]>([
    ['the last of receipts that follow each other', ['c'], [ran('a', ['b']), ran('b', ['c']), ran('c')]],
    ['each of those that follow one', ['b', 'c'], [ran('a', ['b', 'c']), ran('b'), ran('c')]],
    ['the one before a refund, which burns nothing', ['a'], [ran('a', ['r']), ran('r', [], '0')]],
    ['its own, where only a refund follows', ['own'], [ran('r', [], '0')]],
    ['its own, where no receipt is told', ['own'], undefined],
    ['none, where the last tells no block', [], [{ ...ran('a'), block_hash: undefined }]],
  ])('notes of its blocks %s', (_, blocks, receipts_outcome) => {
    const noteWrite = vi.fn();
    noteOutcome({ noteWrite }, { transaction_outcome: ran('own', ['a']), receipts_outcome } as never);
    expect(noteWrite.mock.calls.flat()).toEqual(blocks.map((id) => `block of ${id}`));
  });

  it('costs no request until a view depends on it, and is looked up once', async () => {
    const chain = new LaggingChain({ nodes: { [URL]: [0] } });
    const rpc = createRpcClient({ urls: URL, fetch: chain.fetch });
    const added = chain.addKey('bob.testnet', 'ed25519:key');
    chain.head += 5;
    noteOutcome(rpc, { transaction_outcome: at(added), receipts_outcome: [at(added)] });
    expect(chain.asked).toEqual([]);
    await rpc.viewAccount('bob.testnet');
    expect(chain.asked).toHaveLength(1);
    await rpc.viewAccount('none.testnet');
    await rpc.viewAccount('none.testnet');
    expect(chain.heights('block')).toEqual([added]);
  });

  it('without a block, or of a block that no node knows, changes nothing', async () => {
    const chain = new LaggingChain({ nodes: { [URL]: [0] }, blocksPerRequest: 0 });
    const rpc = createRpcClient({ urls: URL, fetch: chain.fetch });
    noteOutcome(rpc, {});
    noteOutcome(rpc, { transaction_outcome: at(chain.head + 50) });
    expect(await rpc.viewAccount('bob.testnet')).toBeNull();
  });
});
