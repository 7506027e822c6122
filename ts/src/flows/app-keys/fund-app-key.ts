/** The relay pays into a prepaid key of the account. */
import type { ActionResult, FundAppKeyArgs, FundAppKeyOptions } from '../../types.js';
import type { FlowContext } from '../context.js';
import { postToRelay } from '../post-to-relay.js';
import { type Run, runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { reportFailedAction } from '../signing/action-result.js';
import { assertPublicKey } from '../signing/actions.js';
import { checkedDeposit, checkedVoucher } from './bounds.js';

/** Asks the relay for a payment into a key that is on the account. */
export async function fundAppKey(
  context: FlowContext,
  accountId: string,
  { publicKey, prepaid }: Pick<FundAppKeyArgs, 'publicKey' | 'prepaid'>,
  options: FundAppKeyOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      assertPublicKey('fundAppKey', publicKey);
      const amount = checkedDeposit(prepaid);
      const voucher = checkedVoucher(options);
      await requireSession(context, accountId);
      const result = await askRelay(context, { accountId, publicKey, amount, voucher }, run);
      run.emit('action-complete', 'success', 'Paid', { data: { transactionId: result.transactionId } });
      return result;
    },
    reportFailedAction,
  );
}

/** A payment that the relay is asked for. */
export interface RelayPayment {
  readonly accountId: string;
  readonly publicKey: string;
  /** yoctoNEAR. */
  readonly amount: string;
  readonly voucher: string;
}

/** Throws an error whose details have the fate of the payment. */
export async function askRelay(
  { relay }: FlowContext,
  { accountId, publicKey, amount, voucher }: RelayPayment,
  { emit, signal }: Run<'action'>,
): Promise<ActionResult> {
  emit('broadcasting', 'progress', 'Asking the relay to pay');
  const body = { account_id: accountId, public_key: publicKey, amount, signup_voucher: voucher };
  const { transactionHash } = await postToRelay((whileOpen) => relay.fundAppKey(body, whileOpen), signal);
  return { success: true, fate: 'executed', transactionId: transactionHash, result: null };
}
