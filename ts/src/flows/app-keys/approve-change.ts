import type { AppKeyModel } from '../../confirm/port.js';
import type { Action, ActionOptions, ActionResult, AppKeyResult, SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';
import { joiningDeletions } from '../linking/deletion-joining.js';
import type { Run } from '../run.js';
import { sendOne, signingAndSending } from '../signing/sign-and-send.js';

/** A change of the key `publicKey` of the account. */
export interface KeyChange {
  readonly accountId: string;
  readonly publicKey: string;
  readonly actions: readonly Action[];
  /** Shown with it. */
  readonly appKeys?: readonly AppKeyModel[];
}

/**
 * One transaction on the account itself: confirmed, signed, sent, and signed again when its nonce is
 * overtaken. Keys that wait for their deletion go with it.
 */
export async function approveAndSend(
  context: FlowContext,
  { accountId, publicKey, actions, appKeys }: KeyChange,
  { confirmationConfig, waitUntil }: ActionOptions<AppKeyResult> | ActionOptions,
  run: Run<'action'>,
  onSend?: (copy: SignedTransaction, blockHeight: string) => Promise<void>,
): Promise<ActionResult> {
  const transactions = [{ receiverId: accountId, actions }];
  const toSign = { accountId, transactions, confirmationConfig, appKeys };
  const joining = (id: string) => joiningDeletions(context, id, publicKey);
  return signingAndSending({ ...context, joining }, toSign, run, (batch) =>
    sendOne(context, batch, 0, { waitUntil }, run, async (copy) => onSend?.(copy, batch.blockHeight)),
  );
}
