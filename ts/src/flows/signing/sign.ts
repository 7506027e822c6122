/** Signing transactions: one prompt for a whole batch. */

import type { CostModel, LinkedDeviceModel } from '../../confirm/port.js';
import { isLatchkeyError, type LatchkeyError, messageOf, toLatchkeyError } from '../../errors/index.js';
import { transactionsDigest } from '../../intent/index.js';
import type {
  ConfirmationConfig,
  SignedTransaction,
  SignTransactionResult,
  SignTransactionsOptions,
  TransactionInput,
  TransactionRequest,
} from '../../types.js';
import { wipe } from '../../webauthn/prf.js';
import type { FlowContext } from '../context.js';
import { eventError, type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { completeTransactions } from './actions.js';
import { approve, signingAccount } from './approve.js';
import { SignedBatch, type Signing } from './signed-batch.js';
import type { TransactionContext } from './transaction-contexts.js';
import { takeTurn } from './turn.js';

/** Signs and returns them unsent. Throws a LatchkeyError on failure. */
export async function signTransactionsWithActions(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionInput[],
  options: SignTransactionsOptions,
): Promise<readonly SignTransactionResult[]> {
  const { confirmationConfig } = options;
  return runFlow(
    'action',
    options,
    async (run) => {
      const batch = await signBatch(context, { accountId, transactions, confirmationConfig }, run);
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

/** What one prompt signs. */
export interface BatchToSign {
  readonly accountId: string;
  readonly transactions: readonly TransactionInput[];
  readonly confirmationConfig?: Partial<ConfirmationConfig> | undefined;
  /** What the confirmation is decided by. Default 'signTransaction'. */
  readonly type?: 'signTransaction' | 'linkDevice';
  /** Shown with the transactions when they let another device in. */
  readonly device?: LinkedDeviceModel | undefined;
  /** What waits for the next approval of this account: shown and signed with the rest, and returned apart. */
  readonly also?: readonly TransactionRequest[] | undefined;
}

/** Steps 1 to 7: everything but sending. When it resolves, the registry has accepted the assertion. */
export async function signBatch(
  context: FlowContext,
  {
    accountId,
    transactions: inputs,
    confirmationConfig,
    type = 'signTransaction',
    device,
    also = [],
  }: BatchToSign,
  run: Run<'action'>,
): Promise<SignedBatch> {
  const { contexts, config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  const asked = completeTransactions(inputs);
  const transactions = [...asked, ...also];
  const account = await signingAccount(context, await requireSession(context, accountId));
  const publicKey = account.user.clientNearPublicKey;

  const signer = await signers.acquire(signal);
  try {
    const [cost] = await Promise.all([
      costWhereLoaded(context, accountId, transactions),
      contexts.begin(accountId, publicKey),
    ]);
    const { handle, approval, prfFirst, verified } = await approve(
      context,
      {
        type,
        account,
        shown: {
          kind: 'transactions',
          accountId,
          rpId,
          networkId: config.networkId,
          transactions,
          ...(device && { device }),
          ...(cost && { cost }),
        },
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
    const mode = transactions.length > 1 ? 'exclusive' : 'shared';
    const endTurn = await takeTurn(accountId, publicKey, mode, { signal });
    const end = (): void => {
      signer.end();
      endTurn();
    };
    /** Whatever went wrong: what was signed is thrown away here, so its nonces may serve again. */
    const withNonces = async (
      { blockHash, blockHeight }: TransactionContext,
      sign: (nonces: string[], blockHash: string) => Promise<readonly SignedTransaction[]>,
    ): Promise<Signing> => {
      const reserved = await contexts.reserve(accountId, publicKey, transactions.length);
      try {
        return { signed: await sign(reserved.nonces, blockHash), reserved, blockHeight };
      } catch (error) {
        await reserved.release();
        throw error;
      }
    };
    try {
      signal.throwIfAborted();
      const newest = await contexts.atSigning(accountId, publicKey);
      const signing = await withNonces(newest, async (nonces, blockHash) => {
        const approved = { ...approval, nonces, blockHash };
        const call = signer.call('signPrepared', [handle, prfFirst, approved], {
          signal,
          transfer: [prfFirst.buffer],
        });
        return (await Promise.all([call, verified]))[0];
      });
      emit('transaction-signing-complete', 'success', 'Signed');
      return new SignedBatch({
        accountId,
        publicKey,
        requests: transactions,
        count: asked.length,
        signing,
        signAnew: async () =>
          withNonces(await contexts.renew(accountId, publicKey), (nonces, blockHash) =>
            signer.call('resignPrepared', [handle, nonces, blockHash], { signal }),
          ),
        end,
      });
    } catch (error) {
      endTurn();
      throw error;
    } finally {
      wipe(prfFirst);
    }
  } catch (error) {
    signer.end();
    throw toLatchkeyError(error, 'Signing');
  }
}

/** The prices were loaded when the session opened. Without them nothing is said of the cost, and the chain decides. */
async function costWhereLoaded(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<CostModel | undefined> {
  const prices = await import('./cost.js').catch((error: unknown) => {
    context.config.logger.warn('The prices could not be loaded', messageOf(error));
  });
  return prices?.costOf(context, accountId, transactions);
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
