export {
  type HostRequest,
  hostRequest,
  PROTOCOL_VERSION,
  type Progress,
  progress,
  type StickyEnd,
  type WalletMessage,
  type WireError,
  walletMessage,
} from './envelope.js';
export type { Call, FrameServices, Message, Policy, RegisterButtonModel } from './message.js';
export {
  type EndOf,
  MESSAGES,
  type MessageType,
  messageNamed,
  type PayloadOf,
  type ResultOf,
} from './messages.js';
export type { HostConfig } from './payloads.js';
export { errorDetails } from './reports.js';
export { loginState } from './results.js';
export { requestId, type Schema } from './schemas.js';
export { fromWireTransaction, toWireTransaction, type WireSignedTransaction } from './transactions.js';
