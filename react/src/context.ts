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
import { createContext, use } from 'react';
import type { ThemeControl } from './theme.js';

export interface PasskeyContextValue extends ThemeControl {
  passkeyManager: PasskeyManager;
  /** True once the wallet has started and the login state has been read. */
  ready: boolean;
  /** Why the wallet could not start; undefined while it could. */
  startError: Error | undefined;
  loginState: LoginState;
  /** Reads the login state again, of the account given or the one last used. */
  refreshLoginState: (nearAccountId?: string) => Promise<LoginState>;
  /** What became of registrations whose answer had been lost; undefined until it was looked up. */
  resumed: ResumeResult | undefined;
  /** Looks those registrations up again. */
  resume: () => Promise<ResumeResult>;
  /** As PasskeyManager.registerPasskey; the login state follows. */
  registerPasskey: (nearAccountId: string, options?: RegistrationOptions) => Promise<RegistrationResult>;
  /** As PasskeyManager.loginPasskey; the login state follows. */
  loginPasskey: (nearAccountId: string, options?: LoginOptions) => Promise<LoginResult>;
  /** As PasskeyManager.recoverAccountFlow; the login state follows. */
  recoverAccountFlow: (request?: RecoveryRequest) => Promise<RecoveryResult>;
  /** Clears the session; the login state follows. */
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
  const value = use(PasskeyContext);
  if (!value) throw new Error('usePasskeyContext must be used within a PasskeyContextProvider');
  return value;
}
