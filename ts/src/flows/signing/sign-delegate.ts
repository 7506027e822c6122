/** Delegate actions (NEP-366): the user signs, and another account submits them and pays. */
import { base64 } from '@scure/base';
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '../../errors/index.js';
import { transactionsDigest } from '../../intent/index.js';
import type {
  ActionInput,
  ActionResult,
  DelegateOptions,
  ExecuteDelegateOptions,
  SignDelegateResult,
  TransactionFate,
  TransactionRequest,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { failure, type Run, runFlow } from '../run.js';
import { completeTransactions } from './actions.js';
import { approve, loggedInAccount } from './approve.js';
import { openDelegateJournal } from './delegate-journal.js';
import { emitFailure, failedAction } from './failure.js';
import { whereLoaded } from './sign-batch.js';
import { signInTurn, withNonces } from './sign-in-turn.js';

/** About six minutes at 0.6 s per block. */
const DEFAULT_BLOCKS = 600;
/** The relay refuses a delegate with fewer blocks left, or with more. */
const MIN_BLOCKS = 10;
const MAX_BLOCKS = 86_400;
const POSTS = 3;
const POST_PAUSE_MS = 1_000;

export interface DelegateToSign {
  readonly accountId: string;
  readonly receiverId: string;
  readonly actions: readonly ActionInput[];
}

/** Signs with one prompt; the caller hands it to the account that pays. */
export async function signDelegateAction(
  context: FlowContext,
  toSign: DelegateToSign,
  options: DelegateOptions,
): Promise<SignDelegateResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { signed } = await sign(context, toSign, null, options, run);
      run.emit('action-complete', 'success', 'Signed');
      return { success: true, ...signed };
    },
    (error, run) => {
      emitFailure(error, run);
      return {
        ...failure(error),
        hash: null,
        signedDelegate: null,
        publicKey: null,
        nonce: null,
        maxBlockHeight: null,
      };
    },
  );
}

/** Signs with one prompt; the configured relay submits it and pays. */
export async function executeDelegateAction(
  context: FlowContext,
  toSign: DelegateToSign,
  options: ExecuteDelegateOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { emit } = run;
      const relay = new URL(context.config.relayer.url).host;
      const { signed, transactions, payment, release, endTurn } = await sign(
        context,
        toSign,
        relay,
        options,
        run,
      );
      const { activity } = context;
      const { accountId, receiverId } = toSign;
      const noted = { accountId, receiverId, actions: transactions.flatMap(({ actions }) => actions) };
      /** Once the relay has named the transaction that carries it, its user can look that one up. */
      const settles = (fate: TransactionFate, carrier: string | null): void => {
        if (carrier !== null) activity?.leaves({ ...noted, transactionId: carrier, replaces: signed.hash });
        activity?.settles(accountId, carrier ?? signed.hash, fate);
      };
      try {
        const close = await openDelegateJournal(context, { ...toSign, ...signed, transactions, payment });
        activity?.leaves({ ...noted, transactionId: signed.hash, isDelegate: true });
        emit('broadcasting', 'progress', 'Sending to the relay', { data: { hash: signed.hash } });
        const { transactionHash } = await post(context, signed, run).catch(async (error: unknown) => {
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
        emit('broadcasting', 'success', 'The chain took it', { data });
        emit('action-complete', 'success', 'Done', { data });
        return { success: true, fate: 'executed', transactionId: transactionHash, result: null };
      } finally {
        endTurn();
      }
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAction(error);
    },
  );
}

interface Signed {
  readonly hash: string;
  /** base64. */
  readonly signedDelegate: string;
  readonly publicKey: string;
  readonly nonce: string;
  readonly maxBlockHeight: string;
}

interface SignedApproval {
  readonly signed: Signed;
  /** The one that it stands for. */
  readonly transactions: readonly TransactionRequest[];
  /** The digest of what it does, which finds the same payment asked for again. */
  readonly payment: string;
  readonly release: () => Promise<void>;
  readonly endTurn: () => void;
}

