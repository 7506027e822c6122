/** The flows that sign with one prompt and send: one transaction, or several in order or staggered. */

import {
  BATCH_SIGNING_FAILED,
  errorFrom,
  LatchkeyError,
  NO_TRANSACTIONS,
  NOT_SENT,
  toLatchkeyError,
} from '../../errors/wallet.js';
import { failedAction } from '../../failed-results.js';
import { pause } from '../../sleep.js';
import type {
  ActionInput,
  ActionOptions,
  ActionResult,
  ExecutionWait,
  SignAndSendOptions,
  SignedTransaction,
  TransactionInput,
} from '../../types.js';
import type { FlowContext, Joining } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { ifLoaded, warn } from '../warn.js';
import { emitFailure, endText, reportFailedAction } from './action-result.js';
import { assertList } from './actions.js';
import { type SendSignedOptions, sendSigned } from './send.js';
import { type BatchToSign, signBatch } from './sign-batch.js';
import type { SignedBatch } from './signed-batch.js';

const DEFAULT_STAGGER_MS = 75;

/** Signs one transaction and sends it. */
export async function executeAction(
  context: FlowContext,
  accountId: string,
  receiverId: string,
  actions: readonly ActionInput[],
  options: ActionOptions,
): Promise<ActionResult> {
  const transactions = [{ receiverId, actions }];
  const { confirmationConfig } = options;
  return runFlow(
    'action',
    options,
    async (run) => {
      const toSign = { accountId, transactions, confirmationConfig };
      return signingAndSending(context, toSign, run, async (batch) => {
        const [result] = await sendBatch(context, batch, options, run);
        if (!result) throw new LatchkeyError(BATCH_SIGNING_FAILED);
        run.emit('action-complete', 'success', endText(result), {
          data: { transactionId: result.transactionId },
        });
        return result;
      });
    },
    reportFailedAction,
  );
}

/**
 * Signs a batch with one prompt and sends its transactions. A failure ends a sequential batch; in a staggered batch the
 * others go on.
 */
export async function signAndSendTransactions(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionInput[],
  options: SignAndSendOptions,
): Promise<readonly ActionResult[]> {
  const { confirmationConfig, uiDigest } = options;
  return runFlow(
    'action',
    options,
    async (run) => {
      assertList(transactions);
      if (transactions.length === 0) throw new LatchkeyError(NO_TRANSACTIONS);
      const toSign = { accountId, transactions, confirmationConfig, uiDigest };
      return signingAndSending(context, toSign, run, async (batch) => {
        const results = await sendBatch(context, batch, options, run);
        run.emit('action-complete', 'success', endText(...results), {
          data: { transactionIds: results.map(({ transactionId }) => transactionId) },
        });
        return results;
      });
    },
    (error, run) => {
      emitFailure(error, run);
      if (error instanceof BatchError) return error.results;
      if (!transactions?.length) throw error;
      return Array.from(transactions, () => failedAction(error));
    },
  );
}

/** Some of a batch failed; carries the results of all. */
class BatchError extends LatchkeyError {
  readonly results: readonly ActionResult[];

  constructor(first: LatchkeyError, results: readonly ActionResult[]) {
    super(
      { code: first.code, text: first.message },
      { values: first.values ?? {}, cause: first, details: { ...first.details, results } },
    );
    this.results = results;
  }
}

/** Signs the caller's transactions and those that join them in one approval, then sends. Always ends the key. */
export async function signingAndSending<T>(
  context: FlowContext,
  toSign: BatchToSign,
  run: Run<'action'>,
  send: (batch: SignedBatch) => Promise<T>,
): Promise<T> {
  const joining = await context.joining?.(toSign.accountId);
  const appKeys = [...(toSign.appKeys ?? []), ...(joining?.appKeys ?? [])];
  const batch = await signBatch(context, { ...toSign, also: joining?.transactions, appKeys }, run);
  try {
    return await send(batch);
  } finally {
    if (joining) await handOver(context, batch, joining);
    await batch.returnUnsent();
    batch.end();
  }
}

/** Their nonces come last, so that they never overtake the user's own transactions. */
async function handOver(context: FlowContext, batch: SignedBatch, joining: Joining): Promise<void> {
  try {
    await joining.take(batch.also.map((_, index) => batch.take(batch.signed.length + index)));
  } catch (error) {
    // The caller's own transactions have their results already; the next approval signs these again.
    warn(context.config, 'What joined an approval could not be kept', error);
  }
}

