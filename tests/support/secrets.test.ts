import { createPrivateKey, createPublicKey } from 'node:crypto';
import { base58 } from '@scure/base';
import { expect, test } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { derivedSecrets, secretsIn } from './secrets.js';

const bytes = (from: number) => Buffer.from(Array.from({ length: 32 }, (_, index) => from + index));
const secrets = derivedSecrets('alice.testnet', { first: bytes(0), second: bytes(32) });

// The vector of the key table: PRF.first = 00..1f, PRF.second = 20..3f, alice.testnet.
test('derives the secrets of the specification', () => {
  expect(secrets['NEAR seed']?.toString('hex')).toBe(
    'eba9f242153d02348acc597fecfc5d5a69eac8b432945010455f9a3f1d290b15',
  );
  expect(secrets['NEAR encryption key']?.toString('hex')).toBe(
    'f064e2e6bbee636b7d068a1dd86467ace4ad6b08f000d8d9dee2d0ff4c7b7b98',
  );
});

test('finds a secret in every encoding, and none in public data', () => {
  const seed = secrets['NEAR seed']!;
  for (const text of [
    seed.toString('hex').toUpperCase(),
    seed.toString('base64'),
    `[${[...seed].join(', ')}]`,
  ]) {
    expect(secretsIn(`before ${text} after`, secrets)).toEqual(['NEAR seed']);
  }
  expect(secretsIn(developmentKey('testnet'), secrets)).toEqual(['NEAR private key text']);
  // A signature has the same form as a private key.
  expect(secretsIn(`ed25519:${base58.encode(Buffer.concat([bytes(7), bytes(90)]))}`, secrets)).toEqual([]);
  const publicKey = createPublicKey(
    createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
      format: 'der',
      type: 'pkcs8',
    }),
  ).export({ format: 'jwk' }).x;
  expect(secretsIn(`${publicKey} ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2`, secrets)).toEqual([]);
});
