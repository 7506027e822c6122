export {
  type HostRequest,
  HostRequestSchema,
  PROTOCOL_VERSION,
  type Progress,
  type StickyEnd,
  type WalletMessage,
  WalletMessageSchema,
  type WireError,
} from './envelope.js';
export type { Call, FrameServices, Message, Policy } from './message.js';
export {
  type EndOf,
  MESSAGES,
  type MessageType,
  messageNamed,
  type PayloadOf,
  type ResultOf,
} from './messages.js';
export type { HostConfig } from './payloads.js';
export { fromWireTransaction, toWireTransaction, type WireSignedTransaction } from './schemas.js';
