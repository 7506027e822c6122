export {
  type HostRequest,
  hostRequest,
  type Progress,
  progress,
  type StickyEnd,
  type WalletMessage,
  type WireError,
  walletMessage,
} from './envelope.js';
export type {
  Call,
  FrameServices,
  LinkingProgress,
  Message,
  RegisterButtonModel,
  TransactionButtonModel,
} from './message.js';
export {
  type CarriedCall,
  type Carrier,
  carrierOf,
  type EndOf,
  MESSAGES,
  type MessageType,
  messageNamed,
  type PayloadOf,
  type ResultOf,
} from './messages.js';
export type { HostConfig } from './payloads.js';
export type { Policy } from './policies.js';
export { errorDetails } from './reports.js';
export { loginState } from './results.js';
export { requestId, type Schema } from './schemas.js';
export { PROTOCOL_VERSION } from './version.js';
export { fromWireTransaction, toWireTransaction, type WireSignedTransaction } from './wire-transaction.js';
