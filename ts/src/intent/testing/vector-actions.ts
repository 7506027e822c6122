/** Actions as the files of tests/vectors keep them: JSON has no bytes, so they are lists of numbers. */
import type { Action } from '../../types.js';

/** The fields of an action whose lists of numbers are bytes. */
const BYTES = new Set(['code', 'args', 'key', 'value']);

/** The action with its bytes. */
export function withBytes(action: unknown): Action {
  return revive(action) as Action;
}

function revive(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    return BYTES.has(name) ? Uint8Array.from(value as number[]) : value.map((item) => revive(item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, revive(field, key)]));
}
