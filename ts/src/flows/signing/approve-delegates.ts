/** Signs delegate actions (NEP-366) with one prompt: the approval, the nonces, the signatures. */
import { base64 } from '@scure/base';
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
import { completeTransactions } from './actions.js';
import { approve, loggedInAccount } from './approve.js';
import { type DelegateWish, delegateLimits } from './delegate-limits.js';
import { signInTurn, withNonces } from './sign-in-turn.js';
import { whereLoaded } from './where-loaded.js';

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
  const account = await loggedInAccount(context, accountId);
  const limits = await delegateLimits(context, account.user, delegates, validForBlocks, signal);
  const publicKey = account.user.clientNearPublicKey;

  const signer = await signers.acquire(signal);
  try {
    const reading = whereLoaded(context, import('./besides.js')).then((part) =>
      part?.besidesDelegate(context, accountId, transactions),
    );
    const besides = await beforeAsking(context, signal, reading);
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
        shown: { kind: 'transactions', accountId, rpId, networkId, transactions, delegate, ...besides },
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
      const { signed, reserved } = await withNonces(context, key, own, async (next) => {
        const free = [...next];
        const used = nonces.map((nonce) => nonce ?? free.shift() ?? '');
        const call = signer.call('signDelegates', [handle, used], { signal });
        const [answers] = await Promise.all([call, verified]);
        return answers.map(({ hash, borshBytes, maxBlockHeight }, index) => {
          const signedDelegate = base64.encode(borshBytes);
          return { hash, signedDelegate, publicKey, nonce: used[index] ?? '', maxBlockHeight };
        });
      });
      if (relay === null) endTurn();
      return { signed, transactions, release: () => reserved.release(), endTurn };
    });
  } finally {
    signer.end();
  }
}
