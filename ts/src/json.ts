/** Writes values as JSON, and only those that JSON holds: the rest it would change without a word. */

/**
 * The JSON text of a value. Omits undefined fields. Throws a TypeError that names the place and the kind of what JSON would
 * change: bytes, a Map, a Date or another instance of a class, a function, a symbol, a bigint, NaN, or undefined in a list.
 */
export function writeJson(value: unknown): string {
  const paths = new Map<unknown, string>();
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key: string): unknown {
    // The value itself, not what its toJSON made of it.
    const held = this[key];
    const place = paths.get(this);
    const path = place === undefined ? '' : place === '' ? key : `${place}.${key}`;
    const mustBe = place === undefined || Array.isArray(this);
    if (!isHeld(held, mustBe))
      throw new TypeError(`${path === '' ? 'it' : path.slice(0, 64)} is ${kindOf(held)}`);
    if (typeof held === 'object') paths.set(held, path);
    return held;
  });
}

function isHeld(value: unknown, mustBe: boolean): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'undefined':
      return !mustBe;
    case 'object':
      return value === null || Array.isArray(value) || isPlainObject(value);
    default:
      return false;
  }
}

/** An object of any realm that is no instance of a class. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What a value is, as in 'a Map': by its class where it has one. */
export function kindOf(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object') return `${/^[AEIO]/.test(tag) ? 'an' : 'a'} ${tag}`;
  if (isPlainObject(value)) return 'an object';
  const { name } = (value.constructor ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name !== ''
    ? `an instance of ${name.slice(0, 64)}`
    : 'an instance of a class';
}
