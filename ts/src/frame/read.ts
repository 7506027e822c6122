/** Reads values by a schema. */
import * as v from 'valibot';
import type { Schema } from './protocol/schemas.js';
import { invalid } from './wire-error.js';

/** Reads the value by the schema. Throws INVALID_MESSAGE, which names the field and reveals nothing of its value. */
export function read<T>(schema: Schema<T>, value: unknown, type: string, root: string): T {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const path = issue.path?.map(({ key }) => String(key).slice(0, 64)) ?? [];
  throw invalid(type, [root, ...path].filter(Boolean).join('.'), reasonOf(issue));
}

function reasonOf({ expected, message, path }: v.BaseIssue<unknown>): string {
  // valibot's messages begin with 'Invalid' and quote the value; any other is the schema's own.
  if (!message.startsWith('Invalid ')) return message;
  // valibot expects the name of a field that is not there.
  if (expected === JSON.stringify(path?.at(-1)?.key)) return 'is missing';
  return expected === 'never' ? 'no such field' : `must be ${expected}`;
}
