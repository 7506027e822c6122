/** Sends a signed transfer to scripted nodes. */
import { onTestFinished, vi } from 'vitest';
import type { WaitUntil } from '../../types.js';
import { rpcFailure, type SendOptions } from '../index.js';
import { invalid, keyWithNonce, type Script, scriptedNodes } from './scripted-node.js';
import { makeSignedTransfer } from './signed-transfer.js';

export const { bytes, hash, signerId, publicKey, nonce } = await makeSignedTransfer();
export const SPENT = keyWithNonce(nonce);
export const FREE = keyWithNonce(nonce - 1n);
export const CONGESTED = invalid({ ShardCongested: { congestion_level: 0.3, shard_id: 0 } });
export const STUCK = invalid({ ShardStuck: { missed_chunks: 9, shard_id: 0 } });
export const NO_STORAGE = invalid({ StorageError: { FlatStorageBlockNotSupported: 'block' } });
export const transaction = { hash, signer_id: signerId, receiver_id: 'b.testnet' };
export const outcome = (level: string, status: unknown = { SuccessValue: 'dHJ1ZQ==' }) => ({
  result: { final_execution_status: level, status, transaction },
});

/** The end of a transaction that was executed; an error may name the transaction too. */
export const EXECUTED = { transactionId: hash, status: { SuccessValue: 'dHJ1ZQ==' } };

export async function sendTo(
  script: Readonly<Record<string, Script>>,
  waitUntil: WaitUntil = 'FINAL',
  options: SendOptions = {},
  agreement = 1,
) {
  const made = scriptedNodes(script, { agreement });
  const start = Date.now();
  const end = await made.client.sendTransaction(bytes, waitUntil, options).catch((error: Error) => error);
  const failure = end instanceof Error ? { code: (end as { code?: string }).code, ...rpcFailure(end) } : end;
  return { end: failure, tookMs: Date.now() - start, sends: sendsOf(made.methods()), ...made };
}

export const send = (script: Script, waitUntil?: WaitUntil, options?: SendOptions) =>
  sendTo({ one: script }, waitUntil, options);
const sendsOf = (methods: readonly string[]) => methods.filter((method) => method === 'send_tx').length;

/** Lets the client's time limits pass a hundred times as fast. */
export function hurry() {
  const timeoutOf = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeoutOf(ms / 100));
  onTestFinished(() => spy.mockRestore());
}
