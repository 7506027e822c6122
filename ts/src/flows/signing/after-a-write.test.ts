import { describe, expect, it } from 'vitest';
import { createRpcClient, type RpcClient, type TransactionOutcome } from '../../near/index.js';
import { hashOf, LaggingChain } from '../../near/testing/lagging-chain.js';
import type { DeletionEntry } from '../../storage/records.js';
import { skipWaits } from '../../testing/skip-waits.js';
import type { SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';
import { advanceDeletion } from '../linking/deletion.js';
import { sendSigned } from './send.js';
import { stateOf } from './settle-batch.js';
import { TransactionContexts } from './transaction-contexts.js';

skipWaits();

const ALICE = 'alice.testnet';
const KEY = 'ed25519:new';
const NEVER = new AbortController().signal;
const SIGNED = { hash: 'id', borshBytes: new Uint8Array(), transaction: {} } as unknown as SignedTransaction;
const SUCCESS = { SuccessValue: '' };

/** A client whose transactions run `change` on a chain whose nodes, but one, lag; they end with `status`. */
function make(change: (chain: LaggingChain) => number, status: TransactionOutcome['status'] = SUCCESS) {
  const chain = new LaggingChain({ nodes: { 'https://rpc.example': [9, 9, 0, 9] } });
  chain.addKey(ALICE, 'ed25519:first');
  chain.write(({ views }) => views.set('get_authenticators_by_user', []));
  chain.head += 100;
  const execute = async () =>
    ({
      transactionId: 'id',
      final_execution_status: 'FINAL',
      status,
      receipts_outcome: [
        { id: 'r', outcome: { tokens_burnt: '1', receipt_ids: [] }, block_hash: hashOf(change(chain)) },
      ],
    }) as unknown as TransactionOutcome;
  const rpc: RpcClient = {
    ...createRpcClient({ urls: chain.urls, fetch: chain.fetch }),
    sendTransaction: execute,
    transactionState: async () => ({ name: 'final', outcome: await execute() }),
  };
  return { chain, rpc, contexts: new TransactionContexts(rpc, () => undefined) };
}

const keysOf = async (rpc: RpcClient) =>
  (await rpc.viewAccessKeyList(ALICE, { afterWrites: true })).keys.map(({ public_key: key }) => key);

describe('what is read after a write has reached it (core 7)', () => {
  it.each<[string, TransactionOutcome['status']]>([
    ['that was executed', SUCCESS],
    ['that failed in one of its calls', { Failure: { ActionError: { kind: 'no' } } }],
  ])('of a transaction %s', async (_, status) => {
    const { rpc, contexts } = make((chain) => chain.addKey(ALICE, KEY), status);
    await sendSigned({ rpc, contexts }, SIGNED, { run: { signal: NEVER } }).catch(() => undefined);
    expect(await rpc.viewAccessKey(ALICE, KEY)).not.toBeNull();
  });

  it('of a transaction that an earlier page sent', async () => {
    const { rpc } = make((chain) => chain.addKey(ALICE, KEY));
    const transaction = {
      transactionId: 'id',
      receiverId: ALICE,
      nonce: '1',
      blockHeight: '1',
      fate: 'unknown',
    };
    await stateOf({ rpc } as FlowContext, { accountId: ALICE, publicKey: 'k', transaction } as never);
    expect(await rpc.viewAccessKey(ALICE, KEY)).not.toBeNull();
  });

  it('of the deletion of a linked key', async () => {
    const { chain, rpc } = make((it) => it.deleteKey(ALICE, KEY));
    const addedAtHeight = chain.addKey(ALICE, KEY);
    chain.head += 100;
    const context = { rpc, config: { contractId: 'registry.testnet', logger: { warn: () => undefined } } };
    const entry = { accountId: ALICE, publicKey: KEY, addedAtHeight, dueAt: 0 } as DeletionEntry;
    expect(await advanceDeletion(context as unknown as FlowContext, entry)).toBe('sent');
    expect(await keysOf(rpc)).toEqual(['ed25519:first']);
  });
});
