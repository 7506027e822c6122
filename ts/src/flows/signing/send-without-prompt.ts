/**
 * Sends without asking the user: what a page got to send by itself, and what a key signs that needs no passkey, such as an
 * app's.
 */
import { bytesOf } from '../../bytes.js';
import { INVALID_ACTION, LatchkeyError, messageOf } from '../../errors/wallet.js';
import { readSignedTransaction } from '../../near/transaction-id.js';
import type { ActionOptions, ActionResult, SignedTransaction, WaitUntil } from '../../types.js';
import type { FlowContext } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { endText, reportFailedAction } from './action-result.js';
import { type SendSignedOptions, sendSigned } from './send.js';
import { takeTurn, withNonces } from './sign-in-turn.js';
import { signedHere } from './signed-batch.js';

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
      run.emit('broadcasting', 'success', 'The network took it');
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
    throw new LatchkeyError(INVALID_ACTION, { values: { reason }, cause });
  }
}

export interface SendWithKey {
  readonly accountId: string;
  readonly publicKey: string;
  /** The lane to use, of a gas key. */
  readonly lane?: number | undefined;
  /** Signs with that key; called again when the nonce was overtaken. */
  readonly sign: (nonce: string, blockHash: string) => Promise<SignedTransaction>;
  readonly waitUntil?: WaitUntil | undefined;
  readonly run: Pick<Run<'action'>, 'signal'>;
  readonly onSend?: SendSignedOptions['onSend'];
}

/** Signs with a key that needs no passkey and sends: waits for its turn among tabs, signs again when the nonce is overtaken. */
export async function sendWithKey(
  context: Pick<FlowContext, 'rpc' | 'contexts' | 'activity'>,
  { accountId, publicKey, lane, sign, waitUntil, run, onSend }: SendWithKey,
): Promise<ActionResult> {
  const { contexts } = context;
  const endTurn = await takeTurn(accountId, publicKey, 'shared', run);
  const signWith = async (blockHash: string): Promise<SignedTransaction> => {
    const key = { accountId, publicKey };
    const { signed } = await withNonces(context, key, [lane], ([nonce = '']) => sign(nonce, blockHash));
    return signed;
  };
  try {
    const { blockHash } = await contexts.beginWithoutDialog(accountId, publicKey, lane);
    run.signal.throwIfAborted();
    const resign = async () => signWith((await contexts.renew(accountId, publicKey, lane)).blockHash);
    return await sendSigned(context, await signWith(blockHash), { waitUntil, run, resign, onSend });
  } finally {
    endTurn();
  }
}
