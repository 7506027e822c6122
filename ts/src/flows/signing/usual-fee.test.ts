import { describe, expect, it } from 'vitest';
import { KNOWN_FEES } from '../../near/fees.js';
import type { RpcClient, TransactionOutcome } from '../../near/index.js';
import type { TransactionRequest } from '../../types.js';
import { noteBurntGas } from './burnt-gas.js';
import { usualFee } from './usual-fee.js';

const TGAS = 10n ** 12n;
const PRICE = BigInt(KNOWN_FEES.min_gas_price);
const chain = () => ({}) as RpcClient;
const calling = (methodName: string, receiverId = 'app.testnet', gas = '30000000000000') =>
  ({
    receiverId,
    actions: [{ type: 'FunctionCall', methodName, args: '{}', gas, deposit: '0' }],
  }) satisfies TransactionRequest;
const paying = {
  receiverId: 'bob.near',
  actions: [{ type: 'Transfer', amount: '1' }],
} satisfies TransactionRequest;
const burning = (own: number, ...receipts: number[]) =>
  ({
    transaction_outcome: { outcome: { gas_burnt: own } },
    receipts_outcome: receipts.map((gas_burnt) => ({ outcome: { gas_burnt } })),
  }) as unknown as TransactionOutcome;
const usual = (rpc: RpcClient, transaction: TransactionRequest) =>
  usualFee(rpc, 'alice.near', transaction, KNOWN_FEES);

describe('What a transaction usually burns', () => {
  it('is all of the gas of a payment, at the price of a block', () => {
    expect(usual(chain(), paying)).toBe((108_059_500_000n + 115_123_062_500n) * 2n * PRICE);
  });

  it('counts 2 Tgas of what a call attaches, however much that is', () => {
    const attaching = (tgas: bigint) => usual(chain(), calling('vote', 'app.testnet', String(tgas * TGAS)));
    expect(attaching(300n)).toBe(attaching(2n));
    expect(attaching(2n) - attaching(1n)).toBe(TGAS * PRICE);
  });

  it('is what the last call of the same method of the same contract burnt in all of its receipts', () => {
    const rpc = chain();
    const unknown = usual(rpc, calling('vote'));
    noteBurntGas(rpc, calling('vote'), burning(1, 2, 3));
    expect(usual(rpc, calling('vote'))).toBe(6n * PRICE);
    noteBurntGas(rpc, calling('vote'), burning(4));
    expect(usual(rpc, calling('vote'))).toBe(4n * PRICE);
    expect(usual(rpc, calling('vote', 'b.testnet'))).toBe(unknown);
    expect(usual(chain(), calling('vote'))).toBe(unknown);
  });

  it('has what publishing a contract burns, also in a lane of a gas key', () => {
    const publishing = (length: number, lane?: number): TransactionRequest => ({
      receiverId: 'alice.near',
      actions: [{ type: 'DeployGlobalContract', code: new Uint8Array(length), deployMode: 'CodeHash' }],
      ...(lane !== undefined && { lane }),
    });
    const near = 10n ** 24n;
    expect(usual(chain(), publishing(10_000))).toBeGreaterThan(near);
    expect(usual(chain(), publishing(10_000, 0))).toBe(near);
  });

  it('is not taken from a payment, from two calls, or from a transaction without an outcome', () => {
    const rpc = chain();
    const [call] = calling('vote').actions;
    const two: TransactionRequest = { receiverId: 'app.testnet', actions: [call, call] as never };
    for (const transaction of [two, paying]) {
      const before = usual(rpc, transaction);
      noteBurntGas(rpc, transaction, burning(1));
      expect(usual(rpc, transaction)).toBe(before);
    }
    const before = usual(rpc, calling('vote'));
    noteBurntGas(rpc, calling('vote'), {});
    expect(usual(rpc, calling('vote'))).toBe(before);
  });
});
