/**
 * Adds a recovery key: a key with full access whose only copy is twelve words on the user's paper.
 *
 * 1. the account has what the AddKey costs
 * 2. the phrase worker makes the words and sends them to the viewer; the page gets the public key
 * 3. the user writes them down and types two of them, or nothing else happens
 * 4. the ordinary confirmation, with a note on what the key may do; one prompt signs the AddKey
 *
 * The words are shown once. A failure after that tells whether they open the account.
 */

import { retryText } from '../../confirm/confirmation.js';
import {
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  RECOVERY_KEY_IN_DOUBT,
  RECOVERY_KEY_NOT_ADDED,
  toLatchkeyError,
} from '../../errors/account.js';
import type { KeyViewer } from '../../export/open-viewer.js';
import { failedAction } from '../../failed-results.js';
import { assertSpendable } from '../../near/fees.js';
import type { UserRecord } from '../../storage/records.js';
import type { Action, ActionOptions, RecoveryKeyResult } from '../../types.js';
import { startPhraseMaker } from '../../workers/start-phrase.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { neededFor } from '../linking/balance.js';
import { joiningDeletions } from '../linking/deletion-joining.js';
import { type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { emitFailure, endText } from '../signing/action-result.js';
import { currentFees } from '../signing/cost.js';
import { sendOne, signingAndSending } from '../signing/sign-and-send.js';
import { notOnChain } from '../signing/transaction-contexts.js';
import { assertPhrasesAllowed, openPhraseViewer, PHRASE_CALL_LIMIT_MS } from './phrase-viewer.js';

const RECEIVE_LIMIT_MS = 5_000;

export async function addRecoveryKey(
  context: FlowContext,
  accountId: string,
  options: ActionOptions<RecoveryKeyResult>,
): Promise<RecoveryKeyResult> {
  let publicKey: string | null = null;
  return runFlow(
    'action',
    options,
    async (run) => {
      assertPhrasesAllowed(context);
      const user = await requireSession(context, accountId);
      await beforeAsking(context, run.signal, assertAffordable(context, accountId, run.signal));
      publicKey = await writtenDown(context, user, options, run);
      const result = await add(context, user, publicKey, options, run);
      run.emit('action-complete', 'success', endText(result), {
        data: { transactionId: result.transactionId },
      });
      return result;
    },
    (error, run) => {
      emitFailure(error, run);
      return { ...failedAction(error), publicKey };
    },
  );
}

/** Throws INSUFFICIENT_BALANCE, or that the account is not on the chain, before any word is made. */
async function assertAffordable(context: FlowContext, accountId: string, signal: AbortSignal): Promise<void> {
  const [account, fees] = await Promise.all([
    context.rpc.viewAccount(accountId, { afterWrites: true, signal }),
    currentFees(context),
  ]);
  const transaction = { receiverId: accountId, actions: [addition('')] };
  if (!account) throw notOnChain(accountId);
  assertSpendable(accountId, account, neededFor(accountId, transaction, fees));
}

function addition(publicKey: string): Action {
  return { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } };
}

/** Shows new words until the user has typed two of them. Returns their public key. */
async function writtenDown(
  context: FlowContext,
  user: UserRecord,
  { confirmationConfig: wish }: ActionOptions<RecoveryKeyResult>,
  { emit, signal }: Run<'action'>,
): Promise<string> {
  const purpose = { purpose: 'show', accountId: user.nearAccountId } as const;
  const viewer = await openPhraseViewer(context, purpose, { user, wish, signal });
  try {
    emit('user-confirmation', 'progress', 'The recovery phrase can be shown');
    const publicKey = await makeAtClick(context, viewer);
    if ((await viewer.closed) !== 'done') throw viewer.signal.reason;
    emit('user-confirmation', 'success', 'The recovery phrase is written down');
    return publicKey;
  } finally {
    viewer.close();
  }
}

/** One phrase for each click, until the viewer has one. */
async function makeAtClick(context: FlowContext, viewer: KeyViewer): Promise<string> {
  for (;;) {
    await viewer.requested();
    try {
      const worker = await startPhraseMaker();
      try {
        const port = viewer.openKeyPort();
        const { signal } = viewer;
        const made = { signal, transfer: [port], timeoutMs: PHRASE_CALL_LIMIT_MS };
        const publicKey = await worker.call('make', [port], made);
        await viewer.received(RECEIVE_LIMIT_MS);
        return publicKey;
      } finally {
        worker.close();
      }
    } catch (error) {
      if (viewer.signal.aborted) throw viewer.signal.reason;
      viewer.failed(await retryText(toLatchkeyError(error, 'Making the words'), context.confirmer()));
    }
  }
}

async function add(
  context: FlowContext,
  { nearAccountId: accountId, deviceNumber }: UserRecord,
  publicKey: string,
  { confirmationConfig, waitUntil }: ActionOptions<RecoveryKeyResult>,
  run: Run<'action'>,
): Promise<RecoveryKeyResult> {
  const { store } = context;
  const transactions = [{ receiverId: accountId, actions: [addition(publicKey)] }];
  const toSign = { accountId, transactions, confirmationConfig, recoveryKey: publicKey };
  const joining = (id: string) => joiningDeletions(context, id, publicKey);
  const change = (changed: (keys: readonly string[]) => readonly string[]): Promise<void> =>
    store.updateUser(accountId, deviceNumber, ({ recoveryKeys = [] }) => ({
      recoveryKeys: changed(recoveryKeys),
    }));
  const without = (keys: readonly string[]): readonly string[] => keys.filter((key) => key !== publicKey);
  try {
    const result = await signingAndSending({ ...context, joining }, toSign, run, (batch) =>
      sendOne(context, batch, 0, { waitUntil }, run, () =>
        // From here on the account may have it: the list of devices then gives it its name.
        change((keys) => [...without(keys), publicKey]),
      ),
    );
    return { ...result, publicKey };
  } catch (thrown) {
    const told = afterWords(toLatchkeyError(thrown, 'Signing'), accountId, publicKey);
    if (!isLatchkeyError(told, 'RECOVERY_KEY_IN_DOUBT')) await change(without);
    throw told;
  }
}

/** The failure, for a user who has the words on paper. */
function afterWords(cause: LatchkeyError, account: string, key: string): LatchkeyError {
  const { details } = cause;
  const reason = messageOf(cause).replace(/\.$/, '');
  return details.fate === 'unknown' || details.fate === 'sent'
    ? new LatchkeyError(RECOVERY_KEY_IN_DOUBT, { values: { account, key, reason }, details, cause })
    : new LatchkeyError(RECOVERY_KEY_NOT_ADDED, { values: { account, reason }, details, cause });
}
