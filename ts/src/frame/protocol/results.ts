/** The results of the messages. What the wallet gives beyond them stays with it. */
import * as v from 'valibot';
import type { AccessKeyList } from '../../near/index.js';
import type {
  ActionResult,
  AppKey,
  AppKeyResult,
  ConfirmationConfig,
  Device2Linking,
  ExportKeypairResult,
  LinkDeviceResult,
  LinkedAccount,
  LinkedDevice,
  LinkedDevices,
  LoginResult,
  LoginState,
  RecentLogins,
  RecoverableAccount,
  RecoveryResult,
  RegistrationResult,
  ResumeResult,
  SignDelegateResult,
  SignNep413Result,
  SignTransactionResult,
  UserData,
  UserPreferences,
} from '../../types.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import { chainOutcome } from './chain.js';
import {
  accountId,
  amount,
  behavior,
  code,
  confirmationChoice,
  flag,
  LONG,
  linkQrData,
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
import { fate, signedTransaction } from './transactions.js';
import type { WireSignedTransaction } from './wire-transaction.js';

const outcome = { success: flag, error: optional(sentence), errorCode: optional(code) };
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

// ---------------------------------------------------------------- signing

const actionEntries = {
  ...outcome,
  fate: optional(fate),
  transactionId: orNull(name),
  result: orNull(chainOutcome),
};
export const action = only<ActionResult>(actionEntries);
export const actions: Schema<readonly ActionResult[]> = list(action);
export const appKey = only<AppKeyResult>({
  ...actionEntries,
  publicKey: orNull(name),
  pending: optional(flag),
});

export interface WireSignTransactionResult extends Omit<SignTransactionResult, 'signedTransaction'> {
  readonly signedTransaction: WireSignedTransaction;
}
export const signedTransactions: Schema<readonly WireSignTransactionResult[]> = list(
  only<WireSignTransactionResult>({ signedTransaction, nearAccountId: accountId, logs: list(sentence) }),
);

export const nep413 = only<SignNep413Result>({
  ...outcome,
  accountId,
  publicKey: orNull(name),
  signature: orNull(name),
  nonce: orNull(name),
  state: optional(text(LONG)),
});

export const delegate = only<SignDelegateResult>({
  ...outcome,
  hash: orNull(name),
  signedDelegate: orNull(text(16 * 1024 * 1024)),
  publicKey: orNull(name),
  nonce: orNull(amount),
  maxBlockHeight: orNull(amount),
});

// ---------------------------------------------------------------- keys and devices

export const accessKeys: Schema<AccessKeyList> = v.object({
  keys: list(
    v.object({
      public_key: name,
      access_key: v.object({
        nonce: wholeNumber,
        permission: v.union([
          v.literal('FullAccess'),
          v.object({
            FunctionCall: v.object({
              allowance: orNull(amount),
              receiver_id: accountId,
              method_names: list(name),
            }),
          }),
          // A permission newer than this client is named, no more.
          v.pipe(
            v.record(v.string(), v.unknown()),
            v.transform((newer) =>
              Object.fromEntries(
                Object.keys(newer)
                  .slice(0, 1)
                  .map((kind) => [kind, {}]),
              ),
            ),
          ),
        ]),
      }),
    }),
    10_000,
  ),
  block_height: wholeNumber,
  block_hash: name,
});

export const appKeys: Schema<readonly AppKey[]> = list(
  only<AppKey>({
    publicKey: name,
    receiverId: accountId,
    methodNames: list(name),
    allowance: orNull(amount),
    isHere: flag,
    isOnChain: flag,
  }),
);

export const devices = only<LinkedDevices>({
  accountId,
  devices: list(
    only<LinkedDevice>({
      deviceNumber: wholeNumber,
      name,
      credentialId: text(2_048),
      registeredAt: wholeNumber,
      isCurrent: flag,
      accessKey: orNull(name),
      registeredKey: orNull(name),
    }),
  ),
  temporaryKeys: list(v.object({ publicKey: name, dueAt: orNull(wholeNumber) })),
  otherKeys: list(name),
});

export interface WireLinkDeviceResult extends Omit<LinkDeviceResult, 'signedDeleteKeyTransaction'> {
  readonly signedDeleteKeyTransaction?: WireSignedTransaction;
}
export const linkedDevice = only<WireLinkDeviceResult>({
  ...outcome,
  device2PublicKey: name,
  transactionId: optional(name),
  fundingAmount: name,
  linkedToAccount: optional(accountId),
  signedDeleteKeyTransaction: optional(signedTransaction),
});

export const device2Linking = only<Device2Linking>({
  flowId: name,
  qrData: linkQrData,
  qrCodeDataURL: v.pipe(v.string(), v.startsWith('data:image/png;base64,'), v.maxLength(LONG)),
  checkCode: name,
  expiresAt: wholeNumber,
});

export const linkedAccount = only<LinkedAccount>({
  ...outcome,
  nearAccountId: accountId,
  deviceNumber: orNull(wholeNumber),
  publicKey: orNull(name),
  transactionIds: list(name),
  isLoggedIn: flag,
});

export const exported = only<ExportKeypairResult>({
  ...outcome,
  nearAccountId: accountId,
  publicKey: orNull(name),
});
