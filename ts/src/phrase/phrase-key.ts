/** The NEAR key of a recovery phrase, at the path that NEAR's other wallets use, so that the words open the account there too. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { deriveSeed } from './slip10.js';
import { seedOf } from './words.js';

/** m/44'/397'/0': 397 is NEAR's number in SLIP-0044. */
const PATH = [44, 397, 0];

export interface PhraseKey {
  /** `ed25519:...` */
  readonly publicKey: string;
  /** `ed25519:` and base58 of seed and public key, as UTF-8. The caller wipes it. */
  readonly privateKey: Uint8Array;
}

/** Derives the key of a phrase as {@link readPhrase} returns it. */
export async function keyOfPhrase(phrase: string): Promise<PhraseKey> {
  const seed = await seedOf(phrase);
  const secret = deriveSeed(seed, PATH);
  const both = concatBytes(secret, ed25519.getPublicKey(secret));
  try {
    return {
      publicKey: `ed25519:${base58.encode(both.subarray(32))}`,
      privateKey: new TextEncoder().encode(`ed25519:${base58.encode(both)}`),
    };
  } finally {
    for (const bytes of [seed, secret, both]) bytes.fill(0);
  }
}
