/** Plain data, which crosses a port unchanged. One walk checks and copies it, within limits, whatever its source. */
import { bytesOf } from '../bytes.js';
import { isPlainObject, kindOf } from '../json.js';

/** All of a message's texts (characters), keys and bytes together. */
export const MAX_REQUEST_SIZE = 16 * 1024 * 1024;
/** An answer contains the request's data, encoded once more. */
export const MAX_ANSWER_SIZE = 64 * 1024 * 1024;
/** How deep a message may be nested, and how many values it may hold. */
export const MAX_DEPTH = 32;
export const MAX_VALUES = 200_000;

/** Why a value cannot cross; `field` is its path, as in `payload.actions.0.args`. */
export class NotPlain extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field || 'the message'} ${reason}`);
    this.name = 'NotPlain';
  }
}

/**
 * Copies texts, finite numbers, booleans, null, bytes (as a `Uint8Array`), arrays and objects. Omits undefined fields. Throws
 * {@link NotPlain} for anything else, and for what is too large.
 */
export function plain(value: unknown, maxSize: number = MAX_REQUEST_SIZE): unknown {
  let size = 0;
  let values = 0;

  const count = (more: number, path: readonly string[]): void => {
    size += more;
    if (size > maxSize) throw refused(path, `makes the message larger than ${maxSize} bytes`);
  };
  const copy = (of: unknown, path: readonly string[]): unknown => {
    values += 1;
    if (values > MAX_VALUES) throw refused(path, `makes the message hold more than ${MAX_VALUES} values`);
    if (path.length > MAX_DEPTH) throw refused(path, `is nested deeper than ${MAX_DEPTH}`);
    if (of === null || typeof of === 'boolean') return of;
    if (typeof of === 'string') {
      count(of.length, path);
      return of;
    }
    if (typeof of === 'number') {
      if (!Number.isFinite(of)) throw refused(path, 'is not a finite number');
      return of;
    }
    const bytes = bytesOf(of);
    if (bytes) {
      count(bytes.length, path);
      return bytes.slice();
    }
    if (Array.isArray(of)) {
      if (of.length > MAX_VALUES) throw refused(path, `has more than ${MAX_VALUES} entries`);
      return Array.from(of, (item: unknown, index) => copy(item, [...path, String(index)]));
    }
    if (typeof of !== 'object' || !isPlainObject(of)) throw refused(path, `is ${kindOf(of)}, not plain data`);
    const entries: [string, unknown][] = [];
    for (const [key, field] of Object.entries(of)) {
      if (field === undefined) continue;
      count(key.length, path);
      entries.push([key, copy(field, [...path, key])]);
    }
    return Object.fromEntries(entries);
  };
  return value === undefined ? undefined : copy(value, []);
}

export function isPlain(value: unknown): boolean {
  try {
    plain(value);
    return true;
  } catch (error) {
    if (error instanceof NotPlain) return false;
    throw error;
  }
}

function refused(path: readonly string[], reason: string): NotPlain {
  return new NotPlain(path.map((key) => key.slice(0, 64)).join('.'), reason);
}
