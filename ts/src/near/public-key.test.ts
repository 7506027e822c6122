import { describe, expect, it } from 'vitest';
import { isEd25519Key, isPublicKey } from './public-key.js';

const ED25519 = `ed25519:${'A'.repeat(44)}`;
const SECP256K1 = `secp256k1:${'A'.repeat(88)}`;

describe('the text of a public key', () => {
  it.each([ED25519, `ed25519:${'1'.repeat(32)}`, 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp'])(
    'is one of ed25519: %s',
    (text) => {
      expect([isEd25519Key(text), isPublicKey(text)]).toEqual([true, true]);
    },
  );

  it.each([SECP256K1, `secp256k1:${'1'.repeat(64)}`])('is one of the other curve: %s', (text) => {
    expect([isEd25519Key(text), isPublicKey(text)]).toEqual([false, true]);
  });

  it.each([
    `ed25519:${'A'.repeat(45)}`,
    `ed25519:${'A'.repeat(31)}`,
    `secp256k1:${'A'.repeat(89)}`,
    `secp256k1:${'A'.repeat(63)}`,
    `ed25519:${'A'.repeat(43)}0`,
    `ed25519:${'A'.repeat(43)}l`,
    `secp256k1:${'A'.repeat(87)}O`,
    ` ${ED25519}`,
    `${ED25519} `,
    ` ${SECP256K1}`,
    `${SECP256K1} `,
    [ED25519],
    [SECP256K1],
    undefined,
  ])('is no other value: %j', (value) => {
    expect([isEd25519Key(value), isPublicKey(value)]).toEqual([false, false]);
  });
});
