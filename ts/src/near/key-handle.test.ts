import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keyHandle } from './key-handle.js';

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), 'utf8'));

it("the handle of an ML-DSA-65 key is near-crypto's, and any other key is its own", async () => {
  const { mlDsa65Handle, publicKey } = vector('near-primitives-transactions');
  expect(await keyHandle(vector('ml-dsa-65').publicKey)).toBe(mlDsa65Handle);
  expect(await keyHandle(publicKey)).toBe(publicKey);
});
