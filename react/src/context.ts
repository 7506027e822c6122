'use client';
import type {
  LoginOptions,
  LoginResult,
  LoginState,
  PasskeyManager,
  RecoveryRequest,
  RecoveryResult,
  RegistrationOptions,
  RegistrationResult,
  ResumeResult,
} from 'latchkey';
import { createContext, useContext } from 'react';
import type { ThemeControl } from './theme.js';

export interface PasskeyContextValue extends ThemeControl {
  passkeyManager: PasskeyManager;
  /** True once the wallet has started and the login state has been read. */
  ready: boolean;
  /** Why the wallet could not start; undefined if it did. */
  startError: Error | undefined;
  /** Starts the wallet again after it could not start. */
  startAgain: () => void;
  loginState: LoginState;
  /** Reads the login state again, for the given account or the last used one. */
  refreshLoginState: (nearAccountId?: string) => Promise<LoginState>;
  /**
   * What earlier visits and other tabs left behind: registrations, links and payments whose answer was lost. Undefined until
   * it has been looked up. Looked up again every few seconds while something is open; payments stay until `markSeen`.
   */
  resumed: ResumeResult | undefined;
  /** True while it is looked up. */
  isResuming: boolean;
  /** Looks it up now. Call it after a payment whose fate is `unknown`: it is then followed until it is known. */
  resume: () => Promise<ResumeResult>;
  /** The user has seen what is settled: drops it. */
  markSeen: () => void;
  /** PasskeyManager.registerPasskey, then updates the login state. */
  registerPasskey: (nearAccountId: string, options?: RegistrationOptions) => Promise<RegistrationResult>;
  /** PasskeyManager.loginPasskey, then updates the login state. */
  loginPasskey: (nearAccountId: string, options?: LoginOptions) => Promise<LoginResult>;
  /** PasskeyManager.recoverAccountFlow, then updates the login state. */
  recoverAccountFlow: (request?: RecoveryRequest) => Promise<RecoveryResult>;
  /** Clears the session, then updates the login state. */
  logout: () => Promise<void>;
}

export const loggedOut: LoginState = {
  isLoggedIn: false,
  nearAccountId: null,
  publicKey: null,
  vrfActive: false,
  userData: null,
};

export const PasskeyContext = createContext<PasskeyContextValue | null>(null);

/** The wallet of the nearest PasskeyContextProvider. */
export function usePasskeyContext(): PasskeyContextValue {
  const value = useContext(PasskeyContext);
  if (!value) throw new Error('usePasskeyContext must be used within a PasskeyContextProvider');
  return value;
}
