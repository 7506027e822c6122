import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyQueues } from './key-queue.js';

/** Takes a place that no test counts. */
const take = () => () => undefined;

describe('the jobs of a key', () => {
  it('run one at a time, the lowest nonce first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt({ min: 0n, max: 50n }), { minLength: 1 }), async (nonces) => {
        const queues = new KeyQueues();
        const ran: bigint[] = [];
        let running = 0;
        const job = (nonce: bigint) => async () => {
          running += 1;
          expect(running).toBe(1);
          await Promise.resolve();
          ran.push(nonce);
          running -= 1;
        };
        await Promise.all(nonces.map((nonce) => queues.run('a', nonce, job(nonce), take)));
        const [first, ...others] = nonces;
        expect(ran).toEqual([first, ...others.sort((a, b) => Number(a - b))]);
        expect(queues.length('a')).toBe(0);
      }),
    );
  });

  it('settle as the job does, and a failing one blocks no other', async () => {
    const queues = new KeyQueues();
    const failed = queues.run('a', 1n, () => Promise.reject(new Error('no')), take);
    const done = queues.run('a', 2n, () => Promise.resolve('yes'), take);
    expect(queues.length('a')).toBe(2);
    await expect(failed).rejects.toThrow('no');
    expect(await done).toBe('yes');
    expect(queues.length('a')).toBe(0);
  });

  it('do not wait for those of another key', async () => {
    const queues = new KeyQueues();
    const never = queues.run('a', 1n, () => new Promise(() => undefined), take);
    expect(await queues.run('b', 1n, () => Promise.resolve('ran'), take)).toBe('ran');
    expect(never).toBeInstanceOf(Promise);
    expect(queues.length('a')).toBe(1);
  });

  it('have one place, from the first to the last', async () => {
    const queues = new KeyQueues();
    let places = 0;
    const taken = () => {
      places += 1;
      return () => {
        places -= 1;
      };
    };
    const during: number[] = [];
    const look = async () => void during.push(places);
    await Promise.all([1n, 2n, 3n].map((nonce) => queues.run('a', nonce, look, taken)));
    expect([...during, places]).toEqual([1, 1, 1, 0]);
    const none = () => {
      throw new Error('no place');
    };
    await expect(queues.run('a', 1n, look, none)).rejects.toThrow('no place');
    expect(queues.length('a')).toBe(0);
  });
});
