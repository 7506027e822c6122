import { usernameOf } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { usePageState } from './page-state.js';
import { useTitle } from './use-title.js';
import { AppKeysCard } from './wallet/app-keys-card.js';
import { BatchCard } from './wallet/batch-card.js';
import { CombinedCard } from './wallet/combined-card.js';
import { ExportKeys } from './wallet/export-keys.js';
import { MessageCard } from './wallet/message-card.js';
import { ThreeTransfersCard } from './wallet/three-transfers-card.js';

/** The cards of this page, for a user who is logged out. */
const CARDS = [
  { name: 'Combined transaction', what: 'A greeting, a transfer and a stake, approved once.' },
  { name: 'Batch of three', what: 'Three transfers, sent half a second apart after one approval.' },
  { name: 'Send to several', what: 'Receivers and amounts of your own, with one approval for all.' },
  { name: 'Sign a message', what: 'Proves that you hold the account. Moves nothing and costs nothing.' },
  { name: 'App keys', what: 'A key for one contract, which then signs without a prompt.' },
  { name: 'Export Keys', what: 'Your private key, shown by the wallet and to no page.' },
] as const;

/** What one confirmation can hold: actions of several kinds, several transactions, a message, an app's own key. */
export function MultiTx() {
  const { loginState } = usePasskeyContext();
  useTitle('Demos');
  return loginState.isLoggedIn && loginState.nearAccountId ? (
    <Demos key={loginState.nearAccountId} accountId={loginState.nearAccountId} />
  ) : (
    <LoggedOut />
  );
}

function LoggedOut() {
  const { wasLoggedIn } = usePageState();
  const heading = useRef<HTMLHeadingElement>(null);
  // A session that ends while the cards show takes them, and the focus, away.
  useEffect(() => {
    if (wasLoggedIn) heading.current?.focus();
  }, [wasLoggedIn]);
  return (
    <div className="wallet" lang="en">
      <div className="hello">
        <p className="kicker">Transaction demos</p>
        <h1 ref={heading} tabIndex={-1}>
          Log in to explore the transaction confirm demos
        </h1>
        <p className="muted">These demos sign with your account, so a login is required.</p>
        <Link to="/" className="button primary">
          Log in or register
        </Link>
      </div>
      <ul className="panel preview">
        {CARDS.map(({ name, what }) => (
          <li key={name}>
            <strong>{name}</strong>
            <span className="muted">{what}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Demos({ accountId }: { accountId: string }) {
  const { greeting } = usePageState();
  return (
    <div className="wallet" lang="en">
      <div className="hello">
        <p className="kicker">Logged in as {usernameOf(accountId)}</p>
        <h1>Transaction demos</h1>
      </div>
      <div className="cards">
        <CombinedCard accountId={accountId} onGreeting={() => greeting.fetchChange()} />
        <ThreeTransfersCard accountId={accountId} />
        <BatchCard accountId={accountId} />
        <MessageCard accountId={accountId} />
        <AppKeysCard accountId={accountId} />
        <ExportKeys accountId={accountId} />
      </div>
    </div>
  );
}