type Attempt = ActionResult | LatchkeyError;
type SendNext = (index: number) => Promise<Attempt>;

async function sendBatch(
  context: FlowContext,
  batch: SignedBatch,
  options: Pick<SignAndSendOptions, 'executionWait' | 'waitUntil'>,
  run: Run<'action'>,
): Promise<readonly ActionResult[]> {
  const wait: ExecutionWait = options.executionWait ?? { mode: 'sequential' };
  const until = { waitUntil: wait.waitUntil ?? options.waitUntil };
  // Without it, nothing tells later what left.
  const part = await ifLoaded(context, import('./batch-journal.js'));
  const journal = await part?.openBatchJournal(context, batch);
  const sendNext: SendNext = async (index) => {
    const sending = sendOne(context, batch, index, until, run, async (copy) => journal?.leaves(index, copy));
    const attempt = await sending.catch((error: unknown) => toLatchkeyError(error, 'Sending'));
    journal?.settles(index, resultOf(attempt));
    return attempt;
  };
  const attempts =
    wait.mode === 'sequential'
      ? await sendInOrder(context, batch, sendNext)
      : await sendStaggered(batch, wait.staggerMs ?? DEFAULT_STAGGER_MS, sendNext, run);
  await journal?.close();
  const first = attempts.find((attempt) => attempt instanceof LatchkeyError);
  const results = attempts.map(resultOf);
  if (first) throw new BatchError(first, results);
  return results;
}

function resultOf(attempt: Attempt): ActionResult {
  return attempt instanceof LatchkeyError ? failedAction(attempt) : attempt;
}

async function sendInOrder(context: FlowContext, batch: SignedBatch, sendNext: SendNext): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let hasFailed = false;
  for (const [index, { hash }] of batch.signed.entries()) {
    if (hasFailed) {
      attempts.push(new LatchkeyError(NOT_SENT, { details: { transactionId: hash, fate: 'not-sent' } }));
      continue;
    }
    const attempt = (await overtakenBefore(context, batch, index)) ?? (await sendNext(index));
    hasFailed = attempt instanceof LatchkeyError;
    attempts.push(attempt);
  }
  return attempts;
}

/** If another tab took later nonces meanwhile, signs the rest again before the chain refuses it. */
async function overtakenBefore(
  { contexts }: FlowContext,
  batch: SignedBatch,
  index: number,
): Promise<LatchkeyError | undefined> {
  if (index === 0) return undefined;
  try {
    const { accountId, publicKey, lastNonces } = batch;
    const overtaken = await Promise.all(
      [...lastNonces].map(([lane, nonce]) => contexts.isOvertaken(accountId, publicKey, nonce, lane)),
    );
    if (overtaken.includes(true)) await batch.renew();
  } catch (error) {
    const { code, message, values, details } = toLatchkeyError(error, 'Signing');
    const transactionId = batch.signed[index]?.hash;
    return errorFrom({
      code,
      message,
      values,
      cause: error,
      details: { ...details, transactionId, fate: 'not-sent' },
    });
  }
  return undefined;
}

async function sendStaggered(
  batch: SignedBatch,
  staggerMs: number,
  sendNext: SendNext,
  { signal }: Run<'action'>,
): Promise<Attempt[]> {
  return Promise.all(
    batch.signed.map(async (_, index): Promise<Attempt> => {
      // An abort ends the wait, and the next step sees it.
      await pause(index * staggerMs, signal);
      return sendNext(index);
    }),
  );
}

/** Sends one of the batch. If another device or tab took its nonce, signs it again inside the same approval. */
export async function sendOne(
  context: FlowContext,
  batch: SignedBatch,
  index: number,
  until: Pick<SendSignedOptions, 'waitUntil' | 'untilEnded'>,
  run: Run<'action'>,
  onSend?: (copy: SignedTransaction) => Promise<void>,
): Promise<ActionResult> {
  const { emit } = run;
  const result = await sendSigned(context, batch.take(index), {
    ...until,
    run,
    resign: (refused) => batch.retake(index, refused),
    onSend: async (copy) => {
      await onSend?.(copy);
      emit('broadcasting', 'progress', 'Sending', { data: { index, transactionId: copy.hash } });
    },
  });
  emit('broadcasting', 'success', 'The network took it', {
    data: { index, transactionId: result.transactionId },
  });
  return result;
}
