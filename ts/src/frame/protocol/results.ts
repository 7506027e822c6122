/** The results of the messages. What the wallet gives beyond them stays with it. */
import * as v from 'valibot';
import type {
  ConfirmationConfig,
  LoginResult,
  LoginState,
  RecentLogins,
  RecoverableAccount,
  RecoveryResult,
  RegistrationResult,
  ResumeResult,
  UserData,
  UserPreferences,
} from '../../types.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import {
  accountId,
  behavior,
  code,
  confirmationChoice,
  flag,
  list,
  name,
  oneOf,
  only,
  optional,
  orNull,
  type Schema,
  sentence,
  text,
  theme,
  wholeNumber,
} from './schemas.js';
import { fate } from './transactions.js';

/** How every flow ends. */
export const outcome = { success: flag, error: optional(sentence), errorCode: optional(code) };
const accountIds = list(accountId);

export const nothing: Schema<void> = v.void();
export const boolean = flag;

// ---------------------------------------------------------------- accounts and session

export const registration = only<RegistrationResult>({
  ...outcome,
  nearAccountId: accountId,
  clientNearPublicKey: orNull(name),
  transactionId: orNull(name),
  pending: optional(flag),
  vrfRegistration: only<RegistrationResult['vrfRegistration']>({
    success: flag,
    vrfPublicKey: orNull(name),
    encryptedVrfKeypair: orNull(v.object({ encryptedVrfDataB64u: name, chacha20NonceB64u: name })),
    contractVerified: flag,
    error: optional(sentence),
  }),
});

export const login = only<LoginResult>({
  ...outcome,
  nearAccountId: orNull(accountId),
  loggedInNearAccountId: orNull(accountId),
  clientNearPublicKey: orNull(name),
  unlockedBy: optional(oneOf('server-lock', 'passkey')),
});

export const preferences = only<UserPreferences>({
  useRelayer: flag,
  useNetwork: name,
  confirmationConfig: optional(confirmationChoice),
  theme: optional(theme),
});

export const loginState = only<LoginState>({
  isLoggedIn: flag,
  nearAccountId: orNull(accountId),
  publicKey: orNull(name),
  vrfActive: flag,
  userData: orNull(
    only<UserData>({
      nearAccountId: accountId,
      deviceNumber: wholeNumber,
      registeredAt: wholeNumber,
      lastLogin: orNull(wholeNumber),
      lastUpdated: wholeNumber,
      clientNearPublicKey: name,
      preferences,
    }),
  ),
  vrfSessionDuration: optional(v.pipe(v.number(), v.minValue(0))),
});

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
        transactions: list(v.object({ transactionId: name, receiverId: accountId, fate })),
      }),
    ),
  ),
  appKeys: optional(
    list(
      v.object({
        nearAccountId: accountId,
        receiverId: accountId,
        publicKey: name,
        outcome: oneOf('kept', 'dropped', 'pending'),
      }),
    ),
  ),
});

const told = orNull(flag);
export const deviceCheck = only<DeviceCheck>({
  canUsePasskeys: oneOf('yes', 'no', 'unknown'),
  error: optional(sentence),
  errorCode: optional(code),
  isSecureContext: flag,
  hasWebAuthn: flag,
  mayCreate: told,
  mayGet: told,
  platformAuthenticator: told,
  hybridTransport: told,
  prf: told,
});
