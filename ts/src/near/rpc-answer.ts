/** A node's answer: its schemas, checked field by field before use, since a node may be faulty, lagging or hostile. */

import { base58, base64 } from '@scure/base';
import * as v from 'valibot';
import { errorFromAnswer, errorFromText, type RpcFailure, rpcError } from './rpc-error.js';
import { WAIT_LEVELS } from './wait-levels.js';

/** The block a view reads from: the last final one, or the node's newest. */
export type Finality = 'final' | 'optimistic';

const isBase58Of32Bytes = (text: string): boolean => {
  if (text.length > 44) return false;
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
};

/** A block or transaction hash: 32 bytes in base58. */
const HashSchema = v.pipe(v.string(), v.check(isBase58Of32Bytes, 'not a base58 hash of 32 bytes'));

/** An integer that JSON carried without loss. */
export const WholeNumberSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** An amount in yoctoNEAR: up to 39 decimal digits. */
export const AmountSchema = v.pipe(v.string(), v.regex(/^\d{1,39}$/));

const BlockReferenceEntries = { block_height: WholeNumberSchema, block_hash: HashSchema };

/** The block that an answer or a refusal was read at. */
export const BlockReferenceSchema = v.object(BlockReferenceEntries);

const GasKeyEntries = { balance: AmountSchema, num_nonces: WholeNumberSchema };

const PermissionSchema = v.union([
  v.literal('FullAccess'),
  v.looseObject({
    FunctionCall: v.looseObject({
      allowance: v.nullable(AmountSchema),
      receiver_id: v.string(),
      method_names: v.array(v.string()),
    }),
  }),
  v.looseObject({ GasKeyFullAccess: v.looseObject(GasKeyEntries) }),
  v.looseObject({
    GasKeyFunctionCall: v.looseObject({
      ...GasKeyEntries,
      receiver_id: v.string(),
      method_names: v.array(v.string()),
    }),
  }),
  // Permissions newer than this client pass through unread. A gas key with an unreadable balance does not: it would be burnt.
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.check((permission) => !('GasKeyFullAccess' in permission || 'GasKeyFunctionCall' in permission)),
  ),
]);

const AccessKeyEntries = { nonce: WholeNumberSchema, permission: PermissionSchema };

export const AccessKeyViewSchema = v.looseObject({ ...AccessKeyEntries, ...BlockReferenceEntries });

export const GasKeyNoncesSchema = v.looseObject({
  nonces: v.array(WholeNumberSchema),
  ...BlockReferenceEntries,
});

export const AccessKeyListSchema = v.looseObject({
  keys: v.array(v.looseObject({ public_key: v.string(), access_key: v.looseObject(AccessKeyEntries) })),
  /** Where the next page begins; absent from the last page, and from nodes before 2.14. */
  last_key: v.optional(v.nullable(v.string())),
  ...BlockReferenceEntries,
});

export const AccountViewSchema = v.looseObject({
  amount: AmountSchema,
  locked: AmountSchema,
  code_hash: HashSchema,
  storage_usage: WholeNumberSchema,
  /** Of a universal account before its first state alone, as is the nonce. */
  state: v.optional(v.string()),
  bootstrap_nonce: v.optional(WholeNumberSchema),
  ...BlockReferenceEntries,
});

export const isByteArray = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);

export const CallResultSchema = v.looseObject({
  result: v.custom<number[]>(isByteArray, 'not an array of bytes'),
  logs: v.array(v.string()),
  ...BlockReferenceEntries,
});

export const BlockViewSchema = v.looseObject({
  header: v.looseObject({
    height: WholeNumberSchema,
    hash: HashSchema,
    timestamp_nanosec: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
  }),
});

