export { type AddedKeys, type AddKeysOptions, addAccessKeys } from './access-keys.js';
export { createRelay, type RelayServices } from './app.js';
export { type ClientAddress, type ClientAddressOptions, createClientAddress } from './client-address.js';
export {
  type LockFile,
  type LockSource,
  type RelayConfig,
  readRelayConfig,
} from './config.js';
export { type Delegated, Delegator, type DelegatorOptions } from './delegate.js';
export type { InnerActionKind, SignedDelegate } from './delegate-codec.js';
export type { DelegatePolicy } from './delegate-policy.js';
export type { Environment } from './environment.js';
export { createMemoryLeaseStore, type KeyLease, type LeaseStore } from './lease-store.js';
export {
  createLimits,
  type Limited,
  type LimitOptions,
  type RateLimit,
  type RateLimits,
  type RelayLimits,
} from './limits.js';
export { readLockKey } from './lock.js';
export { readLockGroup } from './lock-group.js';
export { type LockKeeper, type LockKeeperOptions, startLockKeeper } from './lock-keeper.js';
export { type Rotation, rotateLockKeyFile, type StoredLockKeys } from './lock-key-file.js';
export type { LockGroup } from './lock-number.js';
export { createLog, type Log, type LogFields, type LogLevel } from './log.js';
export { type MetricsPage, measureLeases, measureSpend, noMetrics, type RelayMetrics } from './metrics.js';
export { createOriginManifest, type OriginManifest } from './origin-manifest.js';
export { createReadiness, type Readiness } from './readiness.js';
export { Refusal, type RefusalCode } from './refusal.js';
export { type Registered, Registrar, type RegistrarOptions } from './registrar.js';
export type { RelayerAccount, RelaySettings } from './relay-settings.js';
export { createRelayer, type FunctionCall, type Relayer, type SignedCall } from './relayer.js';
export { type LockKey, type LockKeyText, ServerLock } from './server-lock.js';
export {
  createMemorySpendMeter,
  type SpendMeter,
  type SpendMeterOptions,
  type SpendReservation,
} from './spend.js';
export {
  createTransactionSigner,
  type SignWithKeyPair,
  type TransactionSigner,
  type TransactionToSign,
} from './transaction-signer.js';
export type { RegistrationRequest, SignedDelegateRequest } from './wire.js';
