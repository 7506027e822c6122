import { base64 } from '@scure/base';
import { KeyPair, KeyPairSigner } from 'near-api-js';
import { describe, expect, it } from 'vitest';
import { type Nep413Message, verifyNep413 } from './verify-nep413.js';

const key = KeyPair.fromRandom('ed25519');
const publicKey = key.getPublicKey().toString();
const message: Nep413Message = {
  message: 'Grüße 👋',
  recipient: 'demo.testnet',
  nonce: Uint8Array.from({ length: 32 }, (_, index) => index),
};

async function signedByNearApiJs(signed: Nep413Message): Promise<string> {
  const { signature } = await new KeyPairSigner(key).signNep413Message('alice.testnet', signed);
  return base64.encode(new Uint8Array(signature));
}

describe('verifying a NEP-413 signature', () => {
  it('accepts signatures by near-api-js, with and without a callback URL', async () => {
    for (const signed of [message, { ...message, callbackUrl: 'https://demo.test/back' }]) {
      expect(await verifyNep413(signed, publicKey, await signedByNearApiJs(signed))).toBe(true);
    }
  });

  it('refuses another message, recipient, nonce or key', async () => {
    const signature = await signedByNearApiJs(message);
    const others: Nep413Message[] = [
      { ...message, message: 'Grüße' },
      { ...message, recipient: 'other.testnet' },
      { ...message, nonce: new Uint8Array(32) },
      { ...message, callbackUrl: 'https://demo.test' },
    ];
    for (const other of others) expect(await verifyNep413(other, publicKey, signature)).toBe(false);
    const otherKey = KeyPair.fromRandom('ed25519').getPublicKey().toString();
    expect(await verifyNep413(message, otherKey, signature)).toBe(false);
  });
});
