/** Signing transactions: one prompt for a whole batch. */

import type { AppKeyModel, LinkedDeviceModel } from '../../confirm/port.js';
import { toLatchkeyError } from '../../errors/core.js';
import type {
  ConfirmationWish,
  SignNep413Params,
  SignTransactionResult,
  SignTransactionsOptions,
  TransactionInput,
  TransactionRequest,
} from '../../types.js';
import type { SignedMessage } from '../../workers/signer-api.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { ifLoaded } from '../warn.js';
import { emitFailure } from './action-result.js';
import { completeTransactions } from './actions.js';
import { approve, beginSigning, loggedInAccount } from './approve.js';
import { signInTurn, withNonces } from './sign-in-turn.js';
import type { messageToSign, PreparedMessage } from './sign-nep413.js';
import { keepSigned, SignedBatch, type Signing } from './signed-batch.js';
import { assertLane, type TransactionContext } from './transaction-contexts.js';

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
      keepSigned(context, batch.signed);
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
  readonly confirmationConfig?: ConfirmationWish | undefined;
  /** Decides the confirmation. Default 'signTransaction'. */
  readonly type?: 'signTransaction' | 'linkDevice';
  /** Shown with the transactions when they let another device in. */
  readonly device?: LinkedDeviceModel | undefined;
  /** What a button of the page showed at the user's click: the digest of these transactions, without those of `also`. */
  readonly uiDigest?: string | undefined;
  /** A message that the same prompt signs. */
  readonly message?: SignNep413Params | undefined;
  /** Transactions that waited for this account's next approval: shown and signed with the rest, returned apart. */
  readonly also?: readonly TransactionRequest[] | undefined;
  /** Shown: the app keys with an end that any of them adds or removes. */
  readonly appKeys?: readonly AppKeyModel[] | undefined;
  /** Shown: the key among them that is a recovery phrase's. */
  readonly recoveryKey?: string | undefined;
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
    uiDigest,
    message: messageParams,
    also = [],
    appKeys,
    recoveryKey,
  }: BatchToSign,
  run: Run<'action'>,
): Promise<SignedBatch> {
  const { contexts, config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  const asked = completeTransactions(inputs);
  const transactions = [...asked, ...also];
  const account = await loggedInAccount(context, accountId);
  const publicKey = account.user.clientNearPublicKey;
  const lanes = transactions.map(({ lane }) => lane);
  /** One reading of the key, and one of each lane. */
  const inLanes = async (
    read: (lane?: number) => Promise<TransactionContext>,
  ): Promise<TransactionContext> => {
    const used = [...new Set(lanes)].filter((lane) => lane !== undefined);
    const [own] = await Promise.all([read(), ...used.map(read)]);
    return own;
  };

  const signer = await signers.acquire(signal);
  try {
    const part = ifLoaded(context, import('./preview.js'));
    const reading = Promise.all([
      part.then((loaded) => loaded?.preview(context, accountId, transactions, device?.publicKey)),
      messageParams && part.then((loaded) => loaded?.previewMessage(context, accountId, messageParams)),
      inLanes((lane) => beginSigning(context, account.user, lane)),
    ]);
    const [preview, previewMessage, { accessKey }] = await beforeAsking(context, signal, reading);
    for (const lane of lanes) assertLane(publicKey, accessKey, lane);
    const request = { signerAccountId: accountId, publicKey, rpId, transactions };
    const message = messageParams && (await toMessage(context, { accountId, publicKey }, messageParams));
    const { handle, messageHandle, verified } = await approve(
      context,
      {
        type,
        account,
        signer,
        shown: {
          kind: 'transactions',
          accountId,
          rpId,
          networkId: config.networkId,
          transactions,
          ...(also.length > 0 && { ownDeletions: also.length }),
          ...(device && { device }),
          ...(appKeys?.length && { appKeys }),
          ...(recoveryKey !== undefined && { recoveryKey }),
          ...(message && { withMessage: { ...message.shown, ...previewMessage } }),
          ...preview,
        },
        prepare: () => signer.call('prepareTransactions', [request], { signal }),
        prepareMessage: message && (() => signer.call('prepareNep413', [message.request], { signal })),
        confirmationConfig,
        // The button knew nothing of what joins.
        uiDigest: also.length > 0 ? undefined : uiDigest,
      },
      run,
    );

    const key = { accountId, publicKey };
    let signedMessage: SignedMessage | undefined;
    if (messageHandle !== undefined) {
      const signing = signer.call('signNep413', [messageHandle], { signal });
      [signedMessage] = await Promise.all([signing, verified]);
    }
    const mode = transactions.length > 1 ? 'exclusive' : 'shared';
    /** The first signing and each one after it. */
    const sign = async ({ blockHash, blockHeight }: TransactionContext): Promise<Signing> => {
      const signing = await withNonces(context, key, lanes, async (nonces) => {
        const call = signer.call('sign', [handle, nonces, blockHash], { signal });
        const [signed] = await Promise.all([call, verified]);
        return signed;
      });
      return { ...signing, blockHeight };
    };
    return await signInTurn(context, key, mode, run, async (reading, endTurn) => {
      const batch = {
        ...key,
        requests: transactions,
        count: asked.length,
        message: signedMessage,
        signing: await sign(reading),
        signAgain: async () => sign(await inLanes((lane) => contexts.renew(accountId, publicKey, lane))),
        end: () => {
          signer.end();
          endTurn();
        },
      };
      return new SignedBatch(batch);
    });
  } catch (error) {
    signer.end();
    throw toLatchkeyError(error, 'Signing');
  }
}

/** Most batches sign no message. */
async function toMessage(...args: Parameters<typeof messageToSign>): Promise<PreparedMessage> {
  return (await import('./sign-nep413.js')).messageToSign(...args);
}
