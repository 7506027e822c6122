import {
  type Confirmer,
  type LoginState,
  PasskeyManager,
  type PasskeyManagerConfig,
  type ResumeResult,
} from 'latchkey';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createReactConfirmer } from './confirm/react-confirmer.js';
import { loggedOut, PasskeyContext, type PasskeyContextValue } from './context.js';
import { useTheme } from './theme.js';

export interface PasskeyContextProviderProps {
  /** Makes a PasskeyManager from this; read once. Give either this or `manager`. */
  config?: PasskeyManagerConfig;
  /** A PasskeyManager of your own. Its confirmer is replaced for as long as the provider is mounted. */
  manager?: PasskeyManager;
  /** Draws confirmations; by default the confirm UI of this package. */
  confirmer?: Confirmer;
  children?: ReactNode;
}

/** Gives the components below it one wallet: starts it, draws its confirmations and follows its login state. */
export function PasskeyContextProvider({
  config,
  manager,
  confirmer,
  children,
}: PasskeyContextProviderProps) {
  const themeControl = useTheme();
  const { theme } = themeControl;
  const currentTheme = useRef(theme);
  currentTheme.current = theme;

  const [passkeyManager] = useState(() => {
    if (manager) return manager;
    if (config) return new PasskeyManager(config);
    throw new Error('PasskeyContextProvider needs a config or a manager');
  });
  const [ownConfirmer] = useState(() => createReactConfirmer({ theme: () => currentTheme.current }));
  const owned = manager === undefined;

  const [ready, setReady] = useState(false);
  const [startError, setStartError] = useState<Error>();
  const [loginState, setLoginState] = useState<LoginState>(loggedOut);
  const [resumed, setResumed] = useState<ResumeResult>();

  const refreshLoginState = useCallback(
    async (nearAccountId?: string) => {
      const state = await passkeyManager.getLoginState(nearAccountId);
      setLoginState(state);
      return state;
    },
    [passkeyManager],
  );

  useEffect(() => {
    passkeyManager.setConfirmer(confirmer ?? ownConfirmer);
    return () => passkeyManager.setConfirmer(null);
  }, [passkeyManager, confirmer, ownConfirmer]);

  const pendingClose = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    let mounted = true;
    clearTimeout(pendingClose.current);
    const start = async () => {
      try {
        const settled = await passkeyManager.init();
        if (mounted) setResumed(settled);
      } catch (error) {
        if (mounted) setStartError(asError(error));
      }
      try {
        const state = await passkeyManager.getLoginState();
        if (mounted) setLoginState(state);
      } catch (error) {
        if (mounted) setStartError(asError(error));
      }
      if (mounted) setReady(true);
    };
    void start();
    return () => {
      mounted = false;
      // React mounts twice in development: only an unmount that lasts ends the workers.
      if (owned) pendingClose.current = setTimeout(() => void passkeyManager.close(), 0);
    };
  }, [passkeyManager, owned]);

  // So that the first confirmation opens at once. What fails now is loaded again when it is needed.
  useEffect(() => {
    if (!ready || confirmer) return;
    ownConfirmer.preload().catch((error) => {
      passkeyManager.config.logger.warn('The confirm UI could not be loaded ahead', error);
    });
  }, [ready, confirmer, ownConfirmer, passkeyManager]);

  // The theme is one of the person's preferences too: it goes with the account.
  const { isLoggedIn, nearAccountId } = loginState;
  useEffect(() => {
    if (!isLoggedIn || !nearAccountId) return;
    passkeyManager.setConfirmationConfig({ theme }).catch((error) => {
      passkeyManager.config.logger.warn('The theme was not stored with the account', error);
    });
  }, [passkeyManager, theme, isLoggedIn, nearAccountId]);

  const value = useMemo<PasskeyContextValue>(
    () => ({
      ...themeControl,
      passkeyManager,
      ready,
      startError,
      loginState,
      refreshLoginState,
      resumed,
      async resume() {
        const settled = await passkeyManager.resume();
        setResumed(settled);
        return settled;
      },
      async registerPasskey(nearAccountId, options) {
        setResumed(forgetSettled);
        const result = await passkeyManager.registerPasskey(nearAccountId, options);
        await refreshLoginState(result.success ? nearAccountId : undefined);
        return result;
      },
      async loginPasskey(nearAccountId, options) {
        setResumed(forgetSettled);
        const result = await passkeyManager.loginPasskey(nearAccountId, options);
        await refreshLoginState(result.success ? nearAccountId : undefined);
        return result;
      },
      async logout() {
        await passkeyManager.logoutAndClearVrfSession();
        setLoginState(loggedOut);
      },
    }),
    [themeControl, passkeyManager, ready, startError, loginState, refreshLoginState, resumed],
  );
  return <PasskeyContext value={value}>{children}</PasskeyContext>;
}

/** What was settled has been told by the time that the next flow begins. */
function forgetSettled(resumed: ResumeResult | undefined): ResumeResult | undefined {
  return resumed && { committed: [], dropped: [], mismatched: [], pending: resumed.pending };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
