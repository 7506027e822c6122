import type { ActionResult } from 'latchkey';
import {
  linkedToast,
  ProfileButton,
  passkeyToast,
  TOASTER,
  thrownText,
  usePasskeyContext,
  usePasskeyToasts,
  useTexts,
} from 'latchkey-react';
import { ExternalIcon, Mark, MoonIcon, SunIcon } from 'latchkey-react/icons';
import { type CSSProperties, type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { Toaster, toast } from 'sonner';
import { Notices } from './notices.js';
import type { PageState } from './page-state.js';
import { texts } from './texts/texts.js';
import { createGreetingStore } from './wallet/greeting-store.js';
import { viewCall } from './wallet/view-call.js';
import { WalletStatus } from './wallet-status.js';

const words = texts.shell;

/** The width below which the toaster switches to its narrow layout. */
const NARROW = matchMedia('(max-width: 720px)');

const watchNarrow = (changed: () => void): (() => void) => {
  NARROW.addEventListener('change', changed);
  return () => NARROW.removeEventListener('change', changed);
};

/**
 * Folds the toasts once the page has another size: they have moved from under the pointer then, and the toaster, which
 * hears no such move, would keep them spread. A pointer that is still on them spreads them at its next move.
 */
function foldToastsSoon(): void {
  requestAnimationFrame(() => {
    const list = document.querySelector('[data-sonner-toaster]');
    list?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true }));
  });
}

/** The layout around every page: title, navigation, the user's menu, toasts. */
export function Shell() {
  const { theme, passkeyManager } = usePasskeyContext();

  // On a narrow screen, fields and buttons are at the lower edge, so toasts go to the top.
  const isNarrow = useSyncExternalStore(watchNarrow, () => NARROW.matches);
  const { contractId, explorerUrl, networkId } = passkeyManager.config;
  const state = useSharedState();
  const content = useRef<HTMLElement>(null);
  useFocusAfterNavigation(content);

  useEffect(() => {
    document.documentElement.dataset.latchkeyTheme = theme;
  }, [theme]);

  useEffect(() => {
    addEventListener('resize', foldToastsSoon);
    return () => removeEventListener('resize', foldToastsSoon);
  }, []);

  return (
    <div className="shell">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header className="bar">
        <Link to="/" className="brand" aria-label={words.brand}>
          <Mark />
          <span className="word">Latchkey</span>
        </Link>
        <nav aria-label={words.navigation}>
          <NavLink to="/" end>
            {words.home}
          </NavLink>
          <NavLink to="/multitx">{words.demos}</NavLink>
          <NavLink to="/docs">{words.docs}</NavLink>
        </nav>
        <div className="bar-end">
          <WalletStatus />
          <UserMenu />
        </div>
      </header>
      <div className="content">
        <main ref={content} id="content" tabIndex={-1}>
          <Notices />
          <Outlet context={state} />
        </main>
        <div className="toasts">
          <Toaster
            theme={theme}
            position={isNarrow ? 'top-center' : TOASTER.position}
            mobileOffset={{ top: 4, left: 0, right: 0 }}
            duration={TOASTER.durationMs}
            visibleToasts={TOASTER.limit}
            style={{ '--width': TOASTER.width } as CSSProperties}
          />
        </div>
      </div>
      <footer className="foot">
        <span>{networkId}</span>
        <a href={`${explorerUrl}/address/${contractId}`} target="_blank" rel="noreferrer">
          {contractId}
        </a>
        <a href={explorerUrl} target="_blank" rel="noreferrer">
          {words.explorer} <ExternalIcon />
        </a>
      </footer>
      <ScrollRestoration />
    </div>
  );
}

/** The menu of the user who is logged in; the theme alone without one. */
function UserMenu() {
  const { theme, toggleTheme, loginState } = usePasskeyContext();
  const { lightMode, darkMode } = useTexts().profile;
  const toasts = usePasskeyToasts(toast);
  const navigate = useNavigate();
  if (!loginState.isLoggedIn)
    return (
      <button type="button" className="icon-button wordy" onClick={toggleTheme}>
        {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
        <span className="label">{theme === 'dark' ? lightMode : darkMode}</span>
      </button>
    );
  return (
    <ProfileButton
      onLogout={() => void navigate('/')}
      onLinkingEvent={(event) => toasts.onEvent(event, { id: 'profile' })}
      onLinked={({ linkedToAccount }) => toasts.show(linkedToast(linkedToAccount ?? '', 'profile'))}
      onError={(error) => toasts.show(passkeyToast('profile', 'error', thrownText(error)))}
    />
  );
}

/** Where a link went away with its page, the focus goes on at the content. */
function useFocusAfterNavigation(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body) content.current?.focus();
  }, [pathname, content]);
}

/** The state of the pages; the latest transaction is forgotten with the session. */
function useSharedState(): PageState {
  const { passkeyManager, loginState } = usePasskeyContext();
  const { rpcUrls, contractId } = passkeyManager.config;
  const [greeting] = useState(() =>
    createGreetingStore(async () => String(await viewCall(rpcUrls, contractId, 'get_greeting'))),
  );
  const [latest, setLatest] = useState<ActionResult>();
  const [wasLoggedIn, setWasLoggedIn] = useState(false);
  const accountId = loginState.isLoggedIn ? loginState.nearAccountId : null;
  useEffect(() => {
    if (accountId === null) return;
    setWasLoggedIn(true);
    return () => setLatest(undefined);
  }, [accountId]);
  return { greeting, latest, setLatest, wasLoggedIn };
}
