import { expect, it } from 'vitest';
import { HeldKey } from './held-key.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const KEY = `ed25519:${'3'.repeat(88)}`;

it('holds the received bytes themselves, and wipes them', () => {
  const key = new HeldKey();
  const bytes = bytesOf(KEY);
  expect(key.take(bytes)).toBe(true);
  expect([key.isHeld, key.text()]).toEqual([true, KEY]);
  key.wipe();
  expect(key.isHeld).toBe(false);
  expect(new Set(bytes)).toEqual(new Set([0]));
});

it('rejects anything but a private key, and wipes it', () => {
  const key = new HeldKey();
  const publicKey = bytesOf('ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2');
  for (const wrong of [
    undefined,
    KEY,
    [...bytesOf(KEY)],
    publicKey,
    bytesOf(`${KEY} `),
    new Uint8Array(96),
  ]) {
    expect(key.take(wrong)).toBe(false);
    expect(key.isHeld).toBe(false);
  }
  expect(new Set(publicKey)).toEqual(new Set([0]));
});
