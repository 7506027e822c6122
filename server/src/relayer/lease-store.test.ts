import { describe, expect, it } from 'vitest';
import { createMemoryLeaseStore } from './lease-store.js';

describe('leases in memory', () => {
  it('give every holder its own nonce, and read the chain once', async () => {
    const store = createMemoryLeaseStore();
    let reads = 0;
    const readChain = async () => {
      reads += 1;
      await new Promise(setImmediate);
      return 40n;
    };
    const nonces = await Promise.all(
      Array.from({ length: 50 }, async () => (await store.lease(['k'])).nextNonce(readChain)),
    );
    expect([...nonces].sort((a, b) => Number(a - b))).toEqual(
      Array.from({ length: 50 }, (_, i) => BigInt(41 + i)),
    );
    expect(reads).toBe(1);
  });

  it('spread over the keys, and are reused when released', async () => {
    const store = createMemoryLeaseStore();
    const leases = await Promise.all([1, 2, 3].map(() => store.lease(['a', 'b', 'c'])));
    expect(leases.map((lease) => lease.publicKey).sort()).toEqual(['a', 'b', 'c']);
    const released = leases[1]!;
    await released.release();
    await released.release();
    expect((await store.lease(['a', 'b', 'c'])).publicKey).toBe(released.publicKey);
  });

  it('continue above the chain’s nonce, and never reuse an issued one', async () => {
    const lease = await createMemoryLeaseStore().lease(['k']);
    expect(await lease.nextNonce(async () => 5n)).toBe(6n);
    await lease.raise(3n);
    expect(await lease.nextNonce(async () => 0n)).toBe(7n);
    await lease.raise(20n);
    expect(await lease.nextNonce(async () => 0n)).toBe(21n);
    await lease.forget();
    expect(await lease.nextNonce(async () => 2n)).toBe(3n);
  });

  it('avoid a key for a while if another process uses it and there are others', async () => {
    let now = 0;
    const store = createMemoryLeaseStore(() => now);
    const taken = async (keys: readonly string[]) => {
      const lease = await store.lease(keys);
      await lease.release();
      return lease.publicKey;
    };
    const lease = await store.lease(['a']);
    await lease.nextNonce(async () => 5n);
    await lease.raise(6n);
    expect(await taken(['b', 'a'])).toBe('b');
    await lease.release();
    expect(await taken(['a', 'b'])).toBe('a');
    await lease.raise(7n);
    expect(await taken(['a', 'b'])).toBe('b');
    expect(await taken(['a'])).toBe('a');
    now = 15_000;
    expect(await taken(['a', 'b'])).toBe('a');
  });

  it('retry after the chain could not be read', async () => {
    const lease = await createMemoryLeaseStore().lease(['k']);
    await expect(lease.nextNonce(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await lease.nextNonce(async () => 5n)).toBe(6n);
  });

  it('need a key', async () => {
    await expect(createMemoryLeaseStore().lease([])).rejects.toThrow(RangeError);
  });
});
