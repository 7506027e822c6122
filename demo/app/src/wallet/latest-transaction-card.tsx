import type { ActionResult } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { ExternalIcon } from 'latchkey-react/icons';
import { useId } from 'react';
import { texts } from '../texts/texts.js';
import { followed, transactionDetails } from './transaction-details.js';

const words = texts.latest;

/** The transaction sent last from this page, with its newest known outcome. */
export function LatestTransactionCard({ result }: { result: ActionResult | undefined }) {
  const { resumed, passkeyManager } = usePasskeyContext();
  const id = useId();
  const latest = result && transactionDetails(followed(result, resumed), passkeyManager.config.explorerUrl);
  return (
    <section className="panel card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{words.title}</h2>
        {latest && <span className={`chip ${latest.tone}`}>{latest.end}</span>}
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
        <p className="muted">{words.none}</p>
      )}
    </section>
  );
}
