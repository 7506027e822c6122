/** What a relay that keeps a record finds of the one before it, which was killed at any step. */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import { entriesUnder, type RelayRecord } from './record.js';
import { createJointSpendMeter, type SpendMeter } from './spend.js';
import { createLocalStore, type RelayStore } from './store.js';

const HOUR_MS = 3_600_000;
const CALL = { borshBytes: Uint8Array.of(1, 2, 3), hash: 'tx', publicKey: 'ed25519:K' };
const KEPT = { call: CALL, mostYocto: 100n, depositYocto: 7n };
const JOB = 'payment:job';
const lines: string[] = [];
const log = createLog((line) => lines.push(line));
const cap = { capYocto: 100n, log };
const underWay = (hash: string | null) => new Refusal('outcome_unknown', `under way: ${hash}`);

/** A disk and a clock, and relays that start with them one after the other. */
function machine() {
  const [disk, clock] = [new Map<string, string>(), { ms: 1_000 * 24 * HOUR_MS }];
  let isFull = false;
  const record: RelayRecord = {
    entries: (prefix) => entriesUnder(disk, prefix),
    write: (key, text) => void (text === null ? disk.delete(key) : disk.set(key, text)),
    flush: () => (isFull ? Promise.reject(new Error('no space left')) : Promise.resolve()),
    now: () => clock.ms,
  };
  const start = () => createLocalStore(record, log);
  const fill = (full: boolean) => {
    isFull = full;
  };
  return { disk, clock, start, fill };
}

const jobsOf = ({ jobs }: RelayStore) => jobs ?? expect.fail('this store has no jobs');
const spendOf = (store: RelayStore) => store.durable(store.meterFor('spend', cap));
const countOf = (store: RelayStore) => store.meterFor('spend', cap).count();

/** Claims the job, and stores a transaction that a reservation of this meter pays for. */
async function storeJob(store: RelayStore, meter: SpendMeter = spendOf(store)) {
  const claim = await jobsOf(store).claim(JOB, underWay);
  const reservation = await meter.reserve(100n);
  const { tickets = [] } = reservation;
  expect(await claim.keep({ ...KEPT, tickets })).toBe(true);
  return { claim, reservation, tickets };
}

