import { type ActionResult, isLatchkeyError, type ResumeResult } from 'latchkey';
import { fateWords } from 'latchkey-react';
import { texts } from '../texts/texts.js';

const words = texts.outcome;

/** The content of the latest-transaction card. */
export interface TransactionDetails {
  /** The transaction id, or 'N/A'. */
  id: string;
  /** Its page in the explorer; undefined without an id. */
  link: string | undefined;
  message: string;
  /** The outcome in one to three words. */
  end: string;
  tone: 'good' | 'bad' | 'open';
}

export function transactionDetails(result: ActionResult, explorerUrl: string): TransactionDetails {
  const { transactionId: id, success, fate } = result;
  return {
    id: id ?? 'N/A',
    link: id ? `${explorerUrl}/transactions/${id}` : undefined,
    message: messageOf(result),
    end: success ? words.final : fateWords(fate ?? 'failed').label,
    tone: success ? 'good' : fate === 'unknown' ? 'open' : 'bad',
  };
}

/** The result of a call that threw after it may have sent something; undefined for any other error. */
export function unknownResult(thrown: unknown): ActionResult | undefined {
  if (!isLatchkeyError(thrown) || thrown.details.fate !== 'unknown') return undefined;
  const { transactionId } = thrown.details;
  return {
    success: false,
    fate: 'unknown',
    transactionId: typeof transactionId === 'string' ? transactionId : null,
    result: null,
    error: thrown.message,
  };
}

/** The result with its outcome, if that was learned later. */
export function followed(result: ActionResult, resumed: ResumeResult | undefined): ActionResult {
  if (result.fate !== 'unknown' || result.transactionId === null) return result;
  const all = (resumed?.batches ?? []).flatMap(({ transactions }) => transactions);
  const fate = all.find(({ transactionId }) => transactionId === result.transactionId)?.fate ?? 'unknown';
  if (fate === 'unknown') return result;
  const { error: _, ...rest } = result;
  const success = fate === 'executed';
  return { ...rest, fate, success, ...(!success && { error: fateWords(fate).sentence }) };
}

function messageOf(result: ActionResult): string {
  if (result.fate === 'unknown') return fateWords('unknown').sentence;
  if (!result.success) return words.failed(result.error || words.unknownError);
  return result.transactionId ? words.success : words.successWithoutId;
}
