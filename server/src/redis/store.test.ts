/** Several relays' stores on one real Redis: what one counts, all count. */
import { createClient } from '@redis/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { redisServer, startRedis, type TestRedis } from '../../../tests/support/relay/redis.js';
import { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import { Secret } from '../platform/secret.js';
import { createJointSpendMeter, createMemorySpendMeter, type SpendMeter } from '../relayer/spend.js';
import { type OpenStore, openRedisStore } from './store.js';

const path = redisServer();
const AWAY = { code: 'not_ready', status: 503, message: expect.stringContaining('Nothing was sent') };
const CALL = { borshBytes: Uint8Array.of(1, 2, 3), hash: 'tx', publicKey: 'ed25519:K' };
const KEPT = { call: CALL, mostYocto: 100n, depositYocto: 10n };

describe.skipIf(path === null)('relays that share a Redis (core 9)', () => {
  let redis: TestRedis;
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const stores: OpenStore[] = [];
  let installations = 0;

  beforeAll(async () => {
    redis = await startRedis(String(path));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await redis?.stop();
  });

  const open = async (relayerAccountId: string, unkeptMs = 0) => {
    const store = await openRedisStore({
      url: new Secret(redis.url),
      networkId: 'testnet',
      relayerAccountId,
      log,
      unkeptMs,
    });
    stores.push(store);
    return store;
  };
  /** The stores of two relays of an installation of their own. */
  const two = async () => {
    installations += 1;
    const name = `relayer-${installations}.testnet`;
    return [await open(name), await open(name)] as const;
  };
  const underWay = (hash: string | null) => new Refusal('outcome_unknown', `under way: ${hash}`);

  describe('a spend cap', () => {
    it('holds over all relays that reserve at the same time, to the yocto', async () => {
      const cap = { capYocto: 10n ** 25n + 7n, log };
      const meters = (await two()).map((store) => store.meterFor('spend', cap));
      const part = 10n ** 24n;
      const tries = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) => meters[index % 2]!.reserve(part)),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      await expect(meters[0]!.reserve(8n)).rejects.toMatchObject({ code: 'spend_cap', status: 429 });
      await meters[1]!.reserve(7n);
      expect(await meters[0]!.count()).toEqual({ countedYocto: cap.capYocto, reservedYocto: cap.capYocto });
    });

    it('gives back what was not spent, once, at whichever relay it settles', async () => {
      const [first, second] = await two();
      const cap = { capYocto: 100n, log };
      const [here, there] = [first.meterFor('spend', cap), second.meterFor('spend', cap)];
      const reservation = await here.reserve(100n);
      const stored = { ...KEPT, tickets: reservation.tickets ?? [] };
      await (await first.jobs!.claim('job', underWay)).keep(stored);
      await reservation.commit(30n);
      await reservation.release();
      expect(await there.count()).toEqual({ countedYocto: 30n, reservedYocto: 0n });
      await there.reserve(70n);
      await expect(here.reserve(1n)).rejects.toMatchObject({ code: 'spend_cap' });
    });

    it('counts as the meter in memory does, for any reservations and costs', async () => {
      const [store] = await two();
      let runs = 0;
      const step = fc.record({
        yocto: fc.bigInt(0n, 2n * 10n ** 25n),
        spent: fc.option(fc.bigInt(0n, 10n ** 25n)),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          runs += 1;
          const cap = {
            capYocto: 3n * 10n ** 25n,
            log: createLog(() => undefined),
            alwaysAdmitsOne: runs % 2 === 0,
          };
          const [real, model] = [store.meterFor(`property-${runs}`, cap), createMemorySpendMeter(cap)];
          for (const { yocto, spent } of steps) {
            const modelled = await Promise.resolve()
              .then(() => model.reserve(yocto))
              .catch((error: Refusal) => error);
            const made = await Promise.resolve(real.reserve(yocto)).catch((error: Refusal) => error);
            if (modelled instanceof Error || made instanceof Error) {
              expect(made).toMatchObject({ code: (modelled as Refusal).code });
            } else if (spent !== null) {
              await Promise.all([modelled.commit(spent), made.commit(spent)]);
            }
            expect(await real.count()).toEqual(model.count());
          }
        }),
        { numRuns: 25 },
      );
    });

    it('forgets what has left its window, by the clock of Redis', async () => {
      const [store] = await two();
      const meter = store.meterFor('short', { capYocto: 100n, log, windowMs: 288 });
      await meter.reserve(100n);
      await expect.poll(() => meter.count()).toEqual({ countedYocto: 0n, reservedYocto: 0n });
      await meter.reserve(100n);
    });
  });

  describe('the relayer’s keys', () => {
    it('give every holder at every relay its own nonce, above the chain’s', async () => {
      const shared = await two();
      const nonces = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const lease = await shared[index % 2]!.leases.lease(['k']);
          return lease.nextNonce(async () => 150_000_000_000_040n);
        }),
      );
      expect([...nonces].sort((a, b) => Number(a - b))).toEqual(
        Array.from({ length: 60 }, (_, index) => 150_000_000_000_041n + BigInt(index)),
      );
    });

    it('are one each for the relays while there are enough, and shared after that', async () => {
      const [first, second] = await two();
      const keyOf = async (store: OpenStore, keys: string[]) => (await store.leases.lease(keys)).publicKey;
      expect(await keyOf(first, ['a', 'b'])).toBe('a');
      expect(await keyOf(second, ['a', 'b'])).toBe('b');
      expect(await keyOf(second, ['a', 'b'])).toBe('b');
      expect(await keyOf(first, ['a', 'b'])).toBe('a');
      expect(await keyOf(second, ['a'])).toBe('a');
    });

    it('continue above what the chain has reached, and are read again when they are far ahead', async () => {
      const [first, second] = await two();
      const [here, there] = [await first.leases.lease(['k']), await second.leases.lease(['k'])];
      expect(await here.nextNonce(async () => 5n)).toBe(6n);
      await there.raise(3n);
      expect(await here.nextNonce(async () => 0n)).toBe(7n);
      await there.raise(20n);
      expect(await here.nextNonce(async () => 0n)).toBe(21n);
      await there.forget();
      expect(await here.nextNonce(async () => 2n)).toBe(3n);
      await expect(first.leases.lease([])).rejects.toThrow(RangeError);
    });
  });

  describe('a job', () => {
    it('is one relay’s at a time, and what was signed for it goes to the next one', async () => {
      const [first, second] = await two();
      const meter = first.meterFor('spend', { capYocto: 100n, log });
      const claim = await first.jobs!.claim('job', underWay);
      expect(claim.sent).toBeNull();
      await expect(second.jobs!.claim('job', underWay)).rejects.toThrow('under way: null');
      const reservation = await meter.reserve(100n);
      await claim.keep({ ...KEPT, tickets: reservation.tickets ?? [] });
      await expect(second.jobs!.claim('job', underWay)).rejects.toThrow('under way: tx');
      await claim.release();

      const next = await second.jobs!.claim('job', underWay);
      expect(next.sent).toMatchObject(KEPT);
      await next.sent?.reservation.commit(40n);
      expect(await meter.count()).toEqual({ countedYocto: 40n, reservedYocto: 0n });
    });

    it('that another relay took over can no longer be signed', async () => {
      const name = `relayer-fenced.testnet`;
      const [first, second] = [await open(name), await open(name)];
      const stale = await first.jobs!.claim('job', underWay);
      // As after a pause of the process that was longer than the claim's life.
      await remove(`{latchkey:testnet:${name}}:claim:job`);
      const fresh = await second.jobs!.claim('job', underWay);
      expect(await stale.keep({ ...KEPT, tickets: [] })).toBe(false);
      await stale.release();
      await fresh.keep({ ...KEPT, tickets: [] });
    });

    it('that failed is forgotten, and one that is done stays for those who ask at the same time', async () => {
      const [first, second] = await two();
      for (const end of ['failed', 'done'] as const) {
        const claim = await first.jobs!.claim(end, underWay);
        await claim.keep({ ...KEPT, tickets: [] });
        first.jobs!.settled(end, 'another', 'failed');
        first.jobs!.settled(end, 'tx', end);
        await claim.release();
        const next = await second.jobs!.claim(end, underWay);
        expect(next.sent?.call.hash).toBe(end === 'done' ? 'tx' : undefined);
      }
    });
  });

  describe('a relay that is killed', () => {
    const once = { id: 'voucher-of-the-killed', expiresAtMs: Date.now() + 3_600_000 };
    const alice = { accountId: 'alice', publicKey: 'ed25519:A' };
    const cap = { capYocto: 100n, log };

    it('before it stored what it signed leaves a reservation and a voucher that another one ends, once', async () => {
      const [killed, other] = await two();
      const meters = [killed, other].map((store) => store.meterFor('spend', cap));
      await createJointSpendMeter([killed.uses.meterOf(once, alice), meters[0]!]).reserve(100n);
      await expect(meters[1]!.reserve(1n)).rejects.toMatchObject({ code: 'spend_cap' });
      expect(await other.jobs!.endUnkept()).toBe(2);
      expect(await other.jobs!.endUnkept()).toBe(0);
      expect(await meters[1]!.count()).toEqual({ countedYocto: 0n, reservedYocto: 0n });
      const bob = { ...alice, accountId: 'bob' };
      await other.uses.meterOf(once, bob).reserve(1n);
    });

    it('is not one that is slow: its reservation stands for as long as a signature may take', async () => {
      const name = 'relayer-slow.testnet';
      const [slow, other] = [await open(name, 30_000), await open(name, 30_000)];
      const meter = slow.meterFor('spend', cap);
      await meter.reserve(100n);
      expect(await other.jobs!.endUnkept()).toBe(0);
      expect(await meter.count()).toEqual({ countedYocto: 100n, reservedYocto: 100n });
    });

    it('and only seemed so can no longer store a transaction whose reservation has ended', async () => {
      const [slow, other] = await two();
      const meter = slow.meterFor('spend', cap);
      const claim = await slow.jobs!.claim('payment:job', underWay);
      const { tickets = [] } = await meter.reserve(100n);
      expect(await other.jobs!.endUnkept()).toBe(1);
      expect(await claim.keep({ ...KEPT, tickets })).toBe(false);
      expect(await other.jobs!.isOpen('payment:job')).toBe(false);
    });

    it('after it stored what it signed leaves a job that is due at the others until its cost is counted', async () => {
      const [killed, other] = await two();
      const meter = killed.meterFor('spend', cap);
      const { claim } = await storeJob(killed, meter);
      expect(await other.jobs!.endUnkept()).toBe(0);
      await claim.release();
      const due = () => other.jobs!.due('payment');
      await vi.waitFor(async () => expect(await due()).toEqual(['payment:job']), {
        timeout: 30_000,
        interval: 500,
      });
      expect(await due()).toEqual([]);
      expect(await other.jobs!.due('other')).toEqual([]);

      const taken = await other.jobs!.claim('payment:job', underWay);
      await taken.sent?.reservation.commit(40n);
      other.jobs!.counted('payment:job', 'another');
      // Its commands reach Redis in their order.
      expect(await other.jobs!.isOpen('payment:job')).toBe(true);
      expect(await members('open:payment')).toEqual(['payment:job']);
      other.jobs!.counted('payment:job', CALL.hash);
      await taken.release();
      expect(await meter.count()).toEqual({ countedYocto: 40n, reservedYocto: 0n });
      expect(await members('open:payment')).toEqual([]);
      // Its own request, should it come, still finds the transaction.
      expect(await killed.jobs!.isOpen('payment:job')).toBe(true);
    });

    it('between a job’s end and that of its reservation leaves a reservation that another one ends', async () => {
      const [killed, other] = await two();
      const meter = killed.meterFor('spend', cap);
      const { tickets } = await storeJob(killed, meter);
      await killed.jobs!.settled('payment:job', CALL.hash, 'failed', tickets);
      expect(await other.jobs!.endUnkept()).toBe(1);
      expect(await meter.count()).toEqual({ countedYocto: 0n, reservedYocto: 0n });
      expect(await members('open:payment')).toEqual([]);
    });

    it('before Redis had what a transaction cost leaves it due at the others, though its job could be written', async () => {
      const [killed, other] = await two();
      const meter = killed.meterFor('spend', cap);
      const { claim, reservation } = await storeJob(killed, meter);
      const key = `${prefix()}reservation:${JSON.parse(reservation.tickets?.[0] ?? '[]').at(-1)}`;
      // Of a wrong type: its script fails, and the next one does not.
      await withClient(async (client) => {
        await client.rename(key, `${key}:aside`);
        await client.hSet(key, 'a', 'b');
      });
      await reservation.commit(40n);
      killed.jobs!.counted('payment:job', CALL.hash);
      await claim.release();
      expect(await members('open:payment')).toEqual(['payment:job']);

      await withClient(async (client) => {
        await client.del(key);
        await client.rename(`${key}:aside`, key);
      });
      const taken = await other.jobs!.claim('payment:job', underWay);
      await taken.sent?.reservation.commit(40n);
      other.jobs!.counted('payment:job', CALL.hash);
      await taken.release();
      expect(await meter.count()).toEqual({ countedYocto: 40n, reservedYocto: 0n });
      expect(await members('open:payment')).toEqual([]);
    });

    it('is not hidden behind reservations of a kind that only a newer relay knows', async () => {
      const [killed, other] = await two();
      await withClient(async (client) => {
        const unknown = Array.from({ length: 250 }, (_, index) => ({
          score: index,
          value: JSON.stringify(['of-later', `${index}`]),
        }));
        await client.zAdd(`${prefix()}unkept`, unknown);
      });
      await killed.meterFor('spend', cap).reserve(100n);
      expect(await other.jobs!.endUnkept()).toBe(1);
      expect(await members('unkept')).toHaveLength(250);
    });

    it('and stored a text that others cannot read has its job refused, not signed again, and told once', async () => {
      const [killed, other] = await two();
      const { claim } = await storeJob(killed, killed.meterFor('spend', cap));
      await claim.release();
      await withClient((client) => client.hSet(`${prefix()}job:payment:job`, 'text', '{"of":"later"}'));
      lines.length = 0;
      for (let asked = 0; asked < 2; asked += 1)
        await expect(other.jobs!.claim('payment:job', underWay)).rejects.toThrow('under way: tx');
      expect(lines.filter((line) => line.includes('"job_unreadable"'))).toHaveLength(1);
    });

    /** Claims a job, and stores a transaction that a reservation of this meter pays for. */
    async function storeJob({ jobs }: OpenStore, meter: SpendMeter) {
      const claim = await jobs!.claim('payment:job', underWay);
      const reservation = await meter.reserve(100n);
      const { tickets = [] } = reservation;
      await claim.keep({ ...KEPT, tickets });
      return { claim, reservation, tickets };
    }

    /** The prefix of the latest installation's keys. */
    const prefix = () => `{latchkey:testnet:relayer-${installations}.testnet}:`;

    const newClient = () => createClient({ url: redis.url });

    async function withClient<T>(work: (client: ReturnType<typeof newClient>) => Promise<T>): Promise<T> {
      const client = newClient();
      await client.connect();
      return work(client).finally(() => client.destroy());
    }

    /** The members of a set of the latest installation. */
    const members = (key: string): Promise<string[]> =>
      withClient((client) => client.zRange(prefix() + key, 0, -1));
  });

  describe('what may be used once', () => {
    const once = { id: 'voucher', expiresAtMs: Date.now() + 3_600_000 };
    const [alice, bob] = ['alice', 'bob'].map((accountId) => ({ accountId, publicKey: 'ed25519:A' }));

    it('is used by one registration at all relays', async () => {
      const [first, second] = await two();
      const reservation = await first.uses.meterOf(once, alice!).reserve(1n);
      await expect(second.uses.meterOf(once, bob!).reserve(1n)).rejects.toMatchObject({
        code: 'signup_refused',
      });
      await (await second.uses.meterOf(once, alice!).reserve(1n)).release();
      await expect(second.uses.meterOf(once, bob!).reserve(1n)).rejects.toMatchObject({
        code: 'signup_refused',
      });
      await reservation.release();
      await (await second.uses.meterOf(once, bob!).reserve(1n)).commit(1n);
      for (const user of [alice!, bob!])
        await expect(first.uses.meterOf(once, user).reserve(1n)).rejects.toMatchObject({
          code: 'signup_refused',
        });
    });
  });

  it('count their clients’ requests together', async () => {
    const buckets = (await two()).map((store) => store.buckets('registrations', { perAddress: 4, total: 6 }));
    const take = async (index: number, address: string) =>
      (await buckets[index % 2]!.take(address))?.scope ?? 'passed';
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await take(index, '203.0.113.1'));
    expect(answers).toEqual(['passed', 'passed', 'passed', 'passed', 'address']);
    for (let index = 0; index < 2; index += 1) expect(await take(index, '203.0.113.2')).toBe('passed');
    expect(await take(0, '203.0.113.3')).toBe('total');
    const refused = await buckets[0]!.take('203.0.113.1');
    expect(refused?.waitMs).toBeGreaterThan(0);
    expect(refused?.waitMs).toBeLessThanOrEqual(15_000);
  });

  it('raise an alarm once among them', async () => {
    const [first, second] = await two();
    expect(
      await Promise.all([first, second, first].map((store) => store.isFirstWithin('80', 60_000))),
    ).toEqual([true, false, false]);
  });

  it('do not meet the relays of another relayer or network', async () => {
    const [one] = await two();
    const [other] = await two();
    await one.meterFor('spend', { capYocto: 1n, log }).reserve(1n);
    await other.meterFor('spend', { capYocto: 1n, log }).reserve(1n);
  });

  it('lose nothing when Redis is killed and started again, and refuse meanwhile', async () => {
    const [first, second] = await two();
    const cap = { capYocto: 100n, log };
    const [here, there] = [first.meterFor('spend', cap), second.meterFor('spend', cap)];
    const [settled, open] = [await here.reserve(40n), await here.reserve(50n)];
    const claim = await first.jobs!.claim('job', underWay);
    await claim.keep({ ...KEPT, tickets: open.tickets ?? [] });
    await redis.kill();
    await expect(there.reserve(1n)).rejects.toMatchObject(AWAY);
    await expect(first.check()).rejects.toMatchObject(AWAY);
    await expect(second.jobs!.claim('other', underWay)).rejects.toMatchObject(AWAY);
    await expect(first.buckets('registrations', { perAddress: 1, total: 1 }).take('a')).rejects.toMatchObject(
      AWAY,
    );
    // Logins cost nothing, and go on.
    expect(await first.buckets('lock', { perAddress: 1, total: 1 }).take('a')).toBeNull();
    await settled.commit(10n);

    await redis.start();
    // The end that Redis missed follows, so 10 are spent and 50 reserved.
    const counted = { countedYocto: 60n, reservedYocto: 50n };
    await vi.waitFor(async () => expect(await there.count()).toEqual(counted), { timeout: 20_000 });
    await expect(there.reserve(41n)).rejects.toMatchObject({ code: 'spend_cap' });
    await expect(second.jobs!.claim('job', underWay)).rejects.toThrow('under way: tx');
  });

  it('refuse in time while Redis hangs, and free what it reserved without an answer', async () => {
    const [first, second] = await two();
    const meter = first.meterFor('spend', { capYocto: 100n, log });
    await meter.reserve(10n);
    redis.pause();
    await expect(meter.reserve(90n)).rejects.toMatchObject(AWAY);
    redis.resume();
    const other = second.meterFor('spend', { capYocto: 100n, log });
    const counted = { countedYocto: 10n, reservedYocto: 10n };
    await vi.waitFor(async () => expect(await other.count()).toEqual(counted), { timeout: 20_000 });
  });

  it('spend nothing more after Redis was emptied, until they are started again', async () => {
    const name = 'relayer-emptied.testnet';
    const store = await open(name);
    const meter = store.meterFor('spend', { capYocto: 100n, log });
    await meter.reserve(90n);
    await remove(`{latchkey:testnet:${name}}:epoch`);
    await expect(meter.reserve(1n)).rejects.toMatchObject({ code: 'not_ready', message: /was lost/ });
    // A relay that starts now counts on a new record, and the former one still spends nothing.
    const fresh = await open(name);
    await fresh.check();
    await expect(store.check()).rejects.toMatchObject({ code: 'not_ready', message: /was lost/ });
    expect(lines.join('\n')).toContain('redis_record_lost');
  });

  it.each([
    ['forgets', ['--appendonly', 'no'], /appendonly yes/],
    ['drops', ['--maxmemory-policy', 'allkeys-lru'], /noeviction/],
  ])('do not start on a Redis that %s what was spent', async (_, settings, message) => {
    const unfit = await startRedis(String(path), settings);
    try {
      const opening = openRedisStore({
        url: new Secret(unfit.url),
        networkId: 'testnet',
        relayerAccountId: 'r',
        log,
      });
      await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIG', message });
    } finally {
      await unfit.stop();
    }
  });

  it('never write the password into a log or an answer', async () => {
    const url = redis.url.replace(redis.password, 'a-wrong-password');
    const store = await openRedisStore({
      url: new Secret(url),
      networkId: 'testnet',
      relayerAccountId: 'r',
      log,
    });
    stores.push(store);
    const error = await store.check().then(
      () => expect.fail('it let us in'),
      (refusal: Refusal) => refusal,
    );
    expect(error).toMatchObject(AWAY);
    for (const password of [redis.password, 'a-wrong-password'])
      expect([...lines, error.message, String(error.cause)].join('\n')).not.toContain(password);
    expect(lines.join('\n')).toContain('redis_away');
  });

  async function remove(key: string): Promise<void> {
    const client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
    expect(await client.del(key)).toBe(1);
    client.destroy();
  }
});
