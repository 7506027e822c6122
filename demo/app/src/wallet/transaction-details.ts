import type { ActionResult } from 'latchkey';

/** The content of the latest-transaction card. */
export interface TransactionDetails {
  /** The transaction id, or 'N/A'. */
  id: string;
  /** Its page in the explorer; undefined without an id. */
  link: string | undefined;
  message: string;
  success: boolean;
}

export function transactionDetails(result: ActionResult, explorerUrl: string): TransactionDetails {
  const id = result.transactionId;
  return {
    id: id ?? 'N/A',
    link: id ? `${explorerUrl}/transactions/${id}` : undefined,
    message: messageOf(result),
    success: result.success,
  };
}

function messageOf(result: ActionResult): string {
  if (!result.success) return `Failed: ${result.error || 'Unknown error'}`;
  return result.transactionId ? 'Success' : 'Success, no TxID in response';
}