async function sign(
  context: FlowContext,
  { accountId, receiverId, actions }: DelegateToSign,
  relay: string | null,
  { confirmationConfig, validForBlocks = DEFAULT_BLOCKS }: DelegateOptions | ExecuteDelegateOptions,
  run: Run<'action'>,
): Promise<SignedApproval> {
  const { config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  if (!Number.isInteger(validForBlocks) || validForBlocks < MIN_BLOCKS || validForBlocks > MAX_BLOCKS) {
    throw invalid(`validForBlocks must be a whole number from ${MIN_BLOCKS} to ${MAX_BLOCKS}`);
  }
  const transactions = completeTransactions([{ receiverId, actions }]);
  const account = await loggedInAccount(context, accountId);
  const publicKey = account.user.clientNearPublicKey;

  const signer = await signers.acquire(signal);
  try {
    const part = await whereLoaded(context, import('./besides.js'));
    const besides = await part?.besidesDelegate(context, accountId, transactions);
    const delegateForBlocks = String(validForBlocks);
    const asked = { signerAccountId: accountId, publicKey, rpId, transactions, delegateForBlocks };
    const { handle, verified } = await approve(
      context,
      {
        type: 'signTransaction',
        account,
        signer,
        shown: {
          kind: 'transactions',
          accountId,
          rpId,
          networkId: config.networkId,
          transactions,
          delegate: { relay, validForBlocks },
          ...besides,
        },
        prepare: () => signer.call('prepareTransactions', [asked], { signal }),
        confirmationConfig,
      },
      run,
    );
    const key = { accountId, publicKey };
    return await signInTurn(context, key, 'shared', run, async (_reading, endTurn) => {
      const { signed, reserved } = await withNonces(context, key, 1, async ([nonce = '']) => {
        const call = signer.call('signDelegate', [handle, nonce], { signal });
        const [{ hash, borshBytes, maxBlockHeight }] = await Promise.all([call, verified]);
        return { hash, signedDelegate: base64.encode(borshBytes), publicKey, nonce, maxBlockHeight };
      });
      if (relay === null) endTurn();
      const payment = await transactionsDigest(transactions);
      return { signed, transactions, payment, release: () => reserved.release(), endTurn };
    });
  } finally {
    signer.end();
  }
}

/** Posts again after a lost answer: the relay knows a delegate by its hash and executes it once. */
async function post(
  { relay }: FlowContext,
  { hash, signedDelegate }: Signed,
  { signal }: Run<'action'>,
): Promise<{ readonly transactionHash: string }> {
  let wasLost = false;
  /** The transaction that a relay without its outcome has named. */
  let named: unknown;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) throw told(toLatchkeyError(signal.reason), wasLost ? 'unknown' : 'not-sent', named);
    try {
      return await relay.sendSignedDelegate({ hash, signedDelegate }, signal);
    } catch (error) {
      const known = toLatchkeyError(error, 'Sending');
      const { transactionId } = known.details;
      if (isLatchkeyError(known, 'RELAY_REFUSED')) {
        const isDone = typeof transactionId === 'string';
        // Its refusal of the second copy (too many requests, say) tells nothing about the first, whose answer was lost.
        const isOpen = wasLost && (!isDone || known.details.relayCode === 'nonce_used');
        throw told(known, isOpen ? 'unknown' : isDone ? 'failed' : 'not-sent', named);
      }
      wasLost = true;
      named = transactionId ?? named;
      if (attempt === POSTS || signal.aborted) throw told(known, 'unknown', named);
      await new Promise((resolve) => setTimeout(resolve, POST_PAUSE_MS * attempt));
    }
  }
}

function told(error: LatchkeyError, fate: TransactionFate, named: unknown): LatchkeyError {
  const { code, message } = error;
  const details = { ...(named !== undefined && { transactionId: named }), ...error.details, fate };
  return new LatchkeyError(code, { message, cause: error, details });
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_ACTION', { values: { reason } });
}
