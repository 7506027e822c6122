/**
 * Connects a page to an account:
 *
 * 1. the user chooses an account of this device, or makes or recovers one, and its session opens
 * 2. on request, one prompt signs a message and adds a function-call key of the page
 */
import { BATCH_SIGNING_FAILED, errorOf, INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import { failedAction, failure } from '../../failed-results.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import { isEd25519Key } from '../../near/public-key.js';
import type { UserRecord } from '../../storage/records.js';
import type {
  Action,
  ActionResult,
  AppKeyToAdd,
  ConnectOptions,
  ConnectResult,
  SignNep413Result,
} from '../../types.js';
import type { FlowContext } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { emitFailure } from '../signing/action-result.js';
import { sendOne, signingAndSending } from '../signing/sign-and-send.js';
import {
  type CompleteMessage,
  completeMessage,
  signedMessageOf,
  signMessage,
} from '../signing/sign-nep413.js';
import { type Asked, chooseAccount } from './choose-account.js';

export async function connect(
  context: FlowContext,
  asked: Asked,
  options: ConnectOptions,
): Promise<ConnectResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const add = asked.addKey && (await actionFor(context, asked.addKey));
      const message = asked.signMessage && completeMessage(asked.signMessage);
      const accountId = await chooseAccount(context, asked, options, run);
      const user = await requireSession(context, accountId);
      const { clientNearPublicKey: publicKey } = user;
      await proveAddress(context, user, run);
      const signed = await sign(context, { accountId, add, message }, options, run);
      run.emit('action-complete', 'success', `Connected ${accountId}`);
      return { success: true, accountId, publicKey, ...signed };
    },
    (error, run) => {
      emitFailure(error, run);
      const addedKey = typeof error.details.transactionId === 'string' ? failedAction(error) : undefined;
      return { ...failure(error), accountId: null, publicKey: null, ...(addedKey && { addedKey }) };
    },
  );
}

/** The page gets the account's address, which is shown to nobody before its passkey is proven: one prompt where it is not. */
async function proveAddress(
  context: FlowContext,
  { nearAccountId, passkeyProven }: UserRecord,
  { signal }: Run<'action'>,
): Promise<void> {
  if (passkeyProven || !isNearImplicitAccountId(nearAccountId)) return;
  const { checkPasskey } = await import('../session/check-passkey.js');
  const checked = await checkPasskey(context, nearAccountId, { signal });
  if (!checked.success) throw errorOf(checked);
}

interface ToSign {
  readonly accountId: string;
  readonly add: Action | undefined;
  readonly message: CompleteMessage | undefined;
}

/** One prompt for all of it, and none for nothing. */
async function sign(
  context: FlowContext,
  { accountId, add, message }: ToSign,
  options: ConnectOptions,
  run: Run<'action'>,
): Promise<{ readonly signedMessage?: SignNep413Result; readonly addedKey?: ActionResult }> {
  const { confirmationConfig, waitUntil } = options;
  if (!add) {
    if (!message) return {};
    return { signedMessage: await signMessage(context, accountId, message, { confirmationConfig }, run) };
  }
  const transactions = [{ receiverId: accountId, actions: [add] }];
  const toSign = { accountId, transactions, message, confirmationConfig };
  return signingAndSending(context, toSign, run, async (batch) => {
    const addedKey = await sendOne(context, batch, 0, { waitUntil }, run);
    if (!message) return { addedKey };
    if (!batch.message) throw new LatchkeyError(BATCH_SIGNING_FAILED);
    return { addedKey, signedMessage: signedMessageOf(accountId, message, batch.message) };
  });
}

/** The action that adds the key. Throws INVALID_ACTION before the user is asked. */
async function actionFor({ config }: FlowContext, { publicKey, ...bounds }: AppKeyToAdd): Promise<Action> {
  if (!isEd25519Key(publicKey)) {
    const reason = "addKey needs the publicKey of the page's own key, ed25519:<base58>";
    throw new LatchkeyError(INVALID_ACTION, { values: { reason } });
  }
  const { checkedBounds } = await import('../app-keys/bounds.js');
  const permission = { FunctionCall: checkedBounds(bounds, config.contractId) };
  return { type: 'AddKey', publicKey, accessKey: { permission } };
}
