/** Translates IndexedDB errors into texts with advice. By name: an error may come from another frame's realm. */
import { isLatchkeyError, LatchkeyError, type LatchkeyErrorCode, messageOf } from '../errors/index.js';

const CODES: Readonly<Record<string, LatchkeyErrorCode>> = {
  SecurityError: 'STORAGE_DENIED',
  NotAllowedError: 'STORAGE_DENIED',
  QuotaExceededError: 'STORAGE_FULL',
  VersionError: 'STORAGE_NEWER',
  AbortError: 'STORAGE_INTERRUPTED',
};

/** The name of an error or DOMException; '' if it has none. */
export function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

/** Whether a storage operation threw the error. */
export function isStorageError(error: unknown): error is LatchkeyError {
  return isLatchkeyError(error) && error.code.startsWith('STORAGE_');
}

/** Converts anything that a storage operation threw to a {@link LatchkeyError}. */
export function storageError(error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) return error;
  return new LatchkeyError(CODES[nameOf(error)] ?? 'STORAGE_FAILED', {
    values: { reason: messageOf(error) },
    cause: error,
  });
}

/** The same for opening: some browsers refuse a private window with InvalidStateError. */
export function openingError(error: unknown): LatchkeyError {
  return nameOf(error) === 'InvalidStateError'
    ? new LatchkeyError('STORAGE_DENIED', { cause: error })
    : storageError(error);
}
