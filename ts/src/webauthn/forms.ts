/** The forms in which browsers, extensions and shims give the parts of a credential, and say why there is none. */
import { base64nopad, base64urlnopad } from '@scure/base';
import { copiedBytes } from '../bytes.js';

/** The bytes of a buffer, a view, a list of numbers, or base64 of either alphabet. Always a copy. */
export function bytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value !== 'string') return copiedBytes(value);
  const text = value.replace(/=+$/, '');
  try {
    const decoded = /[-_]/.test(text) ? base64urlnopad.decode(text) : base64nopad.decode(text);
    return decoded as Uint8Array<ArrayBuffer>;
  } catch {
    return undefined;
  }
}

/** A field of what may be anything, also where reading it throws. */
export function part(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** What a method returns; undefined where there is none, and where it throws. */
export function result(value: unknown, name: string): unknown {
  try {
    return (value as Readonly<Record<string, () => unknown>> | null | undefined)?.[name]?.();
  } catch {
    return undefined;
  }
}

/** The thrown value as text: an error of any realm, a plain object, or anything else. Both are '' where it says nothing. */
export function said(thrown: unknown): { readonly name: string; readonly message: string } {
  const [name, message] = [part(thrown, 'name'), part(thrown, 'message')];
  const ownText = typeof thrown === 'object' || thrown === undefined ? '' : String(thrown);
  return {
    name: typeof name === 'string' ? name : '',
    message: typeof message === 'string' ? message : ownText,
  };
}
