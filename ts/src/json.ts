/** Writes values as JSON, and only those that JSON holds: the rest it would change without a word. */

/**
 * The JSON text of a value. Omits undefined fields. Throws a TypeError that names the field and the kind of what JSON would
 * change: bytes, a Map, a Date or another instance of a class, a function, a symbol, a bigint, NaN, or undefined in a list.
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key: string): unknown {
    // The value itself, not what its toJSON made of it.
    const held = this[key];
    const mayBeAbsent = key !== '' && !Array.isArray(this);
    if (!isHeld(held) && !(held === undefined && mayBeAbsent))
      throw new TypeError(`${key.slice(0, 64) || 'it'} is ${kindOf(held)}`);
    return held;
  });
}

function isHeld(value: unknown): boolean {
  if (value === null || Array.isArray(value)) return true;
  if (typeof value === 'object') return isPlainObject(value);
  return typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value);
}

/** An object of any realm that is no instance of a class. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What a value is: a number itself, else its class, as in 'Map'. */
export function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const { name } = (tag === 'Object' && (value as object).constructor) || { name: tag };
  return String(name).slice(0, 64);
}
