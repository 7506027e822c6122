/**
 * Leases on the relayer's keys in Redis. Each relay uses keys that no other uses, while there are enough: transactions
 * of two relays with one key overtake each other on the way to the chain. Relays that share a key share its sequence
 * of nonces, so a lease that is lost costs nothing.
 */
import { randomUUID } from 'node:crypto';
import type { LeaseStore } from '../relayer/lease-store.js';
import type { RedisLink } from './link.js';
import { FORGET, LEASE, NEXT_NONCE, RAISE_NONCE } from './scripts.js';

/** A relay that has signed nothing for this long no longer uses the key. */
const USE_MS = 10_000;
const NONCE_MS = 24 * 3_600_000;

export function createRedisLeaseStore(link: RedisLink): LeaseStore {
  const relay = randomUUID();
  const reading = new Map<string, Promise<bigint>>();

  const readOnce = (publicKey: string, readChainNonce: () => Promise<bigint>): Promise<bigint> => {
    const read = reading.get(publicKey) ?? readChainNonce().finally(() => reading.delete(publicKey));
    reading.set(publicKey, read);
    return read;
  };

  return {
    async lease(publicKeys) {
      if (publicKeys.length === 0) throw new RangeError('a lease needs at least one key');
      const users = publicKeys.map((key) => `users:${key}`);
      const publicKey = publicKeys[Number(await link.run(LEASE, users, [relay, USE_MS]))];
      if (publicKey === undefined) throw new Error('Redis chose no key');
      const nonce = [`nonce:${publicKey}`];
      return {
        publicKey,
        async nextNonce(readChainNonce) {
          const known = Number(await link.run(NEXT_NONCE, nonce, ['', NONCE_MS]));
          if (known > 0) return BigInt(known);
          const chainNonce = await readOnce(publicKey, readChainNonce);
          return BigInt(Number(await link.run(NEXT_NONCE, nonce, [String(chainNonce), NONCE_MS])));
        },
        raise: async (chainNonce) =>
          void (await link.run(RAISE_NONCE, nonce, [String(chainNonce), NONCE_MS])),
        forget: async () => void (await link.run(FORGET, nonce, [])),
        // The use ends by itself: the next job of this relay finds its key again.
        release: () => Promise.resolve(),
      };
    },
  };
}
