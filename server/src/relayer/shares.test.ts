import { describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { createLocalMeters } from './meters.js';
import { entriesUnder, type RelayRecord } from './record.js';
import { createShares } from './shares.js';

const HOUR_MS = 3_600_000;

function shares({
  disk = new Map<string, string>(),
  clock = { ms: 1_000 * HOUR_MS },
  addressYocto = 100n,
} = {}) {
  const lines: string[] = [];
  const record: RelayRecord = {
    entries: (prefix) => entriesUnder(disk, prefix),
    write: (key, text) => void (text === null ? disk.delete(key) : disk.set(key, text)),
    flush: () => Promise.resolve(),
    now: () => clock.ms,
  };
  const log = createLog((line) => lines.push(line));
  const of = createShares({ addressYocto, networkYocto: 150n, meterFor: createLocalMeters(record), log });
  const reserve = async (address: string, yocto: bigint) => of(address).reserve(yocto);
  const refused = (address: string, yocto: bigint) =>
    expect(reserve(address, yocto)).rejects.toMatchObject({ code: 'address_cap', status: 429 });
  return { reserve, refused, lines, disk, clock };
}

describe('the share of a client (core 9)', () => {
  it('is one for its address, and a larger one for its network [S55]', async () => {
    const { reserve, refused, lines } = shares();
    await (await reserve('203.0.113.1', 100n)).commit(100n);
    await refused('203.0.113.1', 1n);
    await (await reserve('203.0.113.2', 50n)).commit(50n);
    await refused('203.0.113.3', 1n);
    await reserve('203.0.114.1', 100n);
    const events = lines.map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { level: 'warn', event: 'address_cap', scope: 'address' },
      { level: 'warn', event: 'address_cap', scope: 'network' },
    ]);
    expect(lines.join()).not.toContain('203.0');
  });

  it('of a private address says in the log that a proxy may stand for all clients', async () => {
    const { reserve, refused, lines } = shares();
    await reserve('127.0.0.1', 100n);
    await refused('127.0.0.1', 1n);
    await reserve('203.0.113.1', 100n);
    await refused('203.0.113.1', 1n);
    expect(lines.map((line) => JSON.parse(line).hint)).toEqual([
      expect.stringContaining('TRUSTED_PROXY_HOPS'),
      undefined,
    ]);
  });

  it('is one for an IPv6 /64, and a larger one for the /48 [S55]', async () => {
    const { reserve, refused } = shares();
    await reserve('20010db800010001/64', 100n);
    await refused('20010db800010001/64', 1n);
    await reserve('20010db800010002/64', 50n);
    await refused('20010db800010003/64', 1n);
    await reserve('20010db800020001/64', 100n);
  });

  it('is shared by all clients without an address', async () => {
    const { reserve, refused } = shares();
    await reserve('unknown', 100n);
    await refused('unknown', 1n);
  });

  it('comes back with a released reservation, and not beyond what a settled one cost', async () => {
    const { reserve, refused } = shares();
    await (await reserve('203.0.113.1', 100n)).release();
    await (await reserve('203.0.113.1', 100n)).commit(60n);
    await refused('203.0.113.1', 41n);
    await reserve('203.0.113.1', 40n);
  });

  it('admits the first of a day even where it is smaller than one registration', async () => {
    const { reserve, refused, clock } = shares({ addressYocto: 10n });
    const first = await reserve('203.0.113.1', 70n);
    await refused('203.0.113.1', 70n);
    await first.commit(60n);
    await refused('203.0.113.1', 70n);
    clock.ms += 25 * HOUR_MS;
    await reserve('203.0.113.1', 70n);
  });

  it('is counted on by the next process, and leaves the record after a day', async () => {
    const [disk, clock] = [new Map<string, string>(), { ms: 1_000 * HOUR_MS }];
    const first = shares({ disk, clock });
    await (await first.reserve('203.0.113.1', 100n)).commit(90n);
    await first.reserve('20010db800010001/64', 80n);
    const second = shares({ disk, clock });
    await second.refused('203.0.113.1', 11n);
    await second.refused('20010db800010001/64', 21n);
    clock.ms += 25 * HOUR_MS;
    await (await second.reserve('198.51.100.1', 1n)).release();
    expect([...disk]).toEqual([]);
  });
});
