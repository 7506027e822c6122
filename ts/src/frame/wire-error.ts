/** Errors on their way through the port: code, message and known details; causes stay where they are. */
import * as v from 'valibot';
import { errorText, LatchkeyError, type LatchkeyErrorCode } from '../errors/frame.js';
import { NotPlain, plain } from './plain.js';
import { errorDetails, type Schema, type WireError } from './protocol/index.js';

/** An error as the host is told of it. One that is not ours is told by `failure`'s text alone: its own may say anything. */
export function toWireError(error: unknown, failure: LatchkeyErrorCode = 'HOST_ERROR'): WireError {
  if (!(error instanceof LatchkeyError)) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    const code = isAbort ? 'CANCELLED' : failure;
    return { code, message: errorText(code, { reason: errorText('HOST_ERROR') }) };
  }
  const { code, message } = error;
  const details = v.safeParse(errorDetails, error.details);
  const has = details.success && Object.keys(details.output).length > 0;
  return { code, message, ...(has && { details: details.output }) };
}

/** The error that a {@link WireError} tells of. */
export function fromWireError({ code, message, details = {} }: WireError): LatchkeyError {
  return new LatchkeyError(code, { message: message || errorText('HOST_ERROR'), details });
}

/** The value, read by the schema. Throws INVALID_MESSAGE, which names the field and nothing of what it holds. */
export function read<T>(schema: Schema<T>, value: unknown, type: string, root: string): T {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const path = issue.path?.map(({ key }) => String(key).slice(0, 64)) ?? [];
  throw invalid(type, [root, ...path].filter(Boolean).join('.'), reasonOf(issue));
}

function reasonOf({ expected, message }: v.BaseIssue<unknown>): string {
  if (expected === null) return message;
  return expected === 'never' ? 'no such field' : `must be ${expected}`;
}

/** A copy that can be sent, or was received. Throws INVALID_MESSAGE, which names the field. */
export function copied(value: unknown, type: string, root: string, maxSize?: number): unknown {
  try {
    return plain(value, maxSize);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw invalid(type, [root, error.field].filter(Boolean).join('.'), error.reason);
  }
}

export function invalid(type: string, field: string, reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_MESSAGE', {
    values: { type, reason: [field, reason].filter(Boolean).join(': ') },
    details: { ...(field && { field }) },
  });
}
