import { readFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { UniversalStateInit } from '../types.js';
import {
  isUniversalAccountId,
  universalAccountId,
  universalIdProblem,
  universalStateBorsh,
} from './universal-account.js';

/** near-primitives' own ids: some of hashes, and those of two first states. */
const { ids, derived } = JSON.parse(
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

describe('a first state', () => {
  const hashed = (V1: Partial<UniversalStateInit['V1']>) =>
    universalStateBorsh({ V1: { code: null, data: [], accessKeys: [], ...V1 } });

  it('is hashed with the account of its contract', () => {
    expect(hashed({ code: { AccountId: 'a.near' } })).toEqual([
      ...[0, 1, 1, 6, 0, 0, 0, ...bytes('a.near')],
      ...[0, 0, 0, 0],
      ...[0, 0, 0, 0],
    ]);
  });

  it('is hashed with its entries in their order', () => {
    const data = [
      { key: bytes('b'), value: new Uint8Array(258).fill(9) },
      { key: bytes('aa'), value: new Uint8Array() },
    ];
    expect(hashed({ data })).toEqual([
      ...[0, 0],
      ...[2, 0, 0, 0],
      ...[1, 0, 0, 0, ...bytes('b'), 2, 1, 0, 0, ...new Uint8Array(258).fill(9)],
      ...[2, 0, 0, 0, ...bytes('aa'), 0, 0, 0, 0],
      ...[0, 0, 0, 0],
    ]);
  });

  it('is hashed with its keys, each after the number of its kind', () => {
    const accessKeys = ['ed25519', 'secp256k1', 'ml-dsa-65-hash'].map((kind) => `${kind}:${filled(7)}`);
    const key = new Uint8Array(32).fill(7);
    expect(hashed({ accessKeys })).toEqual([
      ...[0, 0],
      ...[0, 0, 0, 0],
      ...[3, 0, 0, 0, 0, ...key, 1, ...key, 3, ...key],
    ]);
  });
});

describe('an id in the form of a universal account (NEP-655)', () => {
  const symbols = '0123456789abcdefghjkmnpqrstvwxyz';
  const id = `0u${symbols}${symbols.slice(0, 19)}g`;

  it.each([id, `${id.slice(0, -1)}0`, ...ids, ...Object.values<string>(derived)])(
    'is one: %s',
    (accountId) => {
      expect(isUniversalAccountId(accountId)).toBe(true);
      expect(universalIdProblem(accountId)).toBeUndefined();
    },
  );

  it.each(['1', 'f', 'h', 'z'])('is none where its last symbol is %s', (last) => {
    const wrong = id.slice(0, -1) + last;
    expect(isUniversalAccountId(wrong)).toBe(false);
    expect(universalIdProblem(wrong)).toBe(
      `${wrong} has the form of a universal account and is none: its last symbol must be 0 or g`,
    );
  });

  it.each(['i', 'l', 'o', 'u'])('is none with the symbol %s', (symbol) => {
    const wrong = id.replace('5', symbol);
    expect(isUniversalAccountId(wrong)).toBe(false);
    expect(universalIdProblem(wrong)).toBe(
      `${wrong} has the form of a universal account and is none: its symbols have no i, l, o and u`,
    );
  });

  it.each([
    'alice.near',
    id.slice(0, -1),
    `${id}0`,
    `${id}.near`,
    `a.${id}`,
    id.replace('0u', '0x'),
    id.toUpperCase(),
    id.replace('5', '-'),
  ])('is none of another form, and no fault is found: %s', (accountId) => {
    expect(isUniversalAccountId(accountId)).toBe(false);
    expect(universalIdProblem(accountId)).toBeUndefined();
  });
});
