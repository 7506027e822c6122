/** Values for the cases of the messages. */
import { expect } from 'vitest';
import type { ActionResult, SignedTransaction } from '../../types.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const KEY = 'ed25519:DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
export const HASH = 'DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
export const CREDENTIAL = 'AbC_-0123456789';
export const WISH = {
  uiMode: 'drawer',
  behavior: 'requireClick',
  autoProceedDelayMs: 500,
  theme: 'light',
} as const;
/** The options that every flow gets in addition to its own. */
export const flow = <T extends object>(own: T = {} as T) => ({
  ...own,
  onEvent: expect.any(Function),
  signal: expect.any(AbortSignal),
});
export const signed: SignedTransaction = {
  transaction: {
    signerId: ALICE,
    publicKey: KEY,
    nonce: '18446744073709551615',
    receiverId: 'app.testnet',
    blockHash: HASH,
    actions: [
      { type: 'FunctionCall', methodName: 'set', args: '{}', gas: '1', deposit: '0' },
      { type: 'DeployContract', code: new Uint8Array([1, 2]) },
    ],
  },
  signature: 'ed25519:sig',
  borshBytes: new Uint8Array([7, 8, 9]),
  hash: HASH,
};
const outcomeWithId = {
  id: HASH,
  block_hash: HASH,
  outcome: {
    executor_id: 'app.testnet',
    gas_burnt: 223_182_562_500,
    tokens_burnt: '22318256250000000000',
    logs: ['said hi'],
    receipt_ids: [HASH],
    status: { SuccessReceiptId: HASH },
  },
};
export const done: ActionResult = {
  success: true,
  fate: 'executed',
  transactionId: HASH,
  result: {
    final_execution_status: 'FINAL',
    status: { SuccessValue: 'ImhpIg==' },
    transaction: {
      hash: HASH,
      signer_id: ALICE,
      receiver_id: 'app.testnet',
      nonce: 7,
      public_key: KEY,
      signature: 's',
    },
    transaction_outcome: outcomeWithId,
    receipts_outcome: [outcomeWithId],
    transactionId: HASH,
  },
};
