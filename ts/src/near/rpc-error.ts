/** Errors of the chain's JSON-RPC, classified so that programs can act on them. */
import * as v from 'valibot';
import { isLatchkeyError, LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../errors/core.js';
import { type NetworkLack, networkLack } from './chain-error.js';
import type { TransactionState } from './rpc-answer.js';

/**
 * Why an RPC call failed.
 *
 * The node gave no usable answer; another node or a later attempt may: `unreachable`, `http`, `malformed`, `timeout`
 * (the node stopped waiting), `node` (not synced, overloaded, internal error), `busy` (the shard or the
 * node accepts no transaction now: the same bytes may be accepted later).
 *
 * The chain answered: `unknown_account`, `unknown_access_key`, `unknown_transaction`, `no_contract`,
 * `contract` (the view call failed), `invalid_transaction` (never executed), `invalid_request`.
 *
 * `outcome_unknown`: a node had a transaction, even if it turned it away, and none reported its outcome. It may still execute.
 */
export type RpcFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'http'
  | 'malformed'
  | 'node'
  | 'busy'
  | 'unknown_account'
  | 'unknown_access_key'
  | 'unknown_transaction'
  | 'no_contract'
  | 'contract'
  | 'invalid_transaction'
  | 'invalid_request'
  | 'outcome_unknown';

/** The `details` of a {@link LatchkeyError} that came from an RPC call. */
export interface RpcFailure extends Readonly<Record<string, unknown>> {
  readonly kind: RpcFailureKind;
  /** HTTP status, for kind `http`. */
  readonly status?: number;
  /** The chain's own name for the transaction's fault, such as `InvalidNonce` or `Expired`. */
  readonly reason?: string;
  /** The network does not have what the transaction needs: not yet at its protocol, or no longer. */
  readonly lacks?: 'not-yet' | 'no-longer';
  /** The chain's data for that name; for a view, `block_height` and `block_hash` are the block it was read at. */
  readonly info?: unknown;
  /** The node's own name for its failure (nearcore's `error.cause.name`), such as `UNKNOWN_BLOCK`. */
  readonly causeName?: string;
  /** How long the node asks to wait before the next request. */
  readonly retryAfterMs?: number;
  /** True if the node has not accepted the request: it was unreachable, or says that it refused it. */
  readonly notDelivered?: boolean;
  /** For kind `outcome_unknown`: the transaction id to query later. */
  readonly transactionId?: string;
  /** For kind `outcome_unknown`: how far the nodes have shown the transaction to be. */
  readonly state?: TransactionState['name'];
}

const KINDS_TO_TRY_AGAIN: ReadonlySet<RpcFailureKind> = new Set([
  'unreachable',
  'timeout',
  'malformed',
  'node',
  'busy',
]);

/** The failure in an error of the RPC client; undefined for any other value. */
export function rpcFailure(error: unknown): RpcFailure | undefined {
  const isOurs = isLatchkeyError(error, 'NEAR_RPC_FAILED', 'TRANSACTION_FAILED') && 'kind' in error.details;
  return isOurs ? (error.details as RpcFailure) : undefined;
}

/** Whether the same request may succeed later or on another node. */
export function isTransient(failure: RpcFailure): boolean {
  if (failure.kind === 'http') {
    const status = failure.status ?? 0;
    return status >= 500 || status === 408 || status === 429;
  }
  return KINDS_TO_TRY_AGAIN.has(failure.kind);
}

/** Whether the answer came from the chain itself, so that another node would say the same. */
export function isFinalAnswer(failure: RpcFailure): boolean {
  return failure.kind !== 'http' && failure.kind !== 'unknown_transaction' && !isTransient(failure);
}

/** An error for a failure; `message` replaces the text that `reason` would fill. */
export function rpcError(
  failure: RpcFailure,
  text: { reason: string } | NetworkLack | { message: string },
  cause?: unknown,
): LatchkeyError {
  const coded = failure.kind === 'invalid_transaction' ? TRANSACTION_FAILED : NEAR_RPC_FAILED;
  const said = 'message' in text ? text : { values: text };
  return new LatchkeyError(coded, { ...said, details: failure, cause });
}

/** The error for a transaction that may have been sent and whose end no node told. */
export function outcomeUnknown(
  transactionId: string,
  state: TransactionState['name'],
  cause: unknown,
): LatchkeyError {
  const reason = `what became of transaction ${transactionId} is not known, and it may still happen`;
  return rpcError({ kind: 'outcome_unknown', transactionId, state }, { reason }, cause);
}

const JsonRpcErrorSchema = v.looseObject({
  name: v.optional(v.string()),
  cause: v.optional(
    v.nullable(v.looseObject({ name: v.optional(v.string()), info: v.optional(v.unknown()) })),
  ),
  message: v.optional(v.string()),
  data: v.optional(v.unknown()),
});

/** Values of `error.cause.name` (nearcore's structured errors) that determine the kind. */
const KIND_OF_CAUSE: ReadonlyMap<string, RpcFailureKind> = new Map([
  ['UNKNOWN_ACCOUNT', 'unknown_account'],
  ['UNKNOWN_ACCESS_KEY', 'unknown_access_key'],
  ['UNKNOWN_GAS_KEY', 'unknown_access_key'],
  ['UNKNOWN_TRANSACTION', 'unknown_transaction'],
  ['NO_CONTRACT_CODE', 'no_contract'],
  ['CONTRACT_EXECUTION_ERROR', 'contract'],
  ['INVALID_TRANSACTION', 'invalid_transaction'],
  ['TIMEOUT_ERROR', 'timeout'],
  ['REQUEST_ROUTED', 'node'],
]);

/**
 * Refusals that blame no transaction (nearcore, `InvalidTxError`): of a shard that is congested or whose chunks are
 * missing, and of a node that cannot read its own state.
 */
const BUSY: ReadonlySet<string> = new Set(['ShardCongested', 'ShardStuck', 'StorageError']);

/** Limit on a node's text that is read and passed on: a faulty or hostile node may send megabytes. */
const MAX_TEXT_LENGTH = 1000;

/** Converts the `error` member of a JSON-RPC answer. */
export function errorFromAnswer(answer: unknown): LatchkeyError {
  if (typeof answer === 'string') return errorFromText(answer);
  const parsed = v.safeParse(JsonRpcErrorSchema, answer);
  if (!parsed.success)
    return rpcError({ kind: 'malformed' }, { reason: 'the node sent an unreadable error' });
  const { name, cause, message, data } = parsed.output;
  const text = (textOfData(data) ?? message ?? 'the node gave no reason').slice(0, MAX_TEXT_LENGTH);

  const invalid = invalidTransactionIn(data);
  if (invalid) {
    const lack = networkLack(data);
    const failure: RpcFailure = BUSY.has(invalid.reason)
      ? { kind: 'busy', ...invalid, notDelivered: true }
      : { kind: 'invalid_transaction', ...invalid, ...(lack && { lacks: lack.lacks }) };
    return rpcError(failure, lack ?? { reason: describe(invalid) });
  }
  const named = KIND_OF_CAUSE.get(cause?.name ?? '');
  const kind = named === 'contract' && NO_CODE.test(text) ? 'no_contract' : named;
  if (kind) return rpcError({ kind, info: cause?.info }, { reason: text });
  if (cause?.name === 'UNKNOWN_BLOCK') return unknownBlock(text);
  if (name === 'REQUEST_VALIDATION_ERROR') return rpcError({ kind: 'invalid_request' }, { reason: text });
  return errorFromText(text);
}

/** Classifies an error that is only a sentence, as older nodes and `query` results return it. */
export function errorFromText(text: string, info?: unknown): LatchkeyError {
  const reason = text.slice(0, MAX_TEXT_LENGTH);
  if (NO_BLOCK.test(reason)) return unknownBlock(reason);
  return rpcError({ kind: kindOfText(reason), info }, { reason });
}

function unknownBlock(reason: string): LatchkeyError {
  return rpcError({ kind: 'node', causeName: 'UNKNOWN_BLOCK' }, { reason });
}

/** A block that the node does not have: as `block` says it in every version, and as `query` does since 2021. */
const NO_BLOCK = /^(?:DB Not Found Error: BLOCK|Block either has never been observed on the node)/;

/**
 * How a node says in a view's failure that the account holds no contract: the machine's own error, whose name no text
 * of a contract can come before (nearcore's `VMError` and, in older nodes, its `FunctionCallError`). The words before it are
 * those of `runtime/runtime/src/state_viewer/mod.rs` in `query`, those of CONTRACT_EXECUTION_ERROR in the structured methods,
 * and both in gateways.
 */
const NO_CODE =
  /^(?:Function call returned an error: "?|wasm execution failed with error: )+[\w(]*CodeDoesNotExist\b/;

/**
 * For an answer whose only name of the failure is its sentence. `query` puts it in place of its result in every version
 * (nearcore, `process_query_response` in `chain/jsonrpc/src/lib.rs`, for a missing key and a contract's failure). Nodes from
 * before the structured errors of 2021, and some gateways, send the others too (the `#[error]` texts in
 * `chain/jsonrpc-primitives/src/types`, of each version). The only place that reads a node's sentence.
 */
function kindOfText(text: string): RpcFailureKind {
  if (/^access key .* (?:does not exist while viewing|has never been observed on the node)/i.test(text)) {
    return 'unknown_access_key';
  }
  if (/^account .* does not exist while viewing/i.test(text)) return 'unknown_account';
  if (NO_CODE.test(text) || /^Contract code for .* has never been observed on the node/.test(text)) {
    return 'no_contract';
  }
  if (/^(?:Function call returned an error|wasm execution failed)/.test(text)) return 'contract';
  if (/^Transaction \S+ doesn't exist/.test(text)) return 'unknown_transaction';
  if (/^timeout/i.test(text)) return 'timeout';
  return 'node';
}

function textOfData(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string') {
    return data.message;
  }
  return undefined;
}

interface InvalidTransaction {
  readonly reason: string;
  readonly info?: unknown;
}

const InvalidTransactionSchema = v.looseObject({
  TxExecutionError: v.looseObject({
    InvalidTxError: v.union([v.string(), v.record(v.string(), v.unknown())]),
  }),
});

/** `InvalidTxError` is a bare name, or an object whose one key is the name. */
function invalidTransactionIn(data: unknown): InvalidTransaction | undefined {
  const parsed = v.safeParse(InvalidTransactionSchema, data);
  if (!parsed.success) return undefined;
  const error = parsed.output.TxExecutionError.InvalidTxError;
  if (typeof error === 'string') return { reason: error };
  const [entry] = Object.entries(error);
  return entry ? { reason: entry[0], info: entry[1] } : undefined;
}

function describe({ reason, info }: InvalidTransaction): string {
  const text = info === undefined ? reason : `${reason} ${JSON.stringify(info)}`;
  return text.slice(0, MAX_TEXT_LENGTH);
}
