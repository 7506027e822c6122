/** Reads a node's answer, and checks every field before use. */
import { base64 } from '@scure/base';
import * as v from 'valibot';
import { errorFromAnswer, errorFromText, rpcError } from './rpc-error.js';
import {
  type CallResult,
  CallResultSchema,
  type TransactionOutcome,
  TransactionOutcomeSchema,
} from './rpc-types.js';

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
