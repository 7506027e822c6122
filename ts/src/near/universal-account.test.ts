import { readFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import { expect, it } from 'vitest';
import type { UniversalStateInit } from '../types.js';
import { universalAccountId } from './universal-account.js';

/** near-primitives' own ids of two first states. */
const { derived } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/universal-accounts.json', import.meta.url), 'utf8'),
);
const filled = (byte: number) => base58.encode(new Uint8Array(32).fill(byte));
const bytes = (text: string) => new TextEncoder().encode(text);

it.each<[string, UniversalStateInit['V1']]>([
  ['keyOnly', { code: null, data: [], accessKeys: [`ml-dsa-65-hash:${filled(0x11)}`] }],
  [
    'contract',
    {
      code: { CodeHash: filled(0x22) },
      data: [{ key: bytes('key'), value: bytes('value') }],
      accessKeys: [],
    },
  ],
])("the account of a first state has near-primitives' id: %s", async (name, V1) => {
  expect(await universalAccountId({ V1 })).toBe(derived[name]);
});
