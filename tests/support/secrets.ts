import { hkdfSync } from 'node:crypto';
import { base58 } from '@scure/base';
import { secretKeyText } from '../../dev/services/keys.js';
import type { PrfOutputs } from './browser.js';

const derive = (input: Buffer, salt: string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, 32));

/** The secrets that the specification derives from the PRF outputs of an account, each 32 bytes, by name. */
export function derivedSecrets(accountId: string, { first, second }: PrfOutputs): Record<string, Buffer> {
  return {
    'PRF.first': first,
    'PRF.second': second,
    'NEAR seed': derive(second, `near-key-derivation:${accountId}`, 'ed25519-signing-key-dual-prf-v1'),
    'NEAR encryption key': derive(
      first,
      `chacha20poly1305-salt:${accountId}`,
      'chacha20poly1305-encryption-key-v1',
    ),
    'VRF seed': derive(first, accountId, 'vrf-keypair-derivation-v1'),
    'VRF encryption key': derive(first, '', 'vrf-chacha20-key'),
  };
}

/** The encodings of bytes in a text. */
function spellings(bytes: Buffer): string[] {
  return [
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    base58.encode(bytes),
    Array.from(bytes).join(','),
  ];
}

/** Returns the names of the secrets that a text contains in any usual encoding. */
export function secretsIn(text: string, secrets: Record<string, Buffer>): string[] {
  const lower = text.toLowerCase();
  const plain = text.replaceAll(/\s/g, '');
  const named = Object.entries(secrets)
    .filter(([, bytes]) =>
      spellings(bytes).some((spelling) => plain.includes(spelling) || lower.includes(spelling)),
    )
    .map(([name]) => name);
  if (privateKeysIn(text).length > 0) named.push('NEAR private key text');
  return named;
}

// A NEAR private key is ed25519: and 64 bytes, seed and public key. A signature only looks like one.
function privateKeysIn(text: string): string[] {
  const lookalikes = text.match(/ed25519:[1-9A-HJ-NP-Za-km-z]{80,90}/g) ?? [];
  return [...new Set(lookalikes)].filter((lookalike) => {
    const seed = Buffer.from(base58.decode(lookalike.slice('ed25519:'.length))).subarray(0, 32);
    return seed.length === 32 && lookalike.startsWith(secretKeyText(seed));
  });
}
