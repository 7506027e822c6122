import { describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { Secret } from '../platform/secret.js';
import { entriesUnder, type RelayRecord } from '../relayer/record.js';
import { createSignupGate, type Signup, type VerifySignup } from './signup.js';
import { createSingleUses } from './single-use.js';

const SIGNUP: Signup = {
  accountId: 'alice.w3a-v1.testnet',
  publicKey: 'ed25519:A',
  address: '203.0.113.1',
  voucher: new Secret('the-voucher'),
};
const HOUR_MS = 3_600_000;
const OTHER_KEY = { ...SIGNUP, publicKey: 'ed25519:B' };

/** A record on a disk, with a clock of its own. */
function recordOn(disk: Map<string, string>, clock = { ms: 0 }): RelayRecord {
  return {
    entries: (prefix) => entriesUnder(disk, prefix),
    write: (key, text) => void (text === null ? disk.delete(key) : disk.set(key, text)),
    flush: () => Promise.resolve(),
    now: () => clock.ms,
  };
}

function gate(
  verify: VerifySignup,
  { disk = new Map<string, string>(), clock = { ms: 0 }, timeoutMs = 5000 } = {},
) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const made = createSignupGate({ verify, uses: createSingleUses(recordOn(disk, clock)), log, timeoutMs });
  return { admit: made.admit, lines };
}

/** A hook that accepts everything, under one id that expires in an hour. */
const once: VerifySignup = () => ({ ok: true, once: { id: 'ticket', expiresAtMs: HOUR_MS } });

describe('a hook', () => {
  it('that accepts without an id accepts as often as it is asked', async () => {
    const { admit } = gate(() => ({ ok: true }));
    for (const signup of [SIGNUP, SIGNUP, OTHER_KEY])
      await (await (await admit(signup)).reserve(1n)).commit(1n);
  });

  it.each<[string, VerifySignup]>([
    [
      'throws',
      () => {
        throw new Error('no shop for the-voucher');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no shop for the-voucher'))],
    ['never answers', () => new Promise(() => undefined)],
  ])('that %s lets nobody in, and the voucher stays out of the log', async (_, verify) => {
    const { admit, lines } = gate(verify, { timeoutMs: 20 });
    await expect(admit(SIGNUP)).rejects.toMatchObject({
      code: 'signup_unavailable',
      message: /Nothing was sent/,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('the-voucher');
  });

  it('is told to stop when its time is over', async () => {
    let told: AbortSignal | undefined;
    const { admit } = gate(
      (_, signal) => {
        told = signal;
        return new Promise(() => undefined);
      },
      { timeoutMs: 20 },
    );
    await expect(admit(SIGNUP)).rejects.toMatchObject({ code: 'signup_unavailable' });
    expect(told?.aborted).toBe(true);
  });
});

describe('what may be used once', () => {
  it('is taken by the reservation, and given back when that is released', async () => {
    const { admit } = gate(once);
    const [mine, theirs] = [await admit(SIGNUP), await admit(OTHER_KEY)];
    const reservation = await mine.reserve(1n);
    await expect(theirs.reserve(1n)).rejects.toMatchObject({
      code: 'signup_refused',
      message: /has been used/,
    });
    await reservation.release();
    await (await theirs.reserve(1n)).commit(1n);
    await expect(mine.reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
  });

  it('is used up by an outcome, also for the registration that used it', async () => {
    const { admit } = gate(once);
    const meter = await admit(SIGNUP);
    await (await meter.reserve(1n)).commit(0n);
    await expect(meter.reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
  });

  it('stays taken while a transaction that a node calls invalid may still cost money', async () => {
    const { admit } = gate(once);
    const meter = await admit(SIGNUP);
    await meter.reserve(1n);
    // The relay signs the same registration again.
    await (await meter.reserve(1n)).release();
    await expect((await admit(OTHER_KEY)).reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
  });

  it('outlives the process: an unknown end leaves it to the same registration, a known one to none', async () => {
    const disk = new Map<string, string>();
    await (await gate(once, { disk }).admit(SIGNUP)).reserve(1n);
    const second = gate(once, { disk });
    await expect((await second.admit(OTHER_KEY)).reserve(1n)).rejects.toMatchObject({
      code: 'signup_refused',
    });
    const again = await (await second.admit(SIGNUP)).reserve(1n);
    await again.release();
    await expect((await second.admit(OTHER_KEY)).reserve(1n)).rejects.toMatchObject({
      code: 'signup_refused',
    });
    await (await (await second.admit(SIGNUP)).reserve(1n)).commit(1n);
    const third = gate(once, { disk });
    await expect((await third.admit(SIGNUP)).reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
    expect([...disk].flat().join()).not.toContain('ticket');
  });

  it('is forgotten some minutes after it expires', async () => {
    const [disk, clock] = [new Map<string, string>(), { ms: 0 }];
    const { admit } = gate(once, { disk, clock });
    await (await (await admit(SIGNUP)).reserve(1n)).commit(1n);
    clock.ms = HOUR_MS + 500_000;
    await expect((await admit(SIGNUP)).reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
    clock.ms = HOUR_MS + 700_000;
    await (await (await admit(OTHER_KEY)).reserve(1n)).release();
    expect([...disk]).toEqual([]);
  });
});
