import { describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { createLocalMeters } from '../relayer/meters.js';
import { createMemoryRecord, entriesUnder, type RelayRecord } from '../relayer/record.js';
import { createJointSpendMeter, createMemorySpendMeter } from '../relayer/spend.js';
import { meterOfSender } from './sender-spend.js';

const log = createLog(() => undefined);
const DAY_MS = 24 * 3_600_000;

/** The sender's meter in a process that starts with this record. */
const meterOf = (senderId: string, record: RelayRecord) =>
  meterOfSender(createLocalMeters(record), senderId, 100n);

describe('the meters of senders', () => {
  it("cap each sender's spending without affecting the others", async () => {
    const meters = createLocalMeters(createMemoryRecord());
    const of = (senderId: string) => meterOfSender(meters, senderId, 100n);
    const first = await of('alice.testnet').reserve(60n);
    expect(() => of('alice.testnet').reserve(41n)).toThrow(
      expect.objectContaining({
        code: 'spend_cap',
        message: expect.stringContaining('alice.testnet'),
        retryAfterSeconds: expect.any(Number),
      }),
    );
    await of('bob.testnet').reserve(100n);
    await first.commit(10n);
    await of('alice.testnet').reserve(90n);
  });

  it('outlive the process with the record, and leave it after a day', async () => {
    const [disk, clock] = [new Map<string, string>(), { ms: 1_000 * DAY_MS }];
    const record = {
      entries: (prefix: string) => entriesUnder(disk, prefix),
      write: (key: string, text: string | null) =>
        void (text === null ? disk.delete(key) : disk.set(key, text)),
      flush: () => Promise.resolve(),
      now: () => clock.ms,
    };
    await (await meterOf('alice.testnet', record).reserve(60n)).commit(50n);
    await expect((async () => meterOf('alice.testnet', record).reserve(51n))()).rejects.toMatchObject({
      code: 'spend_cap',
    });
    const later = createLocalMeters(record);
    clock.ms += 2 * DAY_MS;
    later('spend', { capYocto: null, log });
    expect([...disk]).toEqual([]);
  });
});

describe('a joint meter', () => {
  const meter = (capYocto: bigint) => createMemorySpendMeter({ capYocto, log });

  it('counts on each meter, and reserves nothing when one refuses', async () => {
    const [large, small] = [meter(100n), meter(50n)];
    const joint = createJointSpendMeter([large, small]);
    await expect(joint.reserve(51n)).rejects.toMatchObject({ code: 'spend_cap' });
    const whole = await large.reserve(100n);
    await whole.release();

    const reservation = await joint.reserve(50n);
    expect(() => large.reserve(51n)).toThrow('spent');
    await reservation.commit(20n);
    expect(() => small.reserve(31n)).toThrow('spent');
    await (await joint.reserve(30n)).release();
    await large.reserve(80n);
    await small.reserve(30n);
  });
});
