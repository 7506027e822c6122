/** How both ends handle errors and values that cannot cross. Nothing here needs a schema. */
import { errorFrom, HOST_ERROR, INVALID_MESSAGE, LatchkeyError } from '../errors/frame.js';
import { NotPlain, plain } from './plain.js';
import type { WireError } from './protocol/envelope.js';

/** Rebuilds the error of a {@link WireError}. */
export function fromWireError({ message, ...rest }: WireError): LatchkeyError {
  return errorFrom({ ...rest, message: message || HOST_ERROR.text });
}

/** Copies what is sent or was received. Throws INVALID_MESSAGE, which names the field. */
export function copied(value: unknown, type: string, root: string, maxSize?: number): unknown {
  try {
    return plain(value, maxSize);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw invalid(type, [root, error.field].filter(Boolean).join('.'), error.reason);
  }
}

export function invalid(type: string, field: string, reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_MESSAGE, {
    values: { type, reason: [field, reason].filter(Boolean).join(': ') },
    details: { ...(field && { field }) },
  });
}
