import { CloseIcon, PlusIcon } from 'latchkey-react/icons';
import { type FormEvent, useId, useRef, useState } from 'react';
import { type BatchRow, isBadAmount, MAX_ROWS, thingsOf, transfersOf } from './batch-rows.js';
import { SentList } from './sent-list.js';
import { useSending } from './use-sending.js';

/** Sends several transfers with one confirmation and one prompt; each row is its own transaction. */
export function BatchCard({ accountId }: { accountId: string }) {
  const [rows, setRows] = useState<BatchRow[]>([emptyRow(0), emptyRow(1)]);
  // No transfer waits for another.
  const { send, isSending, sent, problem } = useSending(
    accountId,
    { id: 'batch', isTransfer: true },
    { mode: 'parallelStaggered' },
  );
  const nextKey = useRef(2);
  const addButton = useRef<HTMLButtonElement>(null);
  const id = useId();
  const transactions = transfersOf(rows);
  const badAmount = rows.some(({ near }) => isBadAmount(near));

  function change(key: number, typed: Partial<BatchRow>) {
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...typed } : row)));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isSending && transactions) void send(transactions, thingsOf(rows));
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>Send to several</h2>
          <p className="muted">Each row is a transaction of its own. One touch signs them all.</p>
        </div>
      </div>
      <form onSubmit={submit} className="batch">
        <div className="batch-rows">
          <div className="batch-row labels" aria-hidden="true">
            <span>Recipient</span>
            <span>NEAR</span>
          </div>
          {rows.map((row, index) => (
            <fieldset key={row.key} className="batch-row">
              <legend className="sr-only">Transfer {index + 1}</legend>
              <input
                className="input"
                aria-label={`Recipient ${index + 1}`}
                value={row.recipient}
                maxLength={64}
                placeholder="name.testnet"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => change(row.key, { recipient: event.target.value })}
              />
              <input
                className="input amount"
                aria-label={`NEAR ${index + 1}`}
                value={row.near}
                maxLength={32}
                placeholder="0.001"
                inputMode="decimal"
                autoComplete="off"
                aria-invalid={isBadAmount(row.near)}
                aria-describedby={`${id}-bad`}
                onChange={(event) => change(row.key, { near: event.target.value })}
              />
              {rows.length > 1 && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove transfer ${index + 1}`}
                  onClick={() => {
                    setRows((all) => all.filter(({ key }) => key !== row.key));
                    addButton.current?.focus();
                  }}
                >
                  <CloseIcon />
                </button>
              )}
            </fieldset>
          ))}
        </div>
        <p id={`${id}-bad`} className="problem" role="status">
          {badAmount && 'An amount is a number above 0, such as 0.001.'}
        </p>
        <div className="batch-end">
          <button
            ref={addButton}
            type="button"
            className="button small"
            aria-disabled={rows.length === MAX_ROWS}
            onClick={() => {
              if (rows.length < MAX_ROWS) setRows((all) => [...all, emptyRow(nextKey.current++)]);
            }}
          >
            <PlusIcon /> Add transfer
          </button>
          <button type="submit" className="button primary" aria-disabled={isSending || !transactions}>
            {isSending ? 'Sending…' : 'Send all'}
          </button>
        </div>
      </form>
      <SentList problem={problem} sent={sent} />
    </section>
  );
}

const emptyRow = (key: number): BatchRow => ({ key, recipient: '', near: '' });
