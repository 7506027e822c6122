/** The messages of the port itself, of accounts, the session and settings. */
import { message } from './message.js';
import * as payloads from './payloads.js';
import { registrationByButton } from './register-button.js';
import * as results from './results.js';

export const SESSION_MESSAGES = {
  PING: message({
    payload: payloads.none,
    result: results.nothing,
    run: async () => undefined,
  }),
  PM_SET_CONFIG: message({
    payload: payloads.hostConfig,
    result: results.nothing,
    run: (_, config, { services }) => services.setConfig(config),
  }),
  PM_CANCEL: message({
    payload: payloads.cancel,
    result: results.nothing,
    run: async (_, payload, { cancel }) => cancel(payload?.requestId),
  }),
  PM_RESUME: message({
    payload: payloads.none,
    result: results.resumed,
    run: (wallet) => wallet.resume(),
  }),
  PM_CHECK_DEVICE: message({
    payload: payloads.none,
    result: results.deviceCheck,
    run: (_, __, { services }) => services.checkDevice(),
  }),

  // ---------------------------------------------------------------- accounts and session
  PM_REGISTER: message({
    payload: payloads.accountFlow,
    result: results.registration,
    run: (wallet, { nearAccountId, options: _, ...wish }, { options }) =>
      wallet.registerPasskey(nearAccountId, { ...wish, ...options }),
  }),
  /**
   * A register button in the wallet, so that the click falls inside the frame. Each click and what came of it are told
   * by REGISTER_BUTTON_SUBMIT and REGISTER_BUTTON_RESULT; the end is the registration that succeeded.
   */
  PM_MOUNT_REGISTER_BUTTON: message({
    payload: payloads.accountFlow,
    result: results.nothing,
    end: results.registration,
    run: async (wallet, payload, call) => call.until(registrationByButton(wallet, payload, call)),
  }),
  PM_LOGIN: message({
    payload: payloads.accountFlow,
    result: results.login,
    run: (wallet, { nearAccountId, options: _, ...wish }, { options }) =>
      wallet.loginPasskey(nearAccountId, { ...wish, ...options }),
  }),
  PM_LOGOUT: message({
    payload: payloads.none,
    result: results.nothing,
    run: (wallet) => wallet.logout(),
  }),
  PM_GET_LOGIN_STATE: message({
    payload: payloads.ofMaybeAccount,
    result: results.loginState,
    run: (wallet, payload) => wallet.getLoginState(payload?.nearAccountId),
  }),
  PM_GET_RECENT_LOGINS: message({
    payload: payloads.none,
    result: results.recentLogins,
    run: (wallet) => wallet.getRecentLogins(),
  }),
  PM_HAS_PASSKEY: message({
    payload: payloads.ofAccount,
    result: results.boolean,
    run: (wallet, { nearAccountId }) => wallet.hasPasskeyCredential(nearAccountId),
  }),
  PM_RECOVER_ACCOUNT_FLOW: message({
    payload: payloads.recovery,
    result: results.recovery,
    run: (wallet, { accountId, credentialId, ...wish }, { options }) =>
      wallet.recoverAccountFlow({ accountId, credentialId, options: { ...wish, ...options } }),
  }),
  PM_DISCOVER_RECOVERABLE_ACCOUNTS: message({
    payload: payloads.discovery,
    result: results.recoverable,
    run: (wallet, { accountId, ...wish }, { options }) =>
      wallet.discoverRecoverableAccounts(accountId, { ...wish, ...options }),
  }),

  // ---------------------------------------------------------------- settings
  PM_GET_CONFIRMATION_CONFIG: message({
    payload: payloads.ofMaybeAccount,
    result: results.confirmationConfig,
    run: (wallet, payload) => wallet.getConfirmationConfig(payload?.nearAccountId),
  }),
  PM_SET_CONFIRMATION_CONFIG: message({
    payload: payloads.confirmationConfig,
    result: results.nothing,
    run: (wallet, { config, nearAccountId }) => wallet.setConfirmationConfig(config, nearAccountId),
  }),
  PM_SET_CONFIRM_BEHAVIOR: message({
    payload: payloads.confirmBehavior,
    result: results.nothing,
    run: (wallet, { behavior, nearAccountId }) => wallet.setConfirmBehavior(behavior, nearAccountId),
  }),
  PM_SET_THEME: message({
    payload: payloads.chosenTheme,
    result: results.nothing,
    run: (wallet, { theme, nearAccountId }) => wallet.setUserTheme(theme, nearAccountId),
  }),
  PM_GET_USER_PREFERENCES: message({
    payload: payloads.ofMaybeAccount,
    result: results.preferences,
    run: (wallet, payload) => wallet.getUserPreferences(payload?.nearAccountId),
  }),
  PM_OPEN_SETTINGS: message({
    payload: payloads.none,
    result: results.nothing,
    run: async (_, __, { services, options, ui }) => {
      ui('opened');
      await services.openSettings(options.signal);
      ui('closed');
    },
  }),
};
