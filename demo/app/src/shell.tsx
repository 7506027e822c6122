import { usePasskeyContext } from 'latchkey-react';
import { ExternalIcon, LockIcon, Mark, MoonIcon, SettingsIcon, SunIcon } from 'latchkey-react/icons';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Link, NavLink, Outlet } from 'react-router';
import { Toaster } from 'sonner';
import { DeviceButtons } from './device-buttons.js';
import { showToast } from './toasts.js';
import { WalletStatus } from './wallet-status.js';

/** The width below which the toaster switches to its narrow layout. */
const NARROW = matchMedia('(max-width: 600px)');

const watchNarrow = (changed: () => void): (() => void) => {
  NARROW.addEventListener('change', changed);
  return () => NARROW.removeEventListener('change', changed);
};

/** The layout around every page: title, navigation, theme, toasts. */
export function Shell() {
  const { theme, toggleTheme, passkeyManager, loginState, logout } = usePasskeyContext();

  // On a narrow screen, fields and buttons are at the lower edge, so toasts go to the top.
  const isNarrow = useSyncExternalStore(watchNarrow, () => NARROW.matches);
  const content = useRef<HTMLElement>(null);
  const { contractId, explorerUrl, networkId } = passkeyManager.config;

  useEffect(() => {
    document.documentElement.dataset.latchkeyTheme = theme;
  }, [theme]);

  async function lock() {
    try {
      await logout();
      content.current?.focus();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      showToast('lock', { kind: 'error', text: `The wallet could not be locked: ${text}` });
    }
  }

  async function openSettings() {
    try {
      await passkeyManager.openSettings();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      showToast('settings', { kind: 'error', text: `The settings could not be shown: ${text}` });
    }
  }

  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="bar">
        <Link to="/" className="brand" aria-label="Latchkey, home">
          <Mark />
          <span className="word">Latchkey</span>
        </Link>
        <nav aria-label="Main">
          <NavLink to="/" end>
            Home
          </NavLink>
          <a href={explorerUrl} target="_blank" rel="noreferrer">
            Explorer <ExternalIcon />
          </a>
        </nav>
        <div className="bar-end">
          <WalletStatus />
          {loginState.isLoggedIn && (
            <>
              <DeviceButtons accountId={loginState.nearAccountId} />
              {passkeyManager.config.iframeWallet && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label="Transaction Settings"
                  onClick={() => void openSettings()}
                >
                  <SettingsIcon />
                </button>
              )}
              <button type="button" className="button small" onClick={() => void lock()}>
                <LockIcon /> <span className="label">Lock wallet</span>
              </button>
            </>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={theme === 'dark' ? 'Switch to light mode' : 'Switch to dark mode'}
            onClick={toggleTheme}
          >
            {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
          </button>
        </div>
      </header>
      <main id="content" ref={content} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <span>{networkId}</span>
        <a href={`${explorerUrl}/address/${contractId}`} target="_blank" rel="noreferrer">
          {contractId}
        </a>
      </footer>
      <div className="toasts">
        <Toaster
          theme={theme}
          position={isNarrow ? 'top-center' : 'bottom-right'}
          mobileOffset={{ top: 8, left: 0, right: 0 }}
          duration={3500}
          visibleToasts={20}
        />
      </div>
    </div>
  );
}
