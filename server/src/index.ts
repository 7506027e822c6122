export {
  AppKeyFunder,
  type AppKeyFunderOptions,
  type Asker,
  type Funded,
  type FundPolicy,
} from './app-keys/fund-app-key.js';
export { type Delegated, Delegator, type DelegatorOptions } from './delegates/delegate.js';
export type { ActionKind, ReceivedAction, SignedDelegate } from './delegates/delegate-codec.js';
export type { DelegatePolicy } from './delegates/delegate-policy.js';
export { createRelay, type OperatorPages, type RelayServices } from './http/app.js';
export {
  type ClientAddress,
  type ClientAddressOptions,
  createClientAddress,
  createRemoteAddress,
  type RemoteAddress,
} from './http/client-address.js';
export {
  createLimits,
  type LimitOptions,
  type RateLimits,
  type RelayLimits,
} from './http/limits.js';
export { createOriginManifest, type OriginManifest } from './http/origin-manifest.js';
export { type RateBuckets, type RateLimit, type RateRefusal, TokenBuckets } from './http/rate-buckets.js';
export { Refusal, type RefusalCode } from './http/refusal.js';
export type { FundAppKeyRequest, RegistrationRequest, SignedDelegateRequest } from './http/wire.js';
export { readLockKey } from './lock/lock.js';
export { readLockGroup } from './lock/lock-group.js';
export { type LockKeeper, type LockKeeperOptions, startLockKeeper } from './lock/lock-keeper.js';
export { type Rotation, rotateLockKeyFile, type StoredLockKeys } from './lock/lock-key-file.js';
export type { LockGroup } from './lock/lock-number.js';
export { type LockKey, type LockKeyText, ServerLock } from './lock/server-lock.js';
export { createLog, type Log, type LogFields, type LogLevel } from './observe/log.js';
export {
  type Limited,
  type MetricsPage,
  measureLeases,
  measureSpend,
  noMetrics,
  type RelayMetrics,
} from './observe/metrics.js';
export { createReadiness, type Readiness } from './observe/readiness.js';
export { createStatus, type ReadStatus, type RelayStatus, type StatusOptions } from './observe/status.js';
export {
  type LockFile,
  type LockSource,
  type RelayConfig,
  readRelayConfig,
} from './platform/config.js';
export type { Environment } from './platform/environment.js';
export type { RelayerAccount, RelaySettings } from './platform/relay-settings.js';
export { Secret } from './platform/secret.js';
export { loadRelayModule } from './platform/wasm.js';
export type { RegistrationPrice } from './registration/price.js';
export {
  type Registered,
  type Registrant,
  Registrar,
  type RegistrarOptions,
} from './registration/registrar.js';
export {
  createSignupGate,
  type Signup,
  type SignupGate,
  type SignupGateOptions,
  type SignupVerdict,
  type VerifySignup,
} from './registration/signup.js';
export {
  createSingleUses,
  type SingleUse,
  type SingleUses,
  type UserOfOnce,
} from './registration/single-use.js';
export { type TurnstileOptions, verifyTurnstile } from './registration/turnstile.js';
export {
  type IssueVoucherOptions,
  issueSignupVoucher,
  makeVoucherKeyPair,
  readVoucherKey,
  type VoucherKeyPair,
  type VoucherPublicKey,
  verifyVouchers,
} from './registration/voucher.js';
export { type AddedKeys, type AddKeysOptions, addAccessKeys } from './relayer/access-keys.js';
export type { JobClaim, JobStore, KeptJob, StoredJob } from './relayer/jobs.js';
export { createMemoryLeaseStore, type KeyLease, type LeaseStore } from './relayer/lease-store.js';
export type { LocalJobs } from './relayer/local-jobs.js';
export { createLocalMeters, type MeterFor } from './relayer/meters.js';
export { createMemoryRecord, type RelayRecord } from './relayer/record.js';
export { createRelayer, type FunctionCall, type Relayer, type SignedCall } from './relayer/relayer.js';
export { createShares, type Shares, type SharesOptions } from './relayer/shares.js';
export {
  type CapOptions,
  type CountingSpendMeter,
  createMemorySpendMeter,
  type MemorySpendMeter,
  type SpendCount,
  type SpendMeter,
  type SpendMeterOptions,
  type SpendReservation,
} from './relayer/spend.js';
export { createLocalStore, type LocalStore, type RelayStore } from './relayer/store.js';
export {
  createTransactionSigner,
  type SignedBytes,
  type TransactionBody,
  type TransactionPlace,
  type TransactionSigner,
} from './relayer/transaction-signer.js';
