/** The messages of the port itself, of accounts, the session and settings. */

import * as v from 'valibot';
import { checkedSettings } from '../../confirm/settings-check.js';
import { SET_CONFIRM_BEHAVIOR_FAILED, SET_CONFIRMATION_CONFIG_FAILED } from '../../errors/frame.js';
import type {
  ConfirmationBehavior,
  ConfirmationConfig,
  ConfirmationWish,
  CreateAccountArgs,
  CreatedAccount,
  LoginResult,
  PasskeyCheckResult,
  RecentLogins,
  RecoverableAccount,
  RecoveryRequest,
  RecoveryResult,
  ResumeResult,
  Theme,
} from '../../types.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import { type Crossing, inObject, inOrder } from './call-message.js';
import { message } from './message.js';
import * as payloads from './payloads.js';
import { pong, quiet, recovering } from './policies.js';
import { registrationByButton } from './register-button.js';
import { loginState, nothing, outcome, preferences, registration } from './results.js';
import {
  accountId,
  amount,
  behavior,
  code,
  confirmationWish,
  errorValues,
  exact,
  flag,
  list,
  name,
  oneOf,
  only,
  optional,
  orNull,
  requestId,
  type Schema,
  SHORT,
  sentence,
  text,
  theme,
  wholeNumber,
} from './schemas.js';
import { fate } from './transactions.js';

// ---------------------------------------------------------------- results

const accountIds = list(accountId);

export const login = only<LoginResult>({
  ...outcome,
  nearAccountId: orNull(accountId),
  loggedInNearAccountId: orNull(accountId),
  clientNearPublicKey: orNull(name),
  unlockedBy: optional(oneOf('server-lock', 'passkey')),
});

export const created = only<CreatedAccount>({
  ...outcome,
  nearAccountId: orNull(accountId),
  publicKey: orNull(name),
  passkeyProven: flag,
  loginState: optional(loginState),
});

const checked = only<PasskeyCheckResult>({ ...outcome, nearAccountId: accountId, passkeyProven: flag });

export const recovery = only<RecoveryResult>({
  ...outcome,
  accountId: orNull(accountId),
  publicKey: orNull(name),
  message: sentence,
  loginState: optional(loginState),
});

export const recoverable: Schema<readonly RecoverableAccount[]> = list(
  only<RecoverableAccount>({ credentialId: text(2_048), accountId, publicKey: name, displayName: name }),
);

export const recentLogins = only<RecentLogins>({
  accountIds,
  lastUsedAccountId: orNull(v.object({ nearAccountId: accountId, deviceNumber: wholeNumber })),
});

export const confirmationConfig = only<ConfirmationConfig>({
  uiMode: oneOf('skip', 'modal', 'drawer'),
  behavior,
  autoProceedDelayMs: wholeNumber,
  theme,
});

export const resumed = only<ResumeResult>({
  committed: accountIds,
  dropped: accountIds,
  pending: accountIds,
  mismatched: accountIds,
  deletions: optional(accountIds),
  unfinished: optional(accountIds),
  problems: optional(list(v.object({ accountId, errorCode: code, error: sentence }))),
  batches: optional(
    list(
      v.object({
        nearAccountId: accountId,
        createdAt: wholeNumber,
        transactions: list(
          v.object({
            transactionId: orNull(name),
            receiverId: accountId,
            amountYocto: optional(amount),
            fate,
          }),
        ),
      }),
    ),
  ),
  appKeys: optional(
    list(
      v.object({
        nearAccountId: accountId,
        receiverId: accountId,
        publicKey: name,
        outcome: oneOf('kept', 'expired', 'dropped', 'pending'),
      }),
    ),
  ),
});

const told = orNull(flag);
export const deviceCheck = only<DeviceCheck>({
  canUsePasskeys: oneOf('yes', 'no', 'unknown'),
  error: optional(sentence),
  errorCode: optional(code),
  errorValues: optional(errorValues),
  warning: optional(sentence),
  warningCode: optional(code),
  warningValues: optional(errorValues),
  openIn: optional(oneOf('Safari', 'Chrome')),
  isSecureContext: flag,
  hasWebAuthn: flag,
  mayCreate: told,
  mayGet: told,
  platformAuthenticator: told,
  hybridTransport: told,
  prf: told,
});

// ---------------------------------------------------------------- the port itself

/** A setting, for one account or for this page. */
type Setting<T> = T & { readonly nearAccountId?: string };

