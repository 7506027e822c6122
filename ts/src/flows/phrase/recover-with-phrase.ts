/**
 * Opens an account again whose passkey is lost: twelve words let a new passkey in.
 *
 * 1. the user types the words in the viewer, which passes them to the phrase worker alone
 * 2. the chain is asked whether their key has full access to the account; the viewer shows every refusal
 * 3. as when an account is brought from another wallet (linking/adopt.ts): the passkey is made, the phrase's key signs one
 *    AddKey, the passkey is registered by its own key, and this device is logged in
 *
 * The words open the account afterwards too. Interrupted, the same call continues, without a second passkey.
 */
import { adoptAccount } from '../../adopt-account.js';
import { retryText } from '../../confirm/confirmation.js';
import {
  ACCOUNT_NOT_FOUND,
  errorOf,
  isLatchkeyError,
  LatchkeyError,
  NO_PAYLOADS,
  RECOVERY_PHRASE_IN_DOUBT,
  RECOVERY_PHRASE_LIMITED,
  RECOVERY_PHRASE_NOT_OF_ACCOUNT,
  RECOVERY_PHRASE_NOT_USED,
  toLatchkeyError,
} from '../../errors/account.js';
import type { FlowEvent } from '../../events.js';
import { failedLinking } from '../../failed-results.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import type { KeyToAdd, RecoverWithPhraseArgs, RestoredAccount } from '../../types.js';
import type { PhraseApi } from '../../workers/phrase-api.js';
import type { WorkerClient } from '../../workers/rpc.js';
import { startPhraseSigner } from '../../workers/start-phrase.js';
import type { FlowContext } from '../context.js';
import { abandonAdoption, finishAdoption, prepareAdoption } from '../linking/adopt.js';
import { eventError, type Run, runFlow } from '../run.js';
import { completeTransactions } from '../signing/actions.js';
import { sendWithKey } from '../signing/send-without-prompt.js';
import { assertPhrasesAllowed, openPhraseViewer, PHRASE_CALL_LIMIT_MS } from './phrase-viewer.js';

export async function recoverWithPhrase(
  context: FlowContext,
  { nearAccountId, options = {} }: RecoverWithPhraseArgs,
): Promise<RestoredAccount> {
  let named = nearAccountId;
  return runFlow(
    'linking',
    options,
    async (run) => {
      assertPhrasesAllowed(context);
      if (nearAccountId !== undefined) assertExistingAccountId(nearAccountId);
      const worker = await startPhraseSigner();
      try {
        const opened = await openedByWords(context, worker, nearAccountId, options, run);
        named = opened.accountId;
        return await letIn(context, worker, opened, options, run);
      } finally {
        worker.close();
      }
    },
    (error, { emit }) => {
      emit('device-linking-error', 'error', error.message, eventError(error));
      return failedLinking(error, named ?? null);
    },
  );
}

/** An account, and the key of the words, which has full access to it. */
interface Opened {
  readonly accountId: string;
  readonly publicKey: string;
}

/** Asks for the words until they open the account. The viewer shows every refusal, for another try. */
async function openedByWords(
  context: FlowContext,
  worker: WorkerClient<PhraseApi>,
  accountId: string | undefined,
  { confirmationConfig: wish }: NonNullable<RecoverWithPhraseArgs['options']>,
  { emit, signal }: Run<'linking'>,
): Promise<Opened> {
  const purpose = { purpose: 'enter', ...(accountId !== undefined && { accountId }) } as const;
  const viewer = await openPhraseViewer(context, purpose, { wish, signal });
  try {
    emit('authorization', 'progress', 'Asking for the recovery phrase');
    for (;;) {
      const typed = await viewer.requested();
      try {
        const account = accountId ?? typed ?? '';
        assertExistingAccountId(account);
        const port = viewer.openKeyPort();
        const call = { signal: viewer.signal, transfer: [port], timeoutMs: PHRASE_CALL_LIMIT_MS };
        const publicKey = await worker.call('take', [port], call);
        await assertOpens(context, account, publicKey, viewer.signal);
        emit('authorization', 'success', 'The recovery phrase opens the account');
        return { accountId: account, publicKey };
      } catch (error) {
        if (viewer.signal.aborted) throw viewer.signal.reason;
        if (worker.dead) throw worker.dead;
        viewer.failed(await retryText(toLatchkeyError(error, 'Recovery'), context.confirmer()));
      }
    }
  } finally {
    viewer.close();
  }
}

