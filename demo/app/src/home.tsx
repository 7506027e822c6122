import { usernameOf } from 'latchkey';
import { type LoginMenuView, PasskeyCheck, usePasskeyContext } from 'latchkey-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Next } from './home/next.js';
import { Steps } from './home/steps.js';
import { usePageState } from './page-state.js';
import { texts } from './texts/texts.js';
import { useTitle } from './use-title.js';
import { ButtonCard } from './wallet/button-card.js';
import { GreetingCard } from './wallet/greeting-card.js';
import { LatestTransactionCard } from './wallet/latest-transaction-card.js';

const words = texts.home;

/** The first page: three steps that a visitor takes on it, and for a user who is logged in the cards. */
export function Home() {
  const { loginState } = usePasskeyContext();
  useTitle('');
  return loginState.isLoggedIn && loginState.nearAccountId ? (
    <Wallet key={loginState.nearAccountId} accountId={loginState.nearAccountId} />
  ) : (
    <Welcome />
  );
}

/** Of the page's address: the login menu offers accounts without a name, too. */
const NAMELESS = 'nameless';
/** Ends what stands for the address of an account without a name before its proof. */
const UNPROVEN = '.unproven';

/** The page of a logged-out user; one who has just locked the wallet goes on at the menu. */
function Welcome() {
  const [search] = useSearchParams();
  const { wasLoggedIn } = usePageState();
  const [view, setView] = useState<LoginMenuView>('menu');
  const { passkeyManager } = usePasskeyContext();
  return (
    <div className="home" data-view={view}>
      <div className="hero">
        <h1>{words.title}</h1>
        <p className="lead">
          {words.lead} {passkeyManager.config.networkId === 'mainnet' ? '' : words.testNetwork}
        </p>
      </div>
      <Steps
        menu={{ autoFocus: wasLoggedIn, onViewChange: setView, namelessAccounts: search.has(NAMELESS) }}
      />
      <Next />
    </div>
  );
}

function Wallet({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const { greeting, latest, setLatest } = usePageState();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="home">
      <div className="hello">
        <p className="kicker">{words.loggedIn}</p>
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
      {accountId.endsWith(UNPROVEN) && <PasskeyCheck />}
      <Steps payer={{ accountId, onTransaction: setLatest }} />
      <section className="more" aria-labelledby="more">
        <div>
          <h2 id="more">{words.more.title}</h2>
          <p className="muted">{words.more.lead}</p>
        </div>
        <div className="cards">
          <GreetingCard accountId={accountId} store={greeting} onTransaction={setLatest} />
          <ButtonCard accountId={accountId} onTransaction={setLatest} />
          <LatestTransactionCard result={latest} />
        </div>
      </section>
      <Next />
    </div>
  );
}