export const SESSION_MESSAGES = {
  PING: message({
    ...pong,
    payload: payloads.none,
    result: nothing,
    run: async () => undefined,
  }),
  PM_SET_CONFIG: message({
    ...pong,
    payload: payloads.hostConfig,
    result: nothing,
    run: (_, config, { services }) => services.setConfig(config),
  }),
  PM_CANCEL: message({
    ...pong,
    payload: v.optional(v.strictObject({ requestId: optional(requestId) })),
    result: nothing,
    run: async (_, payload, { cancel }) => cancel(payload?.requestId),
  }),
  PM_RESUME: inOrder('resume', [], { ...quiet, payload: payloads.none, result: resumed }),
  PM_CHECK_DEVICE: message({
    ...quiet,
    payload: payloads.none,
    result: deviceCheck,
    run: (_, __, { services }) => services.checkDevice(),
  }),

  // ---------------------------------------------------------------- accounts and session
  PM_REGISTER: inOrder('registerPasskey', ['nearAccountId', 'options'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'registration',
    sends: true,
    payload: payloads.registrationFlow,
    result: registration,
  }),
  PM_CREATE_ACCOUNT: inObject('createAccount', ['label'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'registration',
    payload: exact<Crossing<CreateAccountArgs>>({ label: optional(text(SHORT)), ...payloads.wish }),
    result: created,
  }),
  /**
   * A register button in the wallet, so that the click falls inside the frame. REGISTER_BUTTON_SUBMIT and
   * REGISTER_BUTTON_RESULT report each click and its outcome; the end is the registration that succeeded.
   */
  PM_MOUNT_REGISTER_BUTTON: message({
    overlay: 'by-phase',
    click: 'always',
    flow: 'registration',
    sends: true,
    sticky: true,
    payload: payloads.registrationFlow,
    result: nothing,
    end: registration,
    run: async (wallet, payload, call) => call.until(registrationByButton(wallet, payload, call)),
  }),
  PM_LOGIN: inOrder('loginPasskey', ['nearAccountId', 'options'], {
    overlay: 'fullscreen',
    click: 'never',
    flow: 'login',
    payload: payloads.accountFlow,
    result: login,
  }),
  PM_CHECK_PASSKEY: inOrder('checkPasskey', ['nearAccountId', 'options'], {
    overlay: 'fullscreen',
    click: 'never',
    flow: 'action',
    payload: payloads.accountFlow,
    result: checked,
  }),
  PM_LOGOUT: inOrder('logoutAndClearVrfSession', [], {
    ...quiet,
    payload: payloads.none,
    result: nothing,
  }),
  PM_GET_LOGIN_STATE: inOrder('getLoginState', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofMaybeAccount,
    result: loginState,
  }),
  PM_GET_RECENT_LOGINS: inOrder('getRecentLogins', [], {
    ...quiet,
    payload: payloads.none,
    result: recentLogins,
  }),
  PM_HAS_PASSKEY: inOrder('hasPasskeyCredential', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofAccount,
    result: flag,
  }),
  PM_RECOVER_ACCOUNT_FLOW: inObject('recoverAccountFlow', ['accountId', 'credentialId'], {
    ...recovering,
    payload: exact<Crossing<RecoveryRequest>>({
      accountId: optional(accountId),
      credentialId: optional(text(2_048)),
      ...payloads.wish,
    }),
    result: recovery,
  }),
  /**
   * A field in the wallet that offers passkeys, because the field and the request must share a document. The end is the recovery by
   * the passkey that the user chose, as PM_RECOVER_ACCOUNT_FLOW without a name.
   */
  PM_MOUNT_PASSKEY_FIELD: message({
    ...recovering,
    sticky: true,
    payload: exact<{ readonly confirmationConfig?: ConfirmationWish }>(payloads.wish),
    result: nothing,
    end: recovery,
    run: async (_, payload, call) => call.until(call.services.offerPasskeys({ ...payload, ...call.options })),
  }),
  PM_DISCOVER_RECOVERABLE_ACCOUNTS: inOrder('discoverRecoverableAccounts', ['accountId', 'options'], {
    ...recovering,
    payload: v.strictObject({ accountId: optional(accountId), ...payloads.wish }),
    result: recoverable,
    pack: ([accountId]) => (accountId === undefined ? {} : { accountId }),
    // A search runs none of the callbacks of a recovery.
    optionsOf: ([, { onEvent, signal } = {}]) => ({ onEvent, signal }),
  }),

  // ---------------------------------------------------------------- settings
  PM_GET_CONFIRMATION_CONFIG: inOrder('getConfirmationConfig', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofMaybeAccount,
    result: confirmationConfig,
  }),
  PM_SET_CONFIRMATION_CONFIG: inOrder('setConfirmationConfig', ['config', 'nearAccountId'], {
    ...quiet,
    failure: SET_CONFIRMATION_CONFIG_FAILED,
    pack: ([config, nearAccountId]) => ({
      config: checkedSettings(config),
      ...(nearAccountId !== undefined && { nearAccountId }),
    }),
    payload: exact<Setting<{ readonly config: ConfirmationWish }>>({
      config: confirmationWish,
      ...payloads.maybeAccount,
    }),
    result: nothing,
  }),
  PM_SET_CONFIRM_BEHAVIOR: inOrder('setConfirmBehavior', ['behavior', 'nearAccountId'], {
    ...quiet,
    failure: SET_CONFIRM_BEHAVIOR_FAILED,
    payload: exact<Setting<{ readonly behavior: ConfirmationBehavior }>>({
      behavior,
      ...payloads.maybeAccount,
    }),
    result: nothing,
  }),
  PM_SET_THEME: inOrder('setUserTheme', ['theme', 'nearAccountId'], {
    ...quiet,
    payload: exact<Setting<{ readonly theme: Theme }>>({ theme, ...payloads.maybeAccount }),
    result: nothing,
  }),
  PM_GET_USER_PREFERENCES: inOrder('getUserPreferences', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofMaybeAccount,
    result: preferences,
  }),
  PM_OPEN_SETTINGS: message({
    overlay: 'fullscreen',
    click: 'never',
    payload: payloads.none,
    result: nothing,
    run: async (_, __, { services, options, ui }) => {
      ui('opened');
      await services.openSettings(options.signal);
      ui('closed');
    },
  }),
};
