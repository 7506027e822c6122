import { ExternalIcon } from 'latchkey-react/icons';
import { texts } from '../texts/texts.js';
import type { Sending } from './use-sending.js';

const words = texts.outcome;

/** Why nothing was sent, or what became of each transaction. */
export function SentList({ problem, sent }: Pick<Sending, 'problem' | 'sent'>) {
  return (
    <>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {sent && (
        <div className="result" role="status">
          <ol className="sent" aria-label={words.each}>
            {sent.map(({ recipient, what, end, tone, id, link, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the results of one batch never move
              <li key={index}>
                <div className="sent-head">
                  <span className="break">
                    <strong>{what}</strong> {words.to(recipient)}
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
      )}
    </>
  );
}
