/** Signs delegate actions (NEP-366) with one prompt: the approval, the nonces, the signatures. */
import { base64 } from '@scure/base';
import type { DelegateModel } from '../../confirm/port.js';
import { INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import type { UserRecord } from '../../storage/records.js';
import type {
  ActionInput,
  DelegateOptions,
  ExecuteDelegateOptions,
  SignDelegatesOptions,
  TransactionRequest,
} from '../../types.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { ifLoaded } from '../warn.js';
import { assertDelegable, completeTransactions } from './actions.js';
import { approve, beginSigning, loggedInAccount } from './approve.js';
import { signInTurn, withNonces } from './sign-in-turn.js';

export interface DelegateToSign extends DelegateWish {
  readonly receiverId: string;
  readonly actions: readonly ActionInput[];
}

export interface Signed {
  readonly hash: string;
  /** base64. */
  readonly signedDelegate: string;
  readonly publicKey: string;
  readonly nonce: string;
  readonly maxBlockHeight: string;
}

export interface SignedDelegates {
  /** One for each, in order. */
  readonly signed: readonly Signed[];
  /** The transactions that they stand for. */
  readonly transactions: readonly TransactionRequest[];
  /** Gives back the wallet's own nonces, once nothing signed with them can reach the chain. */
  readonly release: () => Promise<void>;
  readonly endTurn: () => void;
}

/** `relay` is the host of the relay that gets them; null when the caller does. */
export async function signDelegates(
  context: FlowContext,
  accountId: string,
  delegates: readonly DelegateToSign[],
  relay: string | null,
  { confirmationConfig, validForBlocks }: DelegateOptions | SignDelegatesOptions | ExecuteDelegateOptions,
  run: Run<'action'>,
): Promise<SignedDelegates> {
  const { config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  const transactions = completeTransactions(delegates);
  assertDelegable(transactions);
  const account = await loggedInAccount(context, accountId);
  const limits = await delegateLimits(context, account.user, delegates, validForBlocks, signal);
  const publicKey = account.user.clientNearPublicKey;

  const signer = await signers.acquire(signal);
  try {
    const reading = ifLoaded(context, import('./preview.js')).then((part) =>
      part?.previewDelegate(context, accountId, transactions),
    );
    const preview = await beforeAsking(context, signal, reading);
    const { validForBlocks: blocks, maxBlockHeights, nonces } = limits;
    const asked = {
      signerAccountId: accountId,
      publicKey,
      rpId,
      transactions,
      ...(maxBlockHeights
        ? { delegateMaxHeights: [...maxBlockHeights] }
        : { delegateForBlocks: String(blocks) }),
    };
    const delegate = { relay, validForBlocks: blocks, ...(maxBlockHeights && { maxBlockHeights }) };
    const { networkId } = config;
    const { handle, verified } = await approve(
      context,
      {
        type: 'signTransaction',
        account,
        signer,
        shown: { kind: 'transactions', accountId, rpId, networkId, transactions, delegate, ...preview },
        prepare: () => signer.call('prepareTransactions', [asked], { signal }),
        confirmationConfig,
      },
      run,
    );
    const key = { accountId, publicKey };
    return await signInTurn(context, key, 'shared', run, async (_reading, endTurn) => {
      // The wallet's own nonces start above those that the caller chose.
      for (const nonce of nonces) if (nonce) context.contexts.overtaken(accountId, publicKey, BigInt(nonce));
      const own = nonces.filter((nonce) => nonce === undefined).length;
      const { signed, reserved } = await withNonces(
        context,
        key,
        Array(own).fill(undefined),
        async (next) => {
          const free = [...next];
          const used = nonces.map((nonce) => nonce ?? free.shift() ?? '');
          const call = signer.call('signDelegates', [handle, used], { signal });
          const [answers] = await Promise.all([call, verified]);
          return answers.map(({ hash, borshBytes, maxBlockHeight }, index) => {
            const signedDelegate = base64.encode(borshBytes);
            return { hash, signedDelegate, publicKey, nonce: used[index] ?? '', maxBlockHeight };
          });
        },
      );
      if (relay === null) endTurn();
      return { signed, transactions, release: () => reserved.release(), endTurn };
    });
  } finally {
    signer.end();
  }
}

/** About six minutes at 0.6 s per block. */
const DEFAULT_BLOCKS = 600;
/** The relay refuses a delegate with fewer blocks left, or with more. */
const MIN_BLOCKS = 10;
const MAX_BLOCKS = 86_400;
/**
 * A nonce that the caller chose is at most this far above the key's. Once it is carried out, the chain refuses every lower
 * one that was signed.
 */
const MAX_NONCES_AHEAD = 1_000n;
const DIGITS = /^(0|[1-9]\d{0,19})$/;

/** What a caller may want of one delegate, both decimal strings. */
export interface DelegateWish {
  readonly nonce?: string | undefined;
  readonly maxBlockHeight?: string | undefined;
}

/** One item for each delegate, in order. */
export interface DelegateLimits extends Pick<DelegateModel, 'validForBlocks' | 'maxBlockHeights'> {
  /** Undefined: the wallet takes its next one. */
  readonly nonces: readonly (string | undefined)[];
}

/** Checks what the caller wants against the chain, before the user is asked. Throws INVALID_ACTION, naming the field. */
export async function delegateLimits(
  context: FlowContext,
  user: UserRecord,
  wishes: readonly DelegateWish[],
  validForBlocks = DEFAULT_BLOCKS,
  signal: AbortSignal,
): Promise<DelegateLimits> {
  if (!Number.isInteger(validForBlocks) || validForBlocks < MIN_BLOCKS || validForBlocks > MAX_BLOCKS) {
    throw invalid(`validForBlocks must be a whole number from ${MIN_BLOCKS} to ${MAX_BLOCKS}`);
  }
  const nonces = wishes.map(({ nonce }) => nonce);
  const heights = wishes.map(({ maxBlockHeight }) => maxBlockHeight);
  const given = nonces.filter((nonce) => nonce !== undefined);
  const isAbsolute = heights.some((height) => height !== undefined);
  if (given.length === 0 && !isAbsolute) return { validForBlocks, nonces };

  const reading = await beforeAsking(context, signal, beginSigning(context, user));
  checkNonces(given, BigInt(reading.accessKey.nonce));
  if (!isAbsolute) return { validForBlocks, nonces };
  const block = BigInt(reading.blockHeight);
  const maxBlockHeights = heights.map((height) =>
    height === undefined ? String(block + BigInt(validForBlocks)) : checkedHeight(height, block),
  );
  const left = maxBlockHeights.map((height) => Number(BigInt(height) - block));
  return { validForBlocks: Math.max(...left), maxBlockHeights, nonces };
}

function checkNonces(nonces: readonly string[], reached: bigint): void {
  for (const nonce of nonces) {
    const ahead = DIGITS.test(nonce) ? BigInt(nonce) - reached : 0n;
    if (ahead < 1n || ahead > MAX_NONCES_AHEAD) {
      throw invalid(
        `the nonce of a delegate must be above ${reached}, the key's own, by at most ${MAX_NONCES_AHEAD}: a higher one would ` +
          'lapse whatever is signed before it',
      );
    }
  }
  if (new Set(nonces).size < nonces.length) throw invalid('each delegate needs a nonce of its own');
}

function checkedHeight(height: string, block: bigint): string {
  const ahead = DIGITS.test(height) ? BigInt(height) - block : 0n;
  if (ahead < 1n || ahead > BigInt(MAX_BLOCKS)) {
    throw invalid(`maxBlockHeight must be above ${block}, the last block, by at most ${MAX_BLOCKS}`);
  }
  return height;
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_ACTION, { values: { reason } });
}
