import { type ActionResult, usernameOf } from 'latchkey';
import { ResumedNotices, usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useEffect, useRef, useState } from 'react';
import { LoginMenu } from './login/login-menu.js';
import { BatchCard } from './wallet/batch-card.js';
import { ExportKeys } from './wallet/export-keys.js';
import { GreetingCard } from './wallet/greeting-card.js';
import { createGreetingStore, type GreetingStore } from './wallet/greeting-store.js';
import { LatestTransactionCard } from './wallet/latest-transaction-card.js';
import { MessageCard } from './wallet/message-card.js';
import { viewCall } from './wallet/view-call.js';

export function Home() {
  const { loginState, startError, startAgain, passkeyManager } = usePasskeyContext();
  const { rpcUrls, contractId } = passkeyManager.config;
  const [greeting] = useState(() =>
    createGreetingStore(async () => String(await viewCall(rpcUrls, contractId, 'get_greeting'))),
  );
  return (
    <>
      {startError && (
        <div className="notice bad wide" role="alert">
          <AlertIcon />
          <div>
            <span>The wallet could not start: {startError.message}</span>
            <button type="button" className="button small" onClick={startAgain}>
              Try again
            </button>
          </div>
        </div>
      )}
      <div className="from-before">
        <ResumedNotices kinds={['payments']} />
      </div>
      {loginState.isLoggedIn && loginState.nearAccountId ? (
        <Wallet key={loginState.nearAccountId} accountId={loginState.nearAccountId} greeting={greeting} />
      ) : (
        <Welcome />
      )}
    </>
  );
}

function Welcome() {
  return (
    <div className="welcome">
      <div className="pitch">
        <p className="kicker">Passkey wallet for NEAR</p>
        <h1>Your fingerprint is the key.</h1>
        <p className="lead">
          Pick a name and touch your passkey: that makes a real NEAR account, with no seed phrase and no
          password. The same touch signs every transaction.
        </p>
        <ul className="facts">
          <li>Keys are derived on your device and never leave it.</li>
          <li>You see what you sign before you sign it.</li>
          <li>The chain itself checks the passkey.</li>
        </ul>
      </div>
      <LoginMenu />
    </div>
  );
}

function Wallet({ accountId, greeting }: { accountId: string; greeting: GreetingStore }) {
  const { passkeyManager } = usePasskeyContext();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [latest, setLatest] = useState<ActionResult>();
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
        <MessageCard accountId={accountId} />
        <LatestTransactionCard result={latest} />
        <BatchCard accountId={accountId} />
        <ExportKeys accountId={accountId} />
      </div>
    </div>
  );
}