/** Throws ACCOUNT_NOT_FOUND, RECOVERY_PHRASE_NOT_OF_ACCOUNT or RECOVERY_PHRASE_LIMITED; a missing key is asked for twice. */
async function assertOpens(
  { rpc }: FlowContext,
  account: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<void> {
  const view = { agreed: true, certain: true, signal };
  const values = { account };
  if (!(await rpc.viewAccount(account, view))) throw new LatchkeyError(ACCOUNT_NOT_FOUND, { values });
  const key = await rpc.viewAccessKey(account, publicKey, view);
  if (!key) throw new LatchkeyError(RECOVERY_PHRASE_NOT_OF_ACCOUNT, { values });
  if (key.permission !== 'FullAccess') throw new LatchkeyError(RECOVERY_PHRASE_LIMITED, { values });
}

/** Makes the passkey, adds its key with the phrase's, and logs in. */
async function letIn(
  context: FlowContext,
  worker: WorkerClient<PhraseApi>,
  { accountId, publicKey }: Opened,
  { onEvent, confirmationConfig }: NonNullable<RecoverWithPhraseArgs['options']>,
  run: Run<'linking'>,
): Promise<RestoredAccount> {
  const own = {
    prepareAdoption: (id: string, options = {}) => prepareAdoption(context, id, options),
    abandonAdoption: (id: string) => abandonAdoption(context, id),
    finishAdoption: (id: string, options = {}) => finishAdoption(context, id, options),
  };
  // This flow reports its error itself, once.
  const forward = (event: FlowEvent<'linking'>): void => {
    if (event.status !== 'error' || event.phase === 'login-error') onEvent?.(event);
  };
  const { signal } = run;
  const adopted = await adoptAccount(
    own,
    {
      accountId,
      addKey: (key) => addWithPhrase(context, worker, publicKey, key, run),
      options: { onEvent: forward, signal, ...(confirmationConfig && { confirmationConfig }) },
    },
    RECOVERY_PHRASE_NOT_USED,
  );
  if (adopted.success) return adopted;
  if (adopted.errorCode === 'ADOPTED_KEY_MISSING') {
    throw new LatchkeyError(RECOVERY_PHRASE_IN_DOUBT, { values: { account: accountId } });
  }
  throw errorOf(adopted);
}

/** Signs the AddKey in the phrase worker and sends it. Rejects only when the chain will certainly not have the key. */
async function addWithPhrase(
  context: FlowContext,
  worker: WorkerClient<PhraseApi>,
  publicKey: string,
  { accountId, receiverId, action: { type, params } }: KeyToAdd,
  run: Run<'linking'>,
): Promise<void> {
  const [transaction] = completeTransactions([{ receiverId, actions: [{ type, ...params }] }]);
  if (!transaction) throw new LatchkeyError(NO_PAYLOADS);
  const call = { signal: run.signal, timeoutMs: PHRASE_CALL_LIMIT_MS };
  const sign = (nonce: string, blockHash: string) =>
    worker.call('sign', [{ signerAccountId: accountId, ...transaction, nonce, blockHash }], call);
  try {
    await sendWithKey(context, { accountId, publicKey, sign, run });
  } catch (error) {
    const { fate } = isLatchkeyError(error) ? error.details : {};
    // The chain decides: finishing waits for the key.
    if (fate !== 'sent' && fate !== 'unknown') throw error;
  }
}
