import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { bytesOf, copiedBytes } from './bytes.js';

const BYTES = Uint8Array.of(1, 2, 255);

describe('bytes', () => {
  it.each<[string, unknown]>([
    ['a Uint8Array', BYTES],
    ['a part of a Uint8Array', Uint8Array.of(9, 1, 2, 255, 9).subarray(1, 4)],
    ['a Buffer', Buffer.from(BYTES)],
    ['an ArrayBuffer', BYTES.slice().buffer],
    ['a DataView', new DataView(Uint8Array.of(9, 1, 2, 255).buffer, 1)],
    ['a Uint8Array of another realm', runInNewContext('Uint8Array.of(1, 2, 255)')],
    ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.of(1, 2, 255).buffer')],
    ['a DataView of another realm', runInNewContext('new DataView(Uint8Array.of(1, 2, 255).buffer)')],
    [
      'a Uint8Array with another name',
      Object.defineProperty(BYTES.slice(), Symbol.toStringTag, { value: 'Map' }),
    ],
  ])('are read from %s', (_, given) => {
    const bytes = bytesOf(given);
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect([...(bytes ?? [])]).toEqual([1, 2, 255]);
  });

  it('share the memory of what they were read from', () => {
    const given = BYTES.slice();
    bytesOf(new DataView(given.buffer))?.fill(0);
    expect([...given]).toEqual([0, 0, 0]);
  });

  it('are copied from memory that a thread shares or that can change its size', () => {
    const memories = [new SharedArrayBuffer(3), runInNewContext('new ArrayBuffer(3, { maxByteLength: 9 })')];
    for (const memory of memories) {
      const given = new Uint8Array(memory);
      given.set(BYTES);
      const bytes = bytesOf(given);
      given.fill(0);
      expect([...(bytes ?? [])]).toEqual([1, 2, 255]);
    }
  });

  it.each<[string, unknown]>([
    ['a text', 'AQL/'],
    ['a list', [1, 2, 255]],
    ['an object with places', { 0: 1, length: 1 }],
    ['an object that calls itself a Uint8Array', { [Symbol.toStringTag]: 'Uint8Array', length: 0 }],
    ['an object that inherits from Uint8Array', Object.create(Uint8Array.prototype)],
    ['a Map', new Map()],
    ['null', null],
    ['undefined', undefined],
    ['a number', 3],
  ])('are not read from %s', (_, given) => {
    expect(bytesOf(given)).toBeUndefined();
  });

  it('are not read from memory that was transferred away', () => {
    const given = BYTES.slice();
    const view = new DataView(given.buffer);
    const { buffer } = given;
    structuredClone(buffer, { transfer: [buffer] });
    expect([given, view, buffer].map(bytesOf)).toEqual([undefined, undefined, undefined]);
  });

  it('are copied from a list of bytes, and from no other list', () => {
    expect(copiedBytes([1, 2, 255])).toEqual(BYTES);
    for (const wrong of [[256], [-1], [0.5], ['1'], [undefined], new Array(2)]) {
      expect(copiedBytes(wrong)).toBeUndefined();
    }
    expect(copiedBytes(BYTES)).not.toBe(BYTES);
  });
});

/** What arrives in a message of these, the browser itself has made in this realm (HTML, StructuredDeserialize). */
const RECEIVERS = [
  'export/viewer/held-key.ts',
  'export/viewer/show-phrase.ts',
  'workers/phrase.worker.ts',
  'frame/protocol/transactions.ts',
];

it('no product code asks which class made bytes, but for the receivers of messages', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = ['ts/src', 'react/src', 'react/wallet'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|testing/.test(file))
      .map((file) => join(root, folder, file)),
  );
  const asking = files.filter((file) =>
    /instanceof (Uint8Array|\w*ArrayBuffer|DataView)/.test(readFileSync(file, 'utf8')),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(asking.filter((file) => !RECEIVERS.some((receiver) => file.endsWith(receiver)))).toEqual([]);
  expect(asking).toHaveLength(RECEIVERS.length);
});
