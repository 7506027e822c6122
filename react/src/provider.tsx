'use client';
import {
  type Confirmer,
  type LoginState,
  PasskeyManager,
  type PasskeyManagerConfig,
  type Theme,
  type WalletLoader,
} from 'latchkey';
import { type Brand, brandCss } from 'latchkey/brand';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { asError } from './as-error.js';
import { createReactConfirmer } from './confirm/react-confirmer.js';
import { loggedOut, PasskeyContext, type PasskeyContextValue } from './context.js';
import { useResumed } from './resumed/use-resumed.js';
import { paintBrand } from './surface/design.js';
import { useBrowserLayoutEffect } from './surface/use-browser-layout-effect.js';
import { setTexts } from './texts/current.js';
import { type Catalogue, english } from './texts/english.js';
import { type ThemeControl, useTheme } from './theme.js';

export interface PasskeyContextProviderProps {
  /** Creates a PasskeyManager from this; read once. Pass either this or `manager`. */
  config?: PasskeyManagerConfig | undefined;
  /** Runs the wallet in this page where `config` names no `iframeWallet`: `sameOriginWallet` of `latchkey/same-origin`. */
  wallet?: WalletLoader | undefined;
  /** Your own PasskeyManager. The provider replaces its confirmer while mounted. */
  manager?: PasskeyManager | undefined;
  /** Draws confirmations; by default this package's confirm UI. */
  confirmer?: Confirmer | undefined;
  /** The look of what the kit draws in this page. A wallet in a frame has its operator's. */
  brand?: Brand | undefined;
  /** The texts of what the kit draws in this page. Default: English. */
  texts?: Catalogue | undefined;
  children?: ReactNode | undefined;
}

