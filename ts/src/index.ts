export {
  AccountRecoveryFlow,
  type RecoveringManager,
  type RecoveryPhase,
  type RecoveryState,
} from './account-recovery-flow.js';
export { formatNear, parseNear, parseTgas } from './amounts.js';
export {
  DEFAULT_CONFIRMATION,
  type DeviceLinkingConfig,
  type Logger,
  type LogLevel,
  type OriginPolicy,
  type PasskeyManagerConfig,
  type ResolvedConfig,
  type ResolvedIframeWallet,
  resolveConfig,
  type Shamir3passConfig,
  type UserVerification,
} from './config.js';
export type {
  AppKeyModel,
  AuthorizationModel,
  Confirmer,
  ConfirmModel,
  ConnectChoice,
  ConnectModel,
  CostModel,
  Decision,
  DelegateModel,
  JoiningModel,
  LinkedDeviceModel,
  MessageModel,
  Nep413ConfirmModel,
  RecipientModel,
  RecordingModel,
  RegistrationConfirmModel,
  RemovedDeviceModel,
  RepeatedModel,
  RetryReason,
  ScanModel,
  TokenModel,
  TransactionsConfirmModel,
  WaitingModel,
} from './confirm/port.js';
export {
  type ErrorText,
  type ErrorValues,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  type LatchkeyErrorCode,
  type LatchkeyErrorOptions,
} from './errors/core.js';
export { orOffline } from './errors/offline.js';
export {
  type EventListener,
  type EventStatus,
  type FlowEvent,
  type FlowName,
  type FlowPhase,
  STEPS,
} from './events.js';
export type { EnterPhraseTexts, ShowPhraseTexts } from './export/phrase-viewer-texts.js';
export type { ViewerLook, ViewerTexts } from './export/viewer-texts.js';
export { checkCode } from './flows/linking/check-code.js';
export { parseLinkQr } from './flows/linking/qr.js';
export type { IframeWalletConfig } from './frame/config.js';
export type { RegisterButton, RegisterButtonOptions } from './frame/host/register-button.js';
export type {
  WalletTransactionButton,
  WalletTransactionButtonOptions,
} from './frame/host/transaction-button.js';
export {
  type AccountIdRules,
  accountIdProblem,
  assertAccountId,
  assertExistingAccountId,
  assertRegistrableAccountId,
  DEFAULT_SUFFIXES,
  existingAccountIdProblem,
  MAX_REGISTRABLE_LENGTH,
  toAccountId,
  usernameOf,
} from './near/account-id.js';
export type { AccessKeyList } from './near/index.js';
export { PasskeyManager, type PasskeyManagerParts, type WalletLoader } from './passkey-manager.js';
export type { PlainNames } from './plain-names.js';
export type { AutofillOptions } from './types/autofill.js';
export type * from './types.js';
export type { DeviceCheck, Told } from './webauthn/device-check.js';
