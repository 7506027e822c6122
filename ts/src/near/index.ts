export type {
  CallOptions,
  FunctionArgs,
  FunctionViewOptions,
  RpcCall,
  RpcClient,
  RpcClientOptions,
  SendOptions,
  ViewOptions,
} from './rpc.js';
export { createRpcClient, executionFailure, parseRpcUrls, returnedBytes } from './rpc.js';
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
