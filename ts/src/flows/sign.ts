/** Signing transactions: one prompt for a whole batch. */
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '../errors.js';
import { transactionsDigest } from '../intent/index.js';
import type {
  ConfirmationConfig,
  SignedTransaction,
  SignTransactionResult,
  SignTransactionsOptions,
  TransactionInput,
  TransactionRequest,
} from '../types.js';
import { wipe } from '../webauthn/prf.js';
import { completeTransactions } from './actions.js';
import { approve, signingAccount } from './approve.js';
import type { FlowContext } from './context.js';
import { eventError, type Run, runFlow } from './run.js';
import { requireSession } from './session.js';
import type { ReservedNonces } from './transaction-contexts.js';

/** Signed transactions whose approval is still open: the same person's yes covers signing them again. */
export interface SignedBatch {
  readonly signed: readonly SignedTransaction[];
  /** Signs all of them again with the next nonces and the newest block, after the chain refused one as overtaken. */
  resign(): Promise<readonly SignedTransaction[]>;
  /** Ends the signer worker, and the private key with it. */
  end(): void;
}

/** Signs and returns them unsent. Throws a LatchkeyError on failure. */
export async function signTransactionsWithActions(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionInput[],
  options: SignTransactionsOptions,
): Promise<readonly SignTransactionResult[]> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const batch = await signBatch(context, accountId, transactions, options.confirmationConfig, run);
      batch.end();
      run.emit('action-complete', 'success', 'Signed');
      return batch.signed.map((signedTransaction) => ({
        signedTransaction,
        nearAccountId: accountId,
        logs: [],
      }));
    },
    (error, run) => {
      emitFailure(error, run);
      throw error;
    },
  );
}

/** Steps 1 to 7: everything but sending. When it resolves, the registry has accepted the assertion. */
export async function signBatch(
  context: FlowContext,
  accountId: string,
  inputs: readonly TransactionInput[],
  confirmationConfig: Partial<ConfirmationConfig> | undefined,
  run: Run<'action'>,
): Promise<SignedBatch> {
  const { contexts, config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  const transactions = completeTransactions(inputs);
  const account = await signingAccount(context, await requireSession(context, accountId));
  const publicKey = account.user.clientNearPublicKey;
  const count = transactions.length;

  const signer = await signers.acquire(signal);
  try {
    const { handle, approval, prfFirst, verified } = await approve(
      context,
      {
        type: 'signTransaction',
        account,
        shown: { kind: 'transactions', accountId, rpId, networkId: config.networkId, transactions },
        digestOfShown: () => transactionsDigest(transactions),
        prepare: () =>
          signer.call(
            'prepareTransactions',
            [{ signerAccountId: accountId, publicKey, rpId, transactions }],
            { signal },
          ),
        confirmationConfig,
      },
      run,
    );

    emit('transaction-signing-progress', 'progress', 'Signing');
    let reserved: ReservedNonces | undefined;
    try {
      const { blockHash } = await contexts.atClick(accountId, publicKey);
      reserved = contexts.reserve(accountId, publicKey, count);
      const [signed] = await Promise.all([
        signer.call('signPrepared', [handle, prfFirst, { ...approval, nonces: reserved.nonces, blockHash }], {
          signal,
          transfer: [prfFirst.buffer],
        }),
        verified,
      ]);
      emit('transaction-signing-complete', 'success', 'Signed');
      return {
        signed: checked(signed, transactions),
        async resign() {
          const latest = await contexts.renew(accountId, publicKey);
          const { nonces } = contexts.reserve(accountId, publicKey, count);
          const again = await signer.call('resignPrepared', [handle, nonces, latest.blockHash]);
          return checked(again, transactions);
        },
        end: () => signer.end(),
      };
    } catch (error) {
      reserved?.release();
      throw error;
    } finally {
      wipe(prfFirst);
    }
  } catch (error) {
    signer.end();
    throw toLatchkeyError(error, 'Signing');
  }
}

function checked(
  signed: readonly SignedTransaction[],
  requested: readonly TransactionRequest[],
): readonly SignedTransaction[] {
  const complete = signed.every(({ transaction, signature }) => transaction && signature);
  if (signed.length !== requested.length || !complete) throw new LatchkeyError('BATCH_SIGNING_FAILED');
  return signed;
}

/** The failure event: one phase for what the workers refused, one for everything else. */
export function emitFailure(error: LatchkeyError, { emit }: Run<'action'>): void {
  const isWorkers = isLatchkeyError(
    error,
    'CRYPTO_FAILED',
    'WORKER_FAILED',
    'WORKER_TIMEOUT',
    'WORKER_CLOSED',
    'UNKNOWN_WORKER_RESPONSE',
    'BATCH_SIGNING_FAILED',
  );
  emit(isWorkers ? 'wasm-error' : 'action-error', 'error', error.message, eventError(error));
}
