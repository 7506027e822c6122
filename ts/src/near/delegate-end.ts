/**
 * How a delegate (NEP-366) ended, read from the outcome of the transaction that carries it. The transaction's own status
 * only says that the chain accepted the delegate.
 */
import type { TransactionOutcome } from './rpc-answer.js';

type ReceiptOutcome = NonNullable<TransactionOutcome['receipts_outcome']>[number]['outcome'];

export type DelegateFailure = Readonly<Record<string, unknown>>;

export type DelegateEnd =
  | { readonly kind: 'succeeded' }
  /** The answer lacks a receipt that it must contain. */
  | { readonly kind: 'untold' }
  | { readonly kind: 'failed'; readonly failure: DelegateFailure };

/**
 * How the delegate ended. The first receipt that its carrier created runs the sender's actions (refunds come after).
 * Its outcome counts; where it returned a promise, the outcome of that promise's receipt.
 */
export function delegateEnd(outcome: TransactionOutcome): DelegateEnd {
  const carrier = carrierOf(outcome);
  const refused = carrier && failureOf(carrier);
  if (refused) return { kind: 'failed', failure: refused };
  const receipts = new Map(outcome.receipts_outcome?.map(({ id, outcome }) => [id, outcome]));
  let receipt = receipts.get(carrier?.receipt_ids[0] ?? '');
  // An honest answer ends by itself. The count stops a forged one that goes in circles.
  for (let steps = receipts.size; receipt && steps > 0; steps -= 1) {
    const failure = failureOf(receipt);
    if (failure) return { kind: 'failed', failure };
    const { status } = receipt;
    if (typeof status !== 'object' || !('SuccessReceiptId' in status)) {
      return { kind: typeof status === 'object' ? 'succeeded' : 'untold' };
    }
    receipt = receipts.get(status.SuccessReceiptId);
  }
  return { kind: 'untold' };
}

/** Whether the chain refused the delegate itself, so that none of its actions ran. */
export function isDelegateRefused(outcome: TransactionOutcome): boolean {
  const carrier = carrierOf(outcome);
  return carrier !== undefined && failureOf(carrier) !== undefined;
}

/** The transaction's own receipt, on the sender's account. It holds the delegate and creates its actions' receipts. */
function carrierOf(outcome: TransactionOutcome): ReceiptOutcome | undefined {
  const status = outcome.transaction_outcome?.outcome.status;
  const id = typeof status === 'object' && 'SuccessReceiptId' in status ? status.SuccessReceiptId : undefined;
  return outcome.receipts_outcome?.find((receipt) => receipt.id === id)?.outcome;
}

function failureOf({ status }: ReceiptOutcome): DelegateFailure | undefined {
  return typeof status === 'object' && 'Failure' in status ? status.Failure : undefined;
}
