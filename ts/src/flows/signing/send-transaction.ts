/** Sends what a page got to send by itself. */
import { bytesOf } from '../../bytes.js';
import { LatchkeyError, messageOf } from '../../errors/index.js';
import { readSignedTransaction } from '../../near/transaction-id.js';
import type { ActionOptions, ActionResult, SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';
import { runFlow } from '../run.js';
import { endText } from './end-text.js';
import { reportFailedAction } from './failure.js';
import { sendSigned } from './send.js';
import { signedHere } from './signed-here.js';

/** Sends a transaction that was signed before. The user's activity has it if it was signed here. */
export async function sendTransaction(
  context: FlowContext,
  handedOver: SignedTransaction,
  options: ActionOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { rpc, contexts, activity } = context;
      const { borshBytes, hash } = await bytesAndId(handedOver);
      const own = signedHere(context, hash);
      const sender = { rpc, contexts, ...(own && activity && { activity }) };
      const signed = own ?? { ...handedOver, borshBytes, hash };
      run.emit('broadcasting', 'progress', 'Sending', { data: { transactionId: signed.hash } });
      const result = await sendSigned(sender, signed, { waitUntil: options.waitUntil, run });
      run.emit('broadcasting', 'success', 'The chain took it');
      run.emit('action-complete', 'success', endText(result), {
        data: { transactionId: result.transactionId },
      });
      return result;
    },
    reportFailedAction,
  );
}

/** The transaction's bytes, and its id from them. Throws INVALID_ACTION for what is none, such as one that went through JSON. */
export async function bytesAndId(
  signed: Pick<SignedTransaction, 'borshBytes'>,
): Promise<{ borshBytes: Uint8Array; hash: string }> {
  try {
    const borshBytes = bytesOf(signed?.borshBytes)?.slice();
    if (!borshBytes) throw new TypeError('its borshBytes must be a Uint8Array');
    return { borshBytes, hash: (await readSignedTransaction(borshBytes)).transactionId };
  } catch (cause) {
    const reason = `The signedTransaction is none that signTransactionsWithActions returned: ${messageOf(cause)}`;
    throw new LatchkeyError('INVALID_ACTION', { values: { reason }, cause });
  }
}
