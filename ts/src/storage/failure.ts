/** Translates IndexedDB errors into texts with advice. By name: an error may come from another frame's realm. */
import {
  type ErrorText,
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  STORAGE_DENIED,
  STORAGE_FAILED,
  STORAGE_FULL,
  STORAGE_INTERRUPTED,
  STORAGE_NEWER,
} from '../errors/wallet.js';

const CODES: Readonly<Record<string, ErrorText>> = {
  SecurityError: STORAGE_DENIED,
  NotAllowedError: STORAGE_DENIED,
  QuotaExceededError: STORAGE_FULL,
  VersionError: STORAGE_NEWER,
  AbortError: STORAGE_INTERRUPTED,
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
  return new LatchkeyError(CODES[nameOf(error)] ?? STORAGE_FAILED, {
    values: { reason: messageOf(error) },
    cause: error,
  });
}

/** The same for opening: some browsers refuse a private window with InvalidStateError. */
export function openingError(error: unknown): LatchkeyError {
  return nameOf(error) === 'InvalidStateError' || isDenied(error)
    ? new LatchkeyError(STORAGE_DENIED, { cause: error })
    : storageError(error);
}

/** The transaction ended because its page was left, and may come back (`pagehide` with `persisted`, HTML section 7.4.6). */
export class PutAside extends Error {
  override readonly name = 'PutAside';

  constructor() {
    super('the page was left meanwhile');
  }
}

/**
 * Whether another connection may serve what failed. UnknownError: Safari has lost its database server, or Chromium could
 * not open its files. InvalidStateError: the connection is closed, or the browser was starting or stopping.
 */
export function mayPass(error: unknown): boolean {
  const name = nameOf(error);
  return (
    error instanceof PutAside || name === 'InvalidStateError' || (name === 'UnknownError' && !isDenied(error))
  );
}

/** Chromium reports blocked third-party storage as UnknownError, with this text (`IDBFactory::kPermissionDeniedErrorMessage`). */
function isDenied(error: unknown): boolean {
  return nameOf(error) === 'UnknownError' && messageOf(error).includes('denied permission');
}