/** Searches for one wrong character: a pattern over the whole text overflows the stack on large contract results. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && !/[^A-Za-z\d+/]/.test(text.replace(/={1,2}$/, ''));

const ExecutionStatusSchema = v.union([
  v.picklist(['NotStarted', 'Started', 'Unknown']),
  v.object({ SuccessValue: v.pipe(v.string(), v.check(isBase64, 'not base64')) }),
  v.object({ SuccessReceiptId: HashSchema }),
  v.object({ Failure: v.record(v.string(), v.unknown()) }),
]);

const OutcomeWithIdSchema = v.looseObject({
  id: HashSchema,
  outcome: v.looseObject({
    executor_id: v.string(),
    gas_burnt: WholeNumberSchema,
    tokens_burnt: AmountSchema,
    logs: v.array(v.string()),
    receipt_ids: v.array(HashSchema),
    status: ExecutionStatusSchema,
  }),
});

export const TransactionOutcomeSchema = v.looseObject({
  final_execution_status: v.picklist(WAIT_LEVELS),
  status: v.optional(ExecutionStatusSchema),
  transaction: v.optional(
    v.looseObject({ hash: HashSchema, signer_id: v.string(), receiver_id: v.string() }),
  ),
  transaction_outcome: v.optional(OutcomeWithIdSchema),
  receipts_outcome: v.optional(v.array(OutcomeWithIdSchema)),
});

/** The nonce of each lane of a gas key, and the block they were read at. */
export type GasKeyNonces = v.InferOutput<typeof GasKeyNoncesSchema>;
/** An access key and the block it was read at. */
export type AccessKeyView = v.InferOutput<typeof AccessKeyViewSchema>;
/** Whether a key may do everything on the account, as a gas key too. */
export function isFullAccessView({ permission }: Pick<AccessKeyView, 'permission'>): boolean {
  return permission === 'FullAccess' || 'GasKeyFullAccess' in permission;
}

/** What a gas key has. */
export interface GasKeyView {
  /** yoctoNEAR, a decimal string. */
  readonly balance: string;
  readonly num_nonces: number;
  /** The contract that it may call; absent from a key with full access. */
  readonly receiver_id?: string;
}

/** What a gas key has; undefined for any other key. */
export function gasKeyView({ permission }: Pick<AccessKeyView, 'permission'>): GasKeyView | undefined {
  if (permission === 'FullAccess') return undefined;
  return (permission.GasKeyFullAccess ?? permission.GasKeyFunctionCall) as GasKeyView | undefined;
}

/** Every access key of an account and the block they were read at. */
export type AccessKeyList = v.InferOutput<typeof AccessKeyListSchema>;
/** An account's balance, storage and code hash, and the block they were read at. */
export type AccountView = v.InferOutput<typeof AccountViewSchema>;
/** A block's header; other parts pass through as the node sent them. */
export type BlockView = v.InferOutput<typeof BlockViewSchema>;
/** How a transaction or receipt ended, or how far it has progressed. */
export type ExecutionStatus = v.InferOutput<typeof ExecutionStatusSchema>;

/**
 * The chain's answer about a transaction, in the chain's own field names. Only `final_execution_status` is always
 * present; the rest depends on the requested level.
 */
export type TransactionOutcome = v.InferOutput<typeof TransactionOutcomeSchema> & {
  /** The transaction's id: base58 of SHA-256 of the unsigned transaction. */
  transactionId: string;
};

/** How far a transaction is; `transaction-state.ts` draws the way. */
export type TransactionState =
  | { readonly name: 'not-seen' | 'in-pool' | 'refused' | 'expired' | 'unknown' }
  | { readonly name: 'included' | 'executed' | 'final'; readonly outcome: TransactionOutcome };

/** The result of a view call. */
export interface CallResult {
  /** The returned value as bytes, JSON for most contracts. */
  bytes: Uint8Array;
  logs: string[];
  blockHeight: number;
  /** base58. */
  blockHash: string;
}

/** A block, as each answer names the one that it was read at. */
export interface Place {
  readonly height: number;
  /** base58. */
  readonly hash: string;
}

export type Answer =
  | v.InferOutput<typeof BlockReferenceSchema>
  | Pick<CallResult, 'blockHeight' | 'blockHash'>;

export function placeOf(answer: Answer): Place {
  return 'blockHeight' in answer
    ? { height: answer.blockHeight, hash: answer.blockHash }
    : { height: answer.block_height, hash: answer.block_hash };
}

