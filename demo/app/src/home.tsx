import { usernameOf } from 'latchkey';
import { LoginMenu, type LoginMenuView, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { usePageState } from './page-state.js';
import { useTitle } from './use-title.js';
import { ButtonCard } from './wallet/button-card.js';
import { GreetingCard } from './wallet/greeting-card.js';
import { LatestTransactionCard } from './wallet/latest-transaction-card.js';

export function Home() {
  const { loginState } = usePasskeyContext();
  useTitle('');
  return loginState.isLoggedIn && loginState.nearAccountId ? (
    <Wallet key={loginState.nearAccountId} accountId={loginState.nearAccountId} />
  ) : (
    <Welcome />
  );
}

/** The page of a logged-out user; one who has just locked the wallet goes on at the menu. */
function Welcome() {
  const { wasLoggedIn } = usePageState();
  const toasts = usePasskeyToasts(toast);
  const [view, setView] = useState<LoginMenuView>('menu');
  return (
    <div className="welcome" data-view={view}>
      <div className="pitch">
        <p className="kicker">Passkey wallet for NEAR</p>
        <h1>An account in one touch.</h1>
        <p className="lead">
          Pick a name and use your face, your fingerprint or the PIN of your device: that makes a real NEAR
          account, with no seed phrase and no password. The same passkey signs every transaction.
        </p>
        <ul className="facts">
          <li>Keys are derived on your device and never leave it.</li>
          <li>You see what you sign before you sign it.</li>
          <li>The chain itself checks the passkey.</li>
        </ul>
      </div>
      <LoginMenu autoFocus={wasLoggedIn} onToast={toasts.show} onViewChange={setView} />
    </div>
  );
}

function Wallet({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const { greeting, latest, setLatest } = usePageState();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="wallet">
      <div className="hello">
        <p className="kicker">Logged in</p>
        <h1 ref={heading} className="break" tabIndex={-1}>
          {usernameOf(accountId)}
        </h1>
        <a
          className="account break"
          href={`${passkeyManager.config.explorerUrl}/address/${accountId}`}
          target="_blank"
          rel="noreferrer"
        >
          {accountId}
        </a>
      </div>
      <div className="cards">
        <GreetingCard accountId={accountId} store={greeting} onTransaction={setLatest} />
        <ButtonCard accountId={accountId} onTransaction={setLatest} />
        <LatestTransactionCard result={latest} />
      </div>
    </div>
  );
}
