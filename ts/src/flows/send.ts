/** Sending signed transactions, and the flows that sign and send. */
import { isCancellation, LatchkeyError, toLatchkeyError } from '../errors.js';
import { executionFailure, type RpcClient, rpcFailure, type TransactionOutcome } from '../near/index.js';
import type {
  ActionInput,
  ActionOptions,
  ActionResult,
  ExecutionWait,
  SignAndSendOptions,
  SignedTransaction,
  TransactionInput,
  WaitUntil,
} from '../types.js';
import type { FlowContext } from './context.js';
import { failure, type Run, runFlow } from './run.js';
import { emitFailure, type SignedBatch, signBatch } from './sign.js';

const DEFAULT_STAGGER_MS = 75;
/** A nonce can be overtaken again while its transaction is signed anew. */
const MAX_RESIGNS = 3;
/** The chain's names for a transaction that came too late: signed again, it may be taken. */
const OVERTAKEN: readonly unknown[] = ['InvalidNonce', 'Expired'];

/** Signs one transaction and sends it. */
export async function executeAction(
  context: FlowContext,
  accountId: string,
  receiverId: string,
  actions: readonly ActionInput[],
  options: ActionOptions,
): Promise<ActionResult> {
  const transactions = [{ receiverId, actions }];
  return runFlow(
    'action',
    options,
    async (run) => {
      const batch = await signBatch(context, accountId, transactions, options.confirmationConfig, run);
      try {
        const result = await sendSettled(context, batch, 0, options.waitUntil, run);
        run.emit('action-complete', 'success', 'Done', { data: { transactionId: result.transactionId } });
        return result;
      } finally {
        batch.end();
      }
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAction(error);
    },
  );
}

/** Signs a batch with one prompt and sends its transactions. One that fails ends a sequential batch. */
export async function signAndSendTransactions(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionInput[],
  options: SignAndSendOptions,
): Promise<readonly ActionResult[]> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const batch = await signBatch(context, accountId, transactions, options.confirmationConfig, run);
      try {
        const results = await sendBatch(context, batch, options, run);
        run.emit('action-complete', 'success', 'Done', {
          data: { transactionIds: results.map(({ transactionId }) => transactionId) },
        });
        return results;
      } finally {
        batch.end();
      }
    },
    (error, run) => {
      emitFailure(error, run);
      if (transactions.length === 0) throw error;
      return error instanceof BatchError ? error.results : transactions.map(() => failedAction(error));
    },
  );
}

/** Sends a transaction that was signed before. */
export async function sendTransaction(
  { rpc }: FlowContext,
  signedTransaction: SignedTransaction,
  options: ActionOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { emit, signal } = run;
      emit('broadcasting', 'progress', 'Sending', { data: { transactionId: signedTransaction.hash } });
      const result = await send(rpc, signedTransaction, options.waitUntil, signal);
      emit('broadcasting', 'success', 'The chain took it');
      emit('action-complete', 'success', 'Done', { data: { transactionId: result.transactionId } });
      return result;
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAction(error);
    },
  );
}

/** Some of a batch failed; the results of all of them are here. */
class BatchError extends LatchkeyError {
  readonly results: readonly ActionResult[];

  constructor(first: LatchkeyError, results: readonly ActionResult[]) {
    super(first.code, { message: first.message, cause: first, details: first.details });
    this.results = results;
  }
}

async function sendBatch(
  context: FlowContext,
  batch: SignedBatch,
  options: SignAndSendOptions,
  run: Run<'action'>,
): Promise<readonly ActionResult[]> {
  const wait: ExecutionWait = options.executionWait ?? { mode: 'sequential' };
  const waitUntil = (wait.mode === 'sequential' ? wait.waitUntil : undefined) ?? options.waitUntil;
  const attempts =
    wait.mode === 'sequential'
      ? await sendInOrder(context, batch, waitUntil, run)
      : await sendStaggered(context, batch, wait.staggerMs ?? DEFAULT_STAGGER_MS, waitUntil, run);
  const results = attempts.map((attempt) =>
    attempt instanceof LatchkeyError ? failedAction(attempt) : attempt,
  );
  const first = attempts.find((attempt) => attempt instanceof LatchkeyError);
  if (first) throw new BatchError(first, results);
  return results;
}

type Attempt = ActionResult | LatchkeyError;

