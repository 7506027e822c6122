export {
  type AccountIdRules,
  accountIdProblem,
  assertAccountId,
  assertRegistrableAccountId,
  DEFAULT_SUFFIXES,
  MAX_REGISTRABLE_LENGTH,
  toAccountId,
} from './account-id.js';
export {
  DEFAULT_CONFIRMATION,
  type Logger,
  type LogLevel,
  type OriginPolicy,
  type PasskeyManagerConfig,
  type ResolvedConfig,
  resolveConfig,
  type Shamir3passConfig,
  type UserVerification,
} from './config.js';
export type {
  Confirmer,
  ConfirmModel,
  Decision,
  Nep413ConfirmModel,
  RegistrationConfirmModel,
  RetryReason,
  TransactionsConfirmModel,
} from './confirm/port.js';
export {
  errorText,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  type LatchkeyErrorCode,
  type LatchkeyErrorOptions,
} from './errors.js';
export {
  type EventListener,
  type EventStatus,
  type FlowEvent,
  type FlowName,
  type FlowPhase,
  STEPS,
} from './events.js';
export type { AccessKeyList } from './near/index.js';
export { PasskeyManager, type PasskeyManagerParts } from './passkey-manager.js';
export type * from './types.js';
