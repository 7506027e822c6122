import type { ActionResult, ExecutionWait, TransactionInput } from 'latchkey';
import { type ToastAbout, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { type SentRow, type SentThing, sentRows } from './sent-rows.js';
import { followed } from './transaction-details.js';
import { useFollow } from './use-follow.js';

export interface Sending {
  /** Sends the transactions with one confirmation; `things` names each of them. */
  send: (transactions: readonly TransactionInput[], things: readonly SentThing[]) => Promise<void>;
  isSending: boolean;
  /** What became of each transaction; undefined before anything was sent. */
  sent: readonly SentRow[] | undefined;
  /** Why nothing was sent, as a sentence for the user; empty if something was. */
  problem: string;
  /** Shows this problem in place of the earlier result. */
  refuse: (problem: string) => void;
}

type SendingToast = Pick<ToastAbout, 'isTransfer'> & { readonly id: string };

/**
 * Signs several transactions with one touch and sends them. `about` names the toast of these sendings, and says whether they
 * send NEAR alone.
 */
export function useSending(accountId: string, about: SendingToast, executionWait: ExecutionWait): Sending {
  const { passkeyManager, resumed } = usePasskeyContext();
  const toasts = usePasskeyToasts(toast);
  const follow = useFollow(about.id);
  const [isSending, setIsSending] = useState(false);
  const [sent, setSent] = useState<{ things: readonly SentThing[]; results: readonly ActionResult[] }>();
  const [problem, setProblem] = useState('');

  function refuse(text: string): void {
    setSent(undefined);
    setProblem(text);
  }

  async function send(
    transactions: readonly TransactionInput[],
    things: readonly SentThing[],
  ): Promise<void> {
    setIsSending(true);
    refuse('');
    try {
      const results = await passkeyManager.signAndSendTransactions({
        nearAccountId: accountId,
        transactions,
        options: {
          waitUntil: 'FINAL',
          executionWait,
          onEvent: (flowEvent) => toasts.onEvent(flowEvent, about),
        },
      });
      // With nothing sent, there are no rows to show, only a reason.
      if (results.some(({ transactionId }) => transactionId !== null)) setSent({ things, results });
      else setProblem(unsent(results[0]));
      if (results.some(({ fate }) => fate === 'unknown')) await follow();
    } finally {
      setIsSending(false);
    }
  }

  const { explorerUrl } = passkeyManager.config;
  const rows =
    sent &&
    sentRows(
      sent.things,
      sent.results.map((result) => followed(result, resumed)),
      explorerUrl,
    );
  return { send, isSending, sent: rows, problem, refuse };
}

/** Why nothing of a batch was sent. Its user's own Cancel is no failure. */
const unsent = (result: ActionResult | undefined): string =>
  result?.errorCode === 'CANCELLED'
    ? (result.error ?? '')
    : `Failed to sign batch transactions: ${result?.error}`;