async function sendInOrder(
  context: FlowContext,
  batch: SignedBatch,
  waitUntil: WaitUntil | undefined,
  run: Run<'action'>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const index of batch.signed.keys()) {
    const failed = attempts.some((attempt) => attempt instanceof LatchkeyError);
    attempts.push(
      failed
        ? new LatchkeyError('NOT_SENT')
        : await sendSettled(context, batch, index, waitUntil, run).catch((error) =>
            toLatchkeyError(error, 'Sending'),
          ),
    );
  }
  return attempts;
}

async function sendStaggered(
  context: FlowContext,
  batch: SignedBatch,
  staggerMs: number,
  waitUntil: WaitUntil | undefined,
  run: Run<'action'>,
): Promise<Attempt[]> {
  return Promise.all(
    batch.signed.map(async (_, index): Promise<Attempt> => {
      await new Promise((resolve) => setTimeout(resolve, index * staggerMs));
      return sendSettled(context, batch, index, waitUntil, run).catch((error) =>
        toLatchkeyError(error, 'Sending'),
      );
    }),
  );
}

/** Sends one of the batch; a nonce that another device took is signed again inside the same approval. */
async function sendSettled(
  { rpc }: FlowContext,
  batch: SignedBatch,
  index: number,
  waitUntil: WaitUntil | undefined,
  { emit, signal }: Run<'action'>,
): Promise<ActionResult> {
  let transaction = batch.signed[index];
  for (let resigns = 0; ; resigns += 1) {
    if (!transaction) throw new LatchkeyError('BATCH_SIGNING_FAILED');
    signal.throwIfAborted();
    emit('broadcasting', 'progress', 'Sending', { data: { index, transactionId: transaction.hash } });
    try {
      const result = await send(rpc, transaction, waitUntil, signal);
      emit('broadcasting', 'success', 'The chain took it', {
        data: { index, transactionId: transaction.hash },
      });
      return result;
    } catch (error) {
      if (resigns === MAX_RESIGNS || !OVERTAKEN.includes(rpcFailure(error)?.reason)) {
        throw error;
      }
      transaction = (await batch.resign())[index];
    }
  }
}

/** Sends one transaction. Every error carries its id: what left the wallet can be looked up, whatever came of it. */
async function send(
  rpc: RpcClient,
  { borshBytes, hash }: SignedTransaction,
  waitUntil: WaitUntil | undefined,
  signal: AbortSignal,
): Promise<ActionResult> {
  try {
    return toResult(await rpc.sendTransaction(borshBytes, waitUntil, { signal }));
  } catch (error) {
    const known = isCancellation(error) ? outcomeUnknown(hash, error) : toLatchkeyError(error, 'Sending');
    const details = { transactionId: hash, ...known.details };
    throw new LatchkeyError(known.code, { message: known.message, cause: known, details });
  }
}

/** The host stopped waiting for what had been sent: it may still be executed, so it was not cancelled. */
function outcomeUnknown(transactionId: string, cause: unknown): LatchkeyError {
  const reason = `what became of transaction ${transactionId} is not known`;
  return new LatchkeyError('NEAR_RPC_FAILED', {
    values: { reason },
    details: { kind: 'outcome_unknown', transactionId },
    cause,
  });
}

/** An execution that failed on the chain is a failure with its transaction's id. */
function toResult(outcome: TransactionOutcome): ActionResult {
  const failed = executionFailure(outcome);
  const { transactionId } = outcome;
  if (failed) {
    throw new LatchkeyError('TRANSACTION_FAILED', {
      values: { reason: describeFailure(failed) },
      details: { transactionId, outcome },
    });
  }
  return { success: true, transactionId, result: outcome };
}

function failedAction(error: LatchkeyError): ActionResult {
  const { transactionId, outcome } = error.details;
  return {
    ...failure(error),
    transactionId: typeof transactionId === 'string' ? transactionId : null,
    result: outcome ?? null,
  };
}

const MAX_REASON_LENGTH = 300;

/** The innermost sentence or name of the chain's nested failure. */
function describeFailure(failed: unknown): string {
  let at = failed;
  let name = 'unknown failure';
  while (typeof at === 'object' && at !== null) {
    if ('ExecutionError' in at && typeof at.ExecutionError === 'string')
      return at.ExecutionError.slice(0, MAX_REASON_LENGTH);
    const entry = Object.entries(at).find(([key]) => key !== 'index');
    if (!entry) break;
    name = entry[0];
    at = entry[1];
  }
  return typeof at === 'string' ? at.slice(0, MAX_REASON_LENGTH) : name;
}
