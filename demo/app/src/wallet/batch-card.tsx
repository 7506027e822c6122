import type { ActionResult } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { CloseIcon, ExternalIcon, PlusIcon } from 'latchkey-react/icons';
import { type FormEvent, useId, useRef, useState } from 'react';
import { actionToast, showToast, unknownToast } from '../toasts.js';
import { type BatchRow, isBadAmount, MAX_ROWS, type SentRow, sentRows, transfersOf } from './batch-rows.js';
import { followed, unknownResult } from './transaction-details.js';

/** Sends several transfers with one confirmation and one prompt; each row is its own transaction. */
export function BatchCard({ accountId }: { accountId: string }) {
  const { passkeyManager, resumed, resume } = usePasskeyContext();
  const [rows, setRows] = useState<BatchRow[]>([emptyRow(0), emptyRow(1)]);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<{ rows: BatchRow[]; results: readonly ActionResult[] }>();
  const [problem, setProblem] = useState('');
  const nextKey = useRef(2);
  const addButton = useRef<HTMLButtonElement>(null);
  const id = useId();
  const transactions = transfersOf(rows);
  const badAmount = rows.some(({ near }) => isBadAmount(near));

  function change(key: number, typed: Partial<BatchRow>) {
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...typed } : row)));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending || !transactions) return;
    setSending(true);
    setSent(undefined);
    setProblem('');
    try {
      const results = await passkeyManager.signAndSendTransactions({
        nearAccountId: accountId,
        transactions,
        options: {
          waitUntil: 'FINAL',
          // No transfer waits for another.
          executionWait: { mode: 'parallelStaggered' },
          onEvent: (flowEvent) => showToast('batch', actionToast(flowEvent)),
        },
      });
      // With nothing sent, there are no rows to show, only a reason.
      if (results.some(({ transactionId }) => transactionId !== null)) setSent({ rows, results });
      else setProblem(results[0]?.error ?? 'Nothing was sent.');
      if (results.some(({ fate }) => fate === 'unknown')) {
        showToast('batch', unknownToast());
        await resume().catch(() => undefined);
      }
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
      if (unknownResult(thrown)) {
        showToast('batch', unknownToast());
        await resume().catch(() => undefined);
      }
    } finally {
      setSending(false);
    }
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
          <button type="submit" className="button primary" aria-disabled={sending || !transactions}>
            {sending ? 'Sending…' : 'Send all'}
          </button>
        </div>
      </form>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {sent && (
        <Sent
          rows={sentRows(
            sent.rows,
            sent.results.map((result) => followed(result, resumed)),
            passkeyManager.config.explorerUrl,
          )}
        />
      )}
    </section>
  );
}

function Sent({ rows }: { rows: readonly SentRow[] }) {
  return (
    <div className="result" role="status">
      <ol className="sent" aria-label="What became of each">
        {rows.map(({ recipient, near, end, tone, id, link, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the results of one batch never move
          <li key={index}>
            <div className="sent-head">
              <span className="break">
                <strong>{near} NEAR</strong> to {recipient}
              </span>
              <span className={`chip ${tone}`}>{end}</span>
            </div>
            {tone !== 'good' && <p className="muted break">{message}</p>}
            {link && (
              <a className="mono break" href={link} target="_blank" rel="noreferrer">
                {id}
                <ExternalIcon />
              </a>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

const emptyRow = (key: number): BatchRow => ({ key, recipient: '', near: '' });
