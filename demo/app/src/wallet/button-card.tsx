import { type ActionResult, isLatchkeyError, type TransactionInput } from 'latchkey';
import { passkeyToast, TransactionButton, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { useId, useMemo, useRef, useState } from 'react';
import { toast } from 'sonner';
import { texts } from '../texts/texts.js';
import { SentList } from './sent-list.js';
import { type SentThing, sentRows } from './sent-rows.js';
import { followed, unknownResult } from './transaction-details.js';
import { useButtonSize } from './use-button-size.js';
import { useFollow } from './use-follow.js';

const words = texts.button;
const TOAST_ID = 'button';
/** In yocto. */
const TRANSFERS = [
  { what: '0.0001 NEAR', amount: '100000000000000000000' },
  { what: '0.0002 NEAR', amount: '200000000000000000000' },
] as const;

/** The embedded transaction button with two transfers: its tooltip shows them before the wallet asks for anything. */
export function ButtonCard({
  accountId,
  onTransaction,
}: {
  accountId: string;
  onTransaction: (result: ActionResult) => void;
}) {
  const { passkeyManager, resumed } = usePasskeyContext();
  const { contractId, explorerUrl } = passkeyManager.config;
  const toasts = usePasskeyToasts(toast);
  const follow = useFollow(TOAST_ID);
  const [results, setResults] = useState<readonly ActionResult[]>();
  const [problem, setProblem] = useState('');
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const size = useButtonSize(place);
  const transactions = useMemo<readonly TransactionInput[]>(
    () =>
      TRANSFERS.map(({ amount }) => ({ receiverId: contractId, actions: [{ type: 'Transfer', amount }] })),
    [contractId],
  );
  const things = TRANSFERS.map(({ what }): SentThing => ({ what, recipient: contractId }));

  function show(found: readonly ActionResult[]): void {
    setResults(found);
    const last = found.findLast(({ transactionId }) => transactionId !== null);
    if (last) onTransaction(last);
    if (found.some(({ fate }) => fate === 'unknown')) void follow();
  }

  function fail(error: Error): void {
    const found = isLatchkeyError(error)
      ? (error.details.results as readonly ActionResult[] | undefined)
      : [];
    if (found?.some(({ transactionId }) => transactionId !== null)) {
      show(found);
      return;
    }
    // With nothing sent, there are no rows to show, only a reason.
    setProblem(error.message);
    const unknown = unknownResult(error);
    if (!unknown) return;
    onTransaction(unknown);
    void follow();
  }

  const sent =
    results &&
    sentRows(
      things,
      results.map((result) => followed(result, resumed)),
      explorerUrl,
    );
  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>{words.title}</h2>
          <p className="muted">{words.lead(contractId)}</p>
        </div>
      </div>
      <div ref={place} className="card-end">
        <TransactionButton
          {...size}
          nearAccountId={accountId}
          transactions={transactions}
          label={words.send}
          options={{
            waitUntil: 'FINAL',
            onEvent: (event) => toasts.onEvent(event, { id: TOAST_ID }),
          }}
          onLoading={(isLoading) => {
            if (!isLoading) return;
            setResults(undefined);
            setProblem('');
          }}
          onSuccess={show}
          onCancel={({ message }) => toasts.show(passkeyToast(TOAST_ID, 'error', message))}
          onError={fail}
        />
      </div>
      <SentList problem={problem} sent={sent} />
    </section>
  );
}