/** Gives the components below it one wallet: starts it, draws its confirmations and follows its login state. */
export function PasskeyContextProvider({
  config,
  wallet,
  manager,
  confirmer,
  brand,
  texts = english,
  children,
}: PasskeyContextProviderProps) {
  const themeControl = useTheme();
  const { theme } = themeControl;
  const currentTheme = useRef(theme);
  currentTheme.current = theme;

  const [passkeyManager] = useState(() => {
    if (manager) return manager;
    if (config) return new PasskeyManager(config, { wallet });
    throw new Error('PasskeyContextProvider needs a config or a manager');
  });
  const [ownConfirmer] = useState(() => createReactConfirmer({ theme: () => currentTheme.current }));
  const owned = manager === undefined;

  const look = JSON.stringify(brand ?? {});
  const css = useMemo(() => brandCss(JSON.parse(look) as Brand), [look]);
  useBrowserLayoutEffect(() => {
    paintBrand(css);
    return () => paintBrand('');
  }, [css]);

  useBrowserLayoutEffect(() => {
    setTexts(texts);
    return () => setTexts(english);
  }, [texts]);

  const [ready, setReady] = useState(false);
  const [startError, setStartError] = useState<Error>();
  const [starts, setStarts] = useState(1);
  const following = useResumed(passkeyManager);
  const { hearResumed } = following;
  const { loginState, hearLoginState, refreshLoginState } = useFollowedLogin(passkeyManager);

  const isFramed = passkeyManager.config.iframeWallet !== null;
  useEffect(() => {
    passkeyManager.setConfirmer(confirmer ?? ownConfirmer);
    return () => passkeyManager.setConfirmer(null);
  }, [passkeyManager, confirmer, ownConfirmer]);

  const pendingClose = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another start runs it again
  useEffect(() => {
    let mounted = true;
    clearTimeout(pendingClose.current);
    setStartError(undefined);
    setReady(false);
    const start = async () => {
      try {
        const settled = await passkeyManager.init();
        if (mounted) hearResumed(settled);
      } catch (error) {
        if (mounted) setStartError(asError(error));
      }
      try {
        await refreshLoginState();
      } catch (error) {
        if (mounted) setStartError(asError(error));
      }
      if (mounted) setReady(true);
    };
    void start();
    return () => {
      mounted = false;
      // StrictMode mounts twice in development: only an unmount that lasts ends the workers.
      if (owned) pendingClose.current = setTimeout(() => void passkeyManager.close(), 0);
    };
  }, [passkeyManager, owned, refreshLoginState, hearResumed, starts]);

  // What kept it from starting may have been the network.
  useEffect(() => {
    if (!startError) return;
    const again = (): void => setStarts((count) => count + 1);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [startError]);

  // Makes the first confirmation open immediately. If this fails, the UI is loaded again when needed. A wallet in a frame
  // brings its own.
  useEffect(() => {
    if (!ready || confirmer || isFramed) return;
    ownConfirmer.preload().catch((error) => {
      passkeyManager.config.logger.warn('The confirm UI could not be loaded ahead', error);
    });
  }, [ready, confirmer, isFramed, ownConfirmer, passkeyManager]);

  // The operating system may change it while a confirmation is open.
  useEffect(() => ownConfirmer.setTheme(theme), [ownConfirmer, theme]);
  useThemeOfFrame(passkeyManager, ready, theme, loginState.nearAccountId);
  const themeOfAccount = useAccountTheme(passkeyManager, loginState, themeControl);

  const value = useMemo<PasskeyContextValue>(
    () => ({
      ...themeOfAccount,
      passkeyManager,
      ready,
      startError,
      startAgain: () => setStarts((count) => count + 1),
      loginState,
      refreshLoginState,
      resumed: following.resumed,
      isResuming: following.isResuming,
      resume: following.resume,
      markSeen: following.markSeen,
      async registerPasskey(nearAccountId, options) {
        following.forgetSettled();
        const result = await passkeyManager.registerPasskey(nearAccountId, options);
        if (result.pending) following.hearPending(nearAccountId);
        await refreshLoginState(result.success ? nearAccountId : undefined);
        return result;
      },
      async loginPasskey(nearAccountId, options) {
        following.forgetSettled();
        const result = await passkeyManager.loginPasskey(nearAccountId, options);
        await refreshLoginState(result.success ? nearAccountId : undefined);
        return result;
      },
      async recoverAccountFlow(request) {
        following.forgetSettled();
        const result = await passkeyManager.recoverAccountFlow(request);
        await refreshLoginState((result.success && result.accountId) || undefined);
        return result;
      },
      async logout() {
        await passkeyManager.logoutAndClearVrfSession();
        hearLoginState(loggedOut);
      },
    }),
    [
      themeOfAccount,
      passkeyManager,
      ready,
      startError,
      loginState,
      hearLoginState,
      refreshLoginState,
      following,
    ],
  );
  return <PasskeyContext.Provider value={value}>{children}</PasskeyContext.Provider>;
}

/**
 * The latest login state: discards a read that a newer event overtook. A read that fails means logged out: the last state
 * may be of a session that is over.
 */
function useFollowedLogin(manager: PasskeyManager) {
  const [loginState, setLoginState] = useState<LoginState>(loggedOut);
  const heard = useRef(0);

  const hearLoginState = useCallback((state: LoginState) => {
    heard.current += 1;
    setLoginState(state);
  }, []);

  const refreshLoginState = useCallback(
    async (nearAccountId?: string) => {
      const before = heard.current;
      const set = (state: LoginState): void => {
        if (heard.current === before) setLoginState(state);
      };
      try {
        const state = await manager.getLoginState(nearAccountId);
        set(state);
        return state;
      } catch (error) {
        set(loggedOut);
        throw error;
      }
    },
    [manager],
  );

  useEffect(() => manager.onLoginStateChange(hearLoginState), [manager, hearLoginState]);
  return { loginState, hearLoginState, refreshLoginState };
}

/** Ties the theme to the account: login applies the stored theme, and a later choice is stored with the account. */
function useAccountTheme(
  manager: PasskeyManager,
  { isLoggedIn, nearAccountId, userData }: LoginState,
  control: ThemeControl,
): ThemeControl {
  const { theme, setTheme } = control;
  const stored = userData?.preferences.theme;
  const account = isLoggedIn ? nearAccountId : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at login, not when the user chooses another theme
  useEffect(() => {
    if (account && stored) setTheme(stored);
  }, [account]);

  return useMemo(() => {
    const choose = (next: Theme) => {
      setTheme(next);
      if (!account) return;
      manager.setUserTheme(next, account).catch((error) => {
        manager.config.logger.warn('The theme was not stored with the account', error);
      });
    };
    return { theme, setTheme: choose, toggleTheme: () => choose(theme === 'dark' ? 'light' : 'dark') };
  }, [theme, setTheme, manager, account]);
}

/** Sends the page's theme to a framed wallet, which cannot see it, for its confirmations. */
function useThemeOfFrame(
  manager: PasskeyManager,
  ready: boolean,
  theme: Theme,
  account: string | null,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wallet keeps the host's wish per account
  useEffect(() => {
    if (!ready || !manager.config.iframeWallet) return;
    manager.setConfirmationConfig({ theme }).catch((error: unknown) => {
      manager.config.logger.warn("The wallet's frame was not told the theme", error);
    });
  }, [manager, ready, theme, account]);
}