/** The block that a refusal of the chain was read at, where the node names it. */
export function placeOfFailure({ info }: RpcFailure): Place | undefined {
  const block = v.safeParse(BlockReferenceSchema, info);
  return block.success ? placeOf(block.output) : undefined;
}

/** Why an accepted transaction failed; null if it succeeded or has not ended yet. */
export function executionFailure(outcome: TransactionOutcome): Readonly<Record<string, unknown>> | null {
  const { status } = outcome;
  return typeof status === 'object' && 'Failure' in status ? status.Failure : null;
}

const ActionErrorSchema = v.object({
  ActionError: v.object({ kind: v.union([v.string(), v.record(v.string(), v.unknown())]) }),
});

/** The name of the action's fault in a failed execution, such as `AccountAlreadyExists` (nearcore, `ActionErrorKind`). */
export function actionErrorKind(failure: Readonly<Record<string, unknown>> | null): string | undefined {
  const { success, output } = v.safeParse(ActionErrorSchema, failure);
  if (!success) return undefined;
  const { kind } = output.ActionError;
  return typeof kind === 'string' ? kind : Object.keys(kind)[0];
}

/** The bytes that a successful transaction returned; null if it failed or has not ended yet. */
export function returnedBytes(outcome: TransactionOutcome): Uint8Array | null {
  const { status } = outcome;
  return typeof status === 'object' && 'SuccessValue' in status ? base64.decode(status.SuccessValue) : null;
}

/** Returns `result`, or throws the error in its place. */
export function resultOf(answer: unknown): unknown {
  const envelope = v.safeParse(
    v.looseObject({ result: v.optional(v.unknown()), error: v.optional(v.unknown()) }),
    answer,
  );
  if (!envelope.success)
    throw rpcError({ kind: 'malformed' }, { reason: 'the answer is not a JSON-RPC response' });
  const { result, error } = envelope.output;
  if (error !== undefined && error !== null) throw errorFromAnswer(error);
  if (result === undefined || result === null) {
    throw rpcError({ kind: 'malformed' }, { message: 'Empty response from RPC server' });
  }
  return result;
}

/** Throws the error that a `query` may carry inside its result, with the block that it was read at. */
export function queryResult(result: unknown): unknown {
  if (typeof result === 'object' && result !== null && 'error' in result) {
    if (typeof result.error !== 'string') throw errorFromAnswer(result.error);
    const { block_height, block_hash } = result as { block_height?: unknown; block_hash?: unknown };
    throw errorFromText(result.error, { block_height, block_hash });
  }
  return result;
}

export function reader<S extends v.GenericSchema>(schema: S): (result: unknown) => v.InferOutput<S> {
  return (result) => {
    const parsed = v.safeParse(schema, result);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    const where = v.getDotPath(issue) ?? 'result';
    throw rpcError({ kind: 'malformed' }, { reason: `the answer has an unexpected shape at ${where}` });
  };
}

export function readCallResult(result: unknown): CallResult {
  const call = reader(CallResultSchema)(result);
  return {
    bytes: Uint8Array.from(call.result),
    logs: call.logs,
    blockHeight: call.block_height,
    blockHash: call.block_hash,
  };
}

/** Reads an outcome; refuses one of another transaction. */
export function outcomeReader(transactionId: string): (result: unknown) => TransactionOutcome {
  return (result) => {
    const outcome = reader(TransactionOutcomeSchema)(result);
    if (outcome.transaction !== undefined && outcome.transaction.hash !== transactionId) {
      throw rpcError({ kind: 'malformed' }, { reason: 'the answer is not about the transaction asked for' });
    }
    return { ...outcome, transactionId };
  };
}

export function parseReturnedJson<S extends v.GenericSchema>(
  schema: S,
  method: string,
  { bytes }: CallResult,
): v.InferOutput<S> {
  const malformed = (cause?: unknown) =>
    rpcError({ kind: 'malformed' }, { reason: `${method} returned something unexpected` }, cause);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw malformed(error);
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) throw malformed();
  return parsed.output;
}
