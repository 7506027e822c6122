export { createRelay, type RelayServices } from './app.js';
export { type Environment, type LockSource, type RelayConfig, readRelayConfig } from './config.js';
export { createMemoryLeaseStore, type KeyLease, type LeaseStore } from './lease-store.js';
export { type LockKey, type LockKeyText, readLockKey, ServerLock } from './lock.js';
export { type LockGroup, readLockGroup } from './lock-group.js';
export { createLog, type Log, type LogFields, type LogLevel } from './log.js';
export { createOriginManifest, type OriginManifest } from './origin-manifest.js';
export { createReadiness, type Readiness } from './readiness.js';
export { Refusal, type RefusalCode } from './refusal.js';
export { type Registered, Registrar, type RegistrarOptions } from './registrar.js';
export { createRelayer, type FunctionCall, type Relayer, type SignedCall } from './relayer.js';
export {
  createTransactionSigner,
  type SignWithKeyPair,
  type TransactionSigner,
  type TransactionToSign,
} from './transaction-signer.js';
export type { RegistrationRequest } from './wire.js';
