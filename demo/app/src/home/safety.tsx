import { usePasskeyContext } from 'latchkey-react';
import { Link } from 'react-router';
import { texts } from '../texts/texts.js';
import type { Claim } from './claims.js';

const words = texts.home.safety;

/** Why a step is safe: what holds, each with the id under which its tests are found. */
export function Safety({ claims }: { claims: readonly Claim[] }) {
  const isFramed = usePasskeyContext().passkeyManager.config.iframeWallet !== null;
  return (
    <details className="safety">
      <summary>{words.title}</summary>
      <ul>
        {claims
          .filter(({ isOfFrame }) => isFramed || !isOfFrame)
          .map(({ text, id }) => (
            <li key={id}>
              {words[text]} <span className="proof">{id}</span>
            </li>
          ))}
      </ul>
      <p className="muted">
        {words.tests} <Link to="/docs/security">{words.page}</Link>
      </p>
    </details>
  );
}
