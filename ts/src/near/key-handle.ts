/** The handles by which the chain stores and lists keys (near-crypto, `PublicKeyHandle`). */
import { base58 } from '@scure/base';

/** Before an ML-DSA-65 key where its hash is made (near-crypto, `hash_domain.rs`). */
const DOMAIN = 'near:ml-dsa-65-pubkey-hash:v1';
const ML_DSA_65 = 'ml-dsa-65:';

/** The key itself, or for one of ML-DSA-65 `ml-dsa-65-hash:` and base58 of its SHA3-256, 32 bytes. */
export async function keyHandle(publicKey: string): Promise<string> {
  if (!publicKey.startsWith(ML_DSA_65)) return publicKey;
  const { sha3_256 } = await import('@noble/hashes/sha3.js');
  const key = base58.decode(publicKey.slice(ML_DSA_65.length));
  const hash = sha3_256.create().update(new TextEncoder().encode(DOMAIN)).update(key).digest();
  return `ml-dsa-65-hash:${base58.encode(hash)}`;
}
