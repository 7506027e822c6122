import { ExternalIcon } from 'latchkey-react/icons';
import { useId } from 'react';
import type { TransactionDetails } from './transaction-details.js';

/** The transaction sent last from this page. */
export function LatestTransactionCard({ latest }: { latest: TransactionDetails | undefined }) {
  const id = useId();
  return (
    <section className="panel card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>Latest transaction</h2>
        {latest && (
          <span className={latest.success ? 'chip good' : 'chip bad'}>
            {latest.success ? 'Final' : 'Failed'}
          </span>
        )}
      </div>
      {latest ? (
        <div role="status">
          <p className="break">{latest.message}</p>
          {latest.link ? (
            <a
              className="mono break"
              href={latest.link}
              target="_blank"
              rel="noreferrer"
              data-testid="transaction-id"
            >
              {latest.id}
              <ExternalIcon />
            </a>
          ) : (
            <p className="mono muted">{latest.id}</p>
          )}
        </div>
      ) : (
        <p className="muted">Nothing sent yet. Set the greeting, and its transaction shows here.</p>
      )}
    </section>
  );
}
