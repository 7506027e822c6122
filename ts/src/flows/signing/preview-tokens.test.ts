import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { RpcClient } from '../../near/index.js';
import type { TransactionRequest } from '../../types.js';
import { tokensOf } from './preview.js';

const move = (receiverId: string, methodName = 'ft_transfer'): TransactionRequest => ({
  receiverId,
  actions: [
    {
      type: 'FunctionCall',
      methodName,
      args: JSON.stringify({ receiver_id: 'bob.near', amount: '5' }),
      gas: '1',
      deposit: '1',
    },
  ],
});

/** A chain on which each contract answers `ft_metadata` so. */
function chain(answers: Readonly<Record<string, () => unknown>>) {
  const asked: string[] = [];
  const rpc = {
    callFunctionJson: async (schema: v.GenericSchema, contractId: string, method: string) => {
      asked.push(`${contractId}.${method}`);
      const answer = answers[contractId];
      if (!answer) throw new LatchkeyError(NEAR_RPC_FAILED);
      return v.parse(schema, await answer());
    },
  } as unknown as RpcClient;
  return { rpc, asked };
}

describe("the contract's own words about a moved token (core 2)", () => {
  it('are its symbol and decimals [S66]', async () => {
    const { rpc } = chain({ 'usdc.near': () => ({ spec: 'ft-1.0.0', symbol: 'USDC', decimals: 6 }) });
    expect(await tokensOf({ rpc }, [move('usdc.near')])).toEqual([
      { contractId: 'usdc.near', symbol: 'USDC', decimals: 6 },
    ]);
  });

  it('lack what is invisible, turns the direction, or closes their quotes, and are short', async () => {
    const symbol = `\u202EU\u200BS”D'\u0000C\u0301 ${'x'.repeat(50)}`;
    const { rpc } = chain({ 'usdc.near': () => ({ symbol, decimals: 6 }) });
    const [told] = await tokensOf({ rpc }, [move('usdc.near')]);
    expect(told?.symbol).toBe(`USDC${'x'.repeat(12)}`);
  });

  it.each<[string, unknown]>([
    ['a fraction of a decimal', { symbol: 'A', decimals: 1.5 }],
    ['too many decimals', { symbol: 'A', decimals: 400 }],
    ['negative decimals', { symbol: 'A', decimals: -1 }],
    ['decimals as text', { symbol: 'A', decimals: '6' }],
    ['an invisible symbol', { symbol: '\u200B\u202E', decimals: 6 }],
    ['no metadata', null],
  ])('are left out for %s', async (_, answer) => {
    const { rpc } = chain({ 'usdc.near': () => answer });
    expect(await tokensOf({ rpc }, [move('usdc.near')])).toEqual([]);
  });

  it('never hold a confirmation back: a contract that does not answer leaves a gap', async () => {
    const { rpc } = chain({
      'silent.near': () => new Promise(() => undefined),
      'usdc.near': () => ({ symbol: 'USDC', decimals: 6 }),
    });
    const asked = [move('silent.near'), move('gone.near'), move('usdc.near')];
    expect(await tokensOf({ rpc }, asked, 50)).toMatchObject([{ contractId: 'usdc.near' }]);
  });

  it('are asked of each contract once, of few, and of none where no amount is to be scaled', async () => {
    const { rpc, asked } = chain({});
    await tokensOf({ rpc }, [move('usdc.near'), move('usdc.near')]);
    expect(asked).toEqual(['usdc.near.ft_metadata']);
    await tokensOf({ rpc }, [move('app.near', 'vote'), move('token.near', 'storage_deposit')]);
    expect(asked).toHaveLength(1);
    await tokensOf(
      { rpc },
      Array.from({ length: 50 }, (_, index) => move(`t${index}.near`)),
    );
    expect(asked).toHaveLength(9);
  });
});
