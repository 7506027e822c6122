export type {
  AgreedViewOptions,
  CallOptions,
  CertaintyOptions,
  FunctionArgs,
  FunctionViewOptions,
  ListViewOptions,
  RpcCall,
  RpcClient,
  RpcClientOptions,
  SendOptions,
  ViewOptions,
} from './rpc.js';
export { createRpcClient, nullWhenRefused, parseRpcUrls, VALIDITY_BLOCKS } from './rpc.js';
export { executionFailure, returnedBytes } from './rpc-answer.js';
export { isTransient, type RpcFailure, type RpcFailureKind, rpcFailure } from './rpc-error.js';
export type {
  AccessKeyList,
  AccessKeyView,
  AccountView,
  BlockView,
  CallResult,
  ExecutionStatus,
  Finality,
  TransactionOutcome,
} from './rpc-types.js';
export { readSignedTransaction, type SignedTransactionSummary } from './transaction-id.js';
