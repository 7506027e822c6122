export { describeChainError } from './chain-error.js';
export { createRpcClient, parseRpcUrls } from './rpc.js';
export type {
  AccessKeyList,
  AccessKeyView,
  AccountView,
  BlockView,
  CallResult,
  ExecutionStatus,
  Finality,
  Place,
  TransactionOutcome,
  TransactionState,
} from './rpc-answer.js';
export {
  actionErrorKind,
  executionFailure,
  type GasKeyView,
  gasKeyView,
  isFullAccessView,
  returnedBytes,
} from './rpc-answer.js';
export type {
  AgreedViewOptions,
  BlockOptions,
  CallOptions,
  CertaintyOptions,
  FunctionArgs,
  FunctionViewOptions,
  ListViewOptions,
  RpcCall,
  RpcClient,
  RpcClientOptions,
  ViewOptions,
} from './rpc-client.js';
export { isTransient, type RpcFailure, type RpcFailureKind, rpcFailure } from './rpc-error.js';
export { highestNonce, NONCES_PER_BLOCK, reachedNonce } from './send.js';
export { readSignedTransaction, type SignedTransactionSummary } from './transaction-id.js';
export type { SendOptions } from './transaction-sending.js';
export type { NotedTransaction } from './transaction-state.js';
export { hasReached } from './wait-levels.js';
