/** Finds the payments that are asked for again while the outcome of the first is not known. */
import type { RepeatedModel } from '../../confirm/port.js';
import { messageOf } from '../../errors/index.js';
import { transactionsDigest } from '../../intent/index.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';

/**
 * The account's open payments that have the receiver and the actions of one of these. Undefined when there are none,
 * or when the journal cannot be read.
 */
export async function repeatedPayments(
  { store, config }: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<readonly RepeatedModel[] | undefined> {
  const payments = transactions.filter(({ actions }) => actions.some(isPayment));
  if (payments.length === 0) return undefined;
  try {
    const entries = (await store.journal('batch')).filter((entry) => entry.accountId === accountId);
    if (entries.length === 0) return undefined;
    const asked = await Promise.all(payments.map((payment) => transactionsDigest([payment])));
    const repeated = entries.flatMap(({ createdAt, transactions: sent }) =>
      sent
        .filter(({ fate, payment }) => fate === 'unknown' && payment !== undefined && asked.includes(payment))
        .map(({ transactionId, receiverId }) => ({ transactionId, receiverId, sentAt: createdAt })),
    );
    return repeated.length > 0 ? repeated : undefined;
  } catch (error) {
    config.logger.warn('The payments that are not settled yet could not be read', messageOf(error));
    return undefined;
  }
}

function isPayment(action: Action): boolean {
  switch (action.type) {
    case 'Transfer':
      return BigInt(action.amount) > 0n;
    case 'FunctionCall':
      return BigInt(action.deposit) > 0n;
    default:
      return false;
  }
}
