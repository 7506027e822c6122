import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Notes, observedCredentials } from './ceremony.js';

/** As a browser's class: its getter throws for objects that it did not make. */
class BrowserCredential {
  readonly #rawId = new ArrayBuffer(16);
  get rawId(): ArrayBuffer {
    return this.#rawId;
  }
  toJSON(): never {
    throw new Error('nobody calls it');
  }
}

afterEach(() => vi.unstubAllGlobals());

async function formOf(credential: unknown) {
  vi.stubGlobal('PublicKeyCredential', BrowserCredential);
  vi.stubGlobal('navigator', { credentials: { get: async () => credential } });
  const notes: Notes = {};
  const request = { challenge: new Uint8Array(32) };
  await observedCredentials(notes, new Set())
    .get(request, new AbortController().signal)
    .catch(() => 'it has no response');
  return notes.form && [notes.form.object, notes.form.toJSON];
}

describe('the form of a credential', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['the browser made', new BrowserCredential(), ['native', 'the browser’s own']],
    [
      'an extension gave the browser’s prototype',
      Object.create(BrowserCredential.prototype),
      ['an object with the prototype of PublicKeyCredential', 'inherited, throws'],
    ],
    [
      'an extension gave that and its own toJSON',
      Object.create(BrowserCredential.prototype, { toJSON: { value: () => ({}) } }),
      ['an object with the prototype of PublicKeyCredential', 'its own'],
    ],
    ['is plain', {}, ['a plain object', 'none']],
  ])('that %s is told, and no toJSON is called', async (_name, credential, form) => {
    expect(await formOf(credential)).toEqual(form);
  });
});
