import { expect, it } from 'vitest';
import type { RpcClient, TransactionOutcome } from '../../near/index.js';
import type { TransactionRequest } from '../../types.js';
import { burntGas, noteBurntGas } from './burnt-gas.js';

const chain = () => ({}) as RpcClient;
const calling = (methodName: string, receiverId = 'app.testnet'): TransactionRequest => ({
  receiverId,
  actions: [{ type: 'FunctionCall', methodName, args: '{}', gas: '30000000000000', deposit: '0' }],
});
const burning = (own: number, ...receipts: number[]) =>
  ({
    transaction_outcome: { outcome: { gas_burnt: own } },
    receipts_outcome: receipts.map((gas_burnt) => ({ outcome: { gas_burnt } })),
  }) as unknown as TransactionOutcome;

it('is that of all receipts of the last call of the same method of the same contract', () => {
  const rpc = chain();
  noteBurntGas(rpc, calling('vote'), burning(1, 2, 3));
  expect(burntGas(rpc, calling('vote'))).toBe(6n);
  noteBurntGas(rpc, calling('vote'), burning(4));
  expect(burntGas(rpc, calling('vote'))).toBe(4n);
  for (const other of [calling('claim'), calling('vote', 'b.testnet')])
    expect(burntGas(rpc, other)).toBeUndefined();
  expect(burntGas(chain(), calling('vote'))).toBeUndefined();
});

it('is not known of a payment, of two calls, or of a transaction without an outcome', () => {
  const rpc = chain();
  const [call] = calling('vote').actions;
  const two = { receiverId: 'app.testnet', actions: [call, call] } as TransactionRequest;
  const payment: TransactionRequest = {
    receiverId: 'b.testnet',
    actions: [{ type: 'Transfer', amount: '1' }],
  };
  for (const transaction of [two, payment]) {
    noteBurntGas(rpc, transaction, burning(1));
    expect(burntGas(rpc, transaction)).toBeUndefined();
  }
  noteBurntGas(rpc, calling('vote'), {});
  expect(burntGas(rpc, calling('vote'))).toBeUndefined();
});

it('is kept of the last hundred methods', () => {
  const rpc = chain();
  for (let at = 0; at < 101; at += 1) noteBurntGas(rpc, calling(`m${at}`), burning(1));
  expect(burntGas(rpc, calling('m0'))).toBeUndefined();
  expect(burntGas(rpc, calling('m1'))).toBe(1n);
});
