import { expect, it, vi } from 'vitest';
import { LatchkeyError } from '../../errors/index.js';
import type { TransactionOutcome } from '../../near/index.js';
import { rpcError } from '../../near/rpc-error.js';
import type { ActionResult } from '../../types.js';
import type { FlowContext } from '../context.js';
import { executed } from './executed.js';

const taken: ActionResult = { success: true, fate: 'sent', transactionId: 'id', result: null };
const outcome = {
  transactionId: 'id',
  final_execution_status: 'EXECUTED',
  status: { SuccessValue: '' },
} as unknown as TransactionOutcome;

const waiting = (
  transactionStatus: () => Promise<TransactionOutcome | null>,
  signal = new AbortController().signal,
) => executed({ rpc: { transactionStatus } } as unknown as FlowContext, 'alice.testnet', taken, signal);

it('asks again about a transaction that the chain took when a node does not answer', async () => {
  const ask = vi
    .fn<() => Promise<TransactionOutcome>>()
    .mockRejectedValueOnce(rpcError({ kind: 'unreachable' }, { reason: 'the node cannot be reached' }))
    .mockResolvedValue(outcome);
  await expect(waiting(ask)).resolves.toBe(outcome);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('reports an error that another look cannot change immediately', async () => {
  const ask = vi.fn(async () => {
    throw new Error('broken');
  });
  await expect(waiting(ask)).rejects.toMatchObject({
    cause: { message: 'broken' },
    details: { fate: 'sent' },
  });
  expect(ask).toHaveBeenCalledTimes(1);
});

it('tells a host that stops waiting that the transaction was sent, with its id', async () => {
  const stopping = new AbortController();
  const ask = vi.fn(async () => null);
  const wait = waiting(ask, stopping.signal);
  await vi.waitFor(() => expect(ask).toHaveBeenCalled(), { timeout: 10_000 });
  stopping.abort(new LatchkeyError('CANCELLED'));
  await expect(wait).rejects.toMatchObject({
    code: 'NEAR_RPC_FAILED',
    message: expect.stringContaining('transaction id was sent'),
    details: { transactionId: 'id', fate: 'sent' },
  });
});

it('tells the same at any other end of the wait, and keeps a failure that the chain reports', async () => {
  const broken = waiting(async () => {
    throw new LatchkeyError('STORAGE_FULL');
  });
  await expect(broken).rejects.toMatchObject({
    code: 'STORAGE_FULL',
    details: { transactionId: 'id', fate: 'sent' },
  });
  const failed = { ...outcome, status: { Failure: { ActionError: {} } } } as unknown as TransactionOutcome;
  await expect(waiting(async () => failed)).rejects.toMatchObject({
    code: 'TRANSACTION_FAILED',
    details: { fate: 'failed' },
  });
});
