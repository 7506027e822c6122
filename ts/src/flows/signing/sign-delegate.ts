/** Delegate actions (NEP-366): the user signs, and another account submits them and pays. */

import {
  BATCH_SIGNING_FAILED,
  LatchkeyError,
  NO_TRANSACTIONS,
  toLatchkeyError,
} from '../../errors/wallet.js';
import { failedDelegate } from '../../failed-results.js';
import { transactionsDigest } from '../../intent/index.js';
import type {
  ActionInput,
  ActionResult,
  DelegateActionInput,
  DelegateOptions,
  ExecuteDelegateOptions,
  SignDelegateResult,
  SignDelegatesOptions,
  TransactionFate,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { postToRelay } from '../post-to-relay.js';
import { type Run, runFlow } from '../run.js';
import { emitFailure, reportFailedAction } from './action-result.js';
import { assertList } from './actions.js';
import { type DelegateToSign, signDelegates } from './approve-delegates.js';
import { openDelegateJournal } from './batch-journal.js';

export interface OneDelegate {
  readonly accountId: string;
  readonly receiverId: string;
  readonly actions: readonly ActionInput[];
}

/** Signs with one prompt; the caller hands it to the account that pays. */
export async function signDelegateAction(
  context: FlowContext,
  { accountId, ...toSign }: OneDelegate & DelegateToSign,
  options: DelegateOptions,
): Promise<SignDelegateResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const [result] = await signed(context, accountId, [toSign], options, run);
      if (!result) throw new LatchkeyError(BATCH_SIGNING_FAILED);
      return result;
    },
    unsigned,
  );
}

/** Signs several with one prompt: all of them, or none. One result for each. */
export async function signDelegateActions(
  context: FlowContext,
  accountId: string,
  delegateActions: readonly DelegateActionInput[],
  options: SignDelegatesOptions,
): Promise<readonly SignDelegateResult[]> {
  return runFlow(
    'action',
    options,
    async (run) => {
      assertList(delegateActions);
      if (delegateActions.length === 0) throw new LatchkeyError(NO_TRANSACTIONS);
      const toSign = delegateActions.map((one) => ({ ...one, actions: [one?.actions].flat() }));
      return signed(context, accountId, toSign, options, run);
    },
    (error, run) => {
      const failed = unsigned(error, run);
      if (!delegateActions?.length) throw error;
      return Array.from(delegateActions, () => failed);
    },
  );
}

async function signed(
  context: FlowContext,
  accountId: string,
  toSign: readonly DelegateToSign[],
  options: DelegateOptions | SignDelegatesOptions,
  run: Run<'action'>,
): Promise<readonly SignDelegateResult[]> {
  const { signed: all } = await signDelegates(context, accountId, toSign, null, options, run);
  run.emit('action-complete', 'success', 'Signed');
  return all.map((one) => ({ success: true, ...one }));
}

function unsigned(error: LatchkeyError, run: Run<'action'>): SignDelegateResult {
  emitFailure(error, run);
  return failedDelegate(error);
}

/** Signs with one prompt; the configured relay submits it and pays. */
export async function executeDelegateAction(
  context: FlowContext,
  toSign: OneDelegate,
  options: ExecuteDelegateOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { emit } = run;
      const relay = new URL(context.config.relayer.url).host;
      const { accountId, receiverId, actions } = toSign;
      const delegates = [{ receiverId, actions }];
      const approved = await signDelegates(context, accountId, delegates, relay, options, run);
      const { transactions, release, endTurn } = approved;
      const { activity } = context;
      const noted = {
        accountId,
        receiverId,
        actions: transactions.flatMap((transaction) => transaction.actions),
      };
      try {
        const [signed] = approved.signed;
        if (!signed) throw new LatchkeyError(BATCH_SIGNING_FAILED);
        /** Once the relay has named the transaction that carries it, its user can look that one up. */
        const settles = (fate: TransactionFate, carrier: string | null): void => {
          if (carrier !== null) activity?.leaves({ ...noted, transactionId: carrier, replaces: signed.hash });
          activity?.settles(accountId, carrier ?? signed.hash, fate);
        };
        const payment = await transactionsDigest(transactions);
        const close = await openDelegateJournal(context, { ...toSign, ...signed, transactions, payment });
        activity?.leaves({ ...noted, transactionId: signed.hash, isDelegate: true });
        emit('broadcasting', 'progress', 'Sending to the relay', { data: { hash: signed.hash } });
        const body = { hash: signed.hash, signedDelegate: signed.signedDelegate };
        const { transactionHash } = await postToRelay(
          (signal) => context.relay.sendSignedDelegate(body, signal),
          run.signal,
        ).catch(async (error: unknown) => {
          const known = toLatchkeyError(error, 'Sending');
          const { fate, transactionId } = known.details;
          if (fate === 'not-sent') await release();
          const carrier = (transactionId as string | undefined) ?? null;
          settles(fate as TransactionFate, carrier);
          await close(fate as TransactionFate, carrier);
          throw known;
        });
        settles('executed', transactionHash);
        await close('executed', transactionHash);
        const data = { transactionId: transactionHash };
        emit('broadcasting', 'success', 'The network took it', { data });
        emit('action-complete', 'success', 'Carried out', { data });
        return { success: true, fate: 'executed', transactionId: transactionHash, result: null };
      } finally {
        endTurn();
      }
    },
    reportFailedAction,
  );
}
