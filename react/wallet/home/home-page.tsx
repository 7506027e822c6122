import { type ReactNode, useEffect, useRef } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { ProfileButton } from '../../src/profile/profile-button.js';
import { DevicesIcon, KeyIcon, Mark, SettingsIcon } from '../../src/surface/icons.js';
import { Inline } from '../../src/surface/inline.js';
import { useOnline } from '../../src/surface/use-online.js';
import { thrownText } from '../../src/texts/error-text.js';
import { Filled } from '../../src/texts/filled.js';
import { useTexts } from '../../src/texts/use-texts.js';
import { useLoginState } from '../../src/use-login-state.js';
import { ActivityIcon, AppsIcon, HomeIcon, PeopleIcon } from './icons.js';
import { MoneyProvider } from './money.js';
import { Failed } from './parts.js';
import { addressOf, type Screen, useScreen } from './routes.js';
import { Accounts } from './screens/accounts.js';
import { Activity } from './screens/activity.js';
import { AppKeys } from './screens/app-keys.js';
import { Apps } from './screens/apps.js';
import { Devices } from './screens/devices.js';
import { Overview } from './screens/overview.js';
import { Receive } from './screens/receive.js';
import { Send } from './screens/send.js';
import { Settings } from './screens/settings.js';
import { Welcome } from './screens/welcome.js';
import { homeCss } from './styles/index.js';
import { useHomeTexts } from './texts/index.js';
import { Toasts, useToaster } from './toaster.js';

/** The page: its bar, the sections, and the screen that the address names. */
export function HomePage() {
  const { theme } = usePasskeyContext();
  // What the browser itself draws, such as its scroll bars, follows.
  useEffect(() => {
    document.documentElement.dataset.latchkeyTheme = theme;
  }, [theme]);
  return (
    <Inline theme={theme} css={homeCss}>
      <Toasts>
        <Page />
      </Toasts>
    </Inline>
  );
}

function Page() {
  const words = useHomeTexts();
  const { notStarted } = useTexts().loginMenu;
  const { ready, startError, startAgain } = usePasskeyContext();
  const { accountId, loginState } = useLoginState();
  const isOnline = useOnline();
  return (
    <div className="home">
      <header className="bar">
        <a className="brand" href={addressOf('overview')}>
          <Mark />
          <span>{words.name}</span>
        </a>
        {accountId !== null && <Profile />}
      </header>
      {!isOnline && (
        <p className="offline" role="status">
          {words.offline}
        </p>
      )}
      {startError ? (
        <main className="alone">
          <Failed title={notStarted} error={startError} onAgain={startAgain} />
        </main>
      ) : ready ? (
        <Opened accountId={accountId} since={loginState.userData?.registeredAt} />
      ) : (
        <main className="alone">
          <p className="status opening" role="status">
            <span className="spinner" aria-hidden="true" />
            {words.starting}
          </p>
        </main>
      )}
      <footer className="safety">
        <p>
          <Filled text={words.welcome.safety} origin={<b translate="no">{location.origin}</b>} />
        </p>
      </footer>
    </div>
  );
}

function Profile() {
  const toaster = useToaster();
  return (
    <ProfileButton onError={(error) => toaster.error(thrownText(error), { id: 'profile', duration: 6000 })} />
  );
}

/** The wallet where an account is open; the choice of one where none is. */
interface OpenedProps {
  accountId: string | null;
  /** When the account was made or recovered here: the same before and after its address is shown. */
  since: number | undefined;
}

function Opened({ accountId, since }: OpenedProps) {
  const screen = useScreen();
  // A new screen starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each screen
  useEffect(() => {
    scrollTo(0, 0);
  }, [screen, accountId]);
  if (accountId === null) {
    return (
      <main className="alone">
        <Welcome />
      </main>
    );
  }
  return (
    <div className="frame">
      <Sections current={screen} />
      {/* Another account is another wallet: nothing typed or read stays. */}
      <MoneyProvider key={since ?? accountId} accountId={accountId}>
        <main>{drawn(screen, accountId)}</main>
      </MoneyProvider>
    </div>
  );
}

function drawn(screen: Screen, accountId: string): ReactNode {
  switch (screen) {
    case 'overview':
      return <Overview accountId={accountId} />;
    case 'send':
      return <Send accountId={accountId} />;
    case 'receive':
      return <Receive accountId={accountId} />;
    case 'activity':
      return <Activity accountId={accountId} />;
    case 'devices':
      return <Devices accountId={accountId} />;
    case 'keys':
      return <AppKeys accountId={accountId} />;
    case 'apps':
      return <Apps />;
    case 'accounts':
      return <Accounts accountId={accountId} />;
    case 'settings':
      return <Settings accountId={accountId} />;
  }
}

function Sections({ current }: { current: Screen }) {
  const words = useHomeTexts();
  const sections: readonly (readonly [Screen, string, ReactNode])[] = [
    ['overview', words.overview.title, <HomeIcon key="" />],
    ['activity', words.activity.title, <ActivityIcon key="" />],
    ['devices', words.devices.title, <DevicesIcon key="" />],
    ['keys', words.keys.title, <KeyIcon key="" />],
    ['apps', words.apps.title, <AppsIcon key="" />],
    ['accounts', words.accounts.title, <PeopleIcon key="" />],
    ['settings', words.settings.title, <SettingsIcon key="" />],
  ];
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the sections scroll sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each screen
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
  // Send and Receive belong to the overview.
  const shown = current === 'send' || current === 'receive' ? 'overview' : current;
  return (
    <nav ref={nav} className="sections" aria-label={words.sections}>
      <ul>
        {sections.map(([screen, label, icon]) => (
          <li key={screen}>
            <a href={addressOf(screen)} aria-current={shown === screen ? 'page' : undefined}>
              {icon}
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
