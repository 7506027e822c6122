/** JSON that every reader reads alike. */

/**
 * The object that a text holds. Undefined if it is anything else, or names a key twice at any depth: readers differ in which
 * one they take.
 */
export function clearObject(json: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = (json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|:/g) ?? []).filter(isColon).length;
  return keysIn(value) === keys ? (value as Readonly<Record<string, unknown>>) : undefined;
}

const isColon = (token: string): boolean => token === ':';

/** Counts the keys at every depth, without recursion: an app may nest as deep as it likes. */
function keysIn(root: object): number {
  let count = 0;
  const left: unknown[] = [root];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    const values: unknown[] = Object.values(at);
    if (!Array.isArray(at)) count += values.length;
    for (const value of values) if (typeof value === 'object' && value !== null) left.push(value);
  }
  return count;
}