describe('a relay that starts with the record of a killed one', () => {
  const once = { id: 'a-voucher', expiresAtMs: 2_000 * 24 * HOUR_MS };
  const [alice, bob] = ['alice', 'bob'].map((accountId) => ({ accountId, publicKey: 'ed25519:A' }));

  it('ends a reservation and a voucher for which nothing was signed, once', async () => {
    const { start } = machine();
    const killed = start();
    const joint = createJointSpendMeter([killed.uses.meterOf(once, alice!), spendOf(killed)]);
    await joint.reserve(100n);

    const next = start();
    expect(await countOf(next)).toEqual({ countedYocto: 100n, reservedYocto: 100n });
    await expect(spendOf(next).reserve(1n)).rejects.toMatchObject({ code: 'spend_cap' });
    await expect(Promise.resolve(next.uses.meterOf(once, bob!).reserve(1n))).rejects.toMatchObject({
      code: 'signup_refused',
    });
    expect(await jobsOf(next).endUnkept()).toBe(2);
    expect(await jobsOf(next).endUnkept()).toBe(0);
    expect(await countOf(next)).toEqual({ countedYocto: 0n, reservedYocto: 0n });
    await next.uses.meterOf(once, bob!).reserve(1n);
    await spendOf(next).reserve(100n);
  });

  it('never ends a reservation of its own', async () => {
    const { start } = machine();
    const store = start();
    await spendOf(store).reserve(60n);
    expect(await jobsOf(store).endUnkept()).toBe(0);
    expect(await countOf(store)).toEqual({ countedYocto: 60n, reservedYocto: 60n });
  });

  it('finds what was signed, counts it at its cost, and is not asked for it again', async () => {
    const { start, disk } = machine();
    await storeJob(start());

    const next = start();
    const jobs = jobsOf(next);
    expect(await jobs.endUnkept()).toBe(0);
    expect(await jobs.isOpen(JOB)).toBe(true);
    expect(await jobs.due('other')).toEqual([]);
    expect(await jobs.due('payment')).toEqual([JOB]);
    expect(await jobs.due('payment')).toEqual([]);
    const claim = await jobs.claim(JOB, underWay);
    expect(claim.sent).toMatchObject(KEPT);
    await claim.sent?.reservation.commit(40n);
    await claim.sent?.reservation.release();
    jobs.counted(JOB, 'another');
    jobs.counted(JOB, CALL.hash);
    await claim.release();
    expect(await countOf(next)).toEqual({ countedYocto: 40n, reservedYocto: 0n });

    const third = start();
    expect(await jobsOf(third).due('payment')).toEqual([]);
    // Its own request, should it come, still finds the transaction.
    expect((await jobsOf(third).claim(JOB, underWay)).sent).toMatchObject(KEPT);
    expect(await jobsOf(third).settled(JOB, CALL.hash, 'done')).toBe(true);
    expect([...disk.keys()].filter((key) => !key.startsWith('spend:'))).toEqual([]);
  });

  it('leaves reserved what a lying node may have freed, and ends what was about to be freed', async () => {
    for (const [isFreed, left] of [
      [false, 100n],
      [true, 0n],
    ] as const) {
      const { start } = machine();
      const killed = start();
      const { tickets } = await storeJob(killed);
      await jobsOf(killed).settled(JOB, CALL.hash, 'failed', isFreed ? tickets : []);
      const next = start();
      await jobsOf(next).endUnkept();
      expect((await countOf(next)).countedYocto).toBe(left);
      expect(await jobsOf(next).isOpen(JOB)).toBe(false);
    }
  });

  it('keeps an outcome that comes late on the meter that the relay uses then', async () => {
    const { start } = machine();
    await storeJob(start());
    const next = start();
    const { sent } = await jobsOf(next).claim(JOB, underWay);
    // The meter is named for the first time only now.
    const meter = spendOf(next);
    await sent?.reservation.commit(30n);
    await meter.reserve(70n);
    await expect(meter.reserve(1n)).rejects.toMatchObject({ code: 'spend_cap' });
    expect(await countOf(start())).toEqual({ countedYocto: 100n, reservedYocto: 70n });
  });

  it('forgets a transaction that is too old for any block', async () => {
    const { start, clock, disk } = machine();
    await storeJob(start());
    clock.ms += 26 * HOUR_MS;
    const next = start();
    expect(await jobsOf(next).due('payment')).toEqual([]);
    expect(await jobsOf(next).isOpen(JOB)).toBe(false);
    expect([...disk.keys()].filter((key) => key.startsWith('job:'))).toEqual([]);
  });

  it('signs nothing for a job whose text it cannot read, and says so once', async () => {
    const { start, disk } = machine();
    await storeJob(start());
    const key = `job:${JOB}`;
    disk.set(key, String(disk.get(key)).replace('mostYocto', 'mostOfLater'));
    const jobs = jobsOf(start());
    lines.length = 0;
    for (let asked = 0; asked < 2; asked += 1)
      await expect(jobs.claim(JOB, underWay)).rejects.toThrow('under way: tx');
    expect(lines.filter((line) => line.includes('"job_unreadable"'))).toHaveLength(1);
  });
});

describe('a job at a relay alone', () => {
  it('waits for its turn, and finds what the one before it signed', async () => {
    const store = machine().start();
    const { claim } = await storeJob(store);
    const next = jobsOf(store).claim(JOB, underWay);
    expect(await jobsOf(store).due('payment')).toEqual([]);
    await claim.release();
    expect((await next).sent).toMatchObject(KEPT);
  });

  it('is never sent if it could not be stored: the relay may have been replaced', async () => {
    const { start, fill } = machine();
    const store = start();
    const claim = await jobsOf(store).claim(JOB, underWay);
    const { tickets = [] } = await spendOf(store).reserve(100n);
    fill(true);
    await expect(claim.keep({ ...KEPT, tickets })).rejects.toMatchObject({ code: 'not_ready' });
    await claim.release();
    expect((await jobsOf(store).claim(JOB, underWay)).sent).toBeNull();
  });
});
