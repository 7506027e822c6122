import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { createLog } from '../observe/log.js';
import { makeLockKeyText } from '../testing/lock-numbers.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { readLockKey } from './lock.js';
import { readLockGroup } from './lock-group.js';
import { type LockKeeper, type LockKeeperOptions, startLockKeeper } from './lock-keeper.js';
import { openLockKeyFile, rotateLockKeyFile } from './lock-key-file.js';
import { writeNumber } from './lock-number.js';

const DAY_MS = 86_400_000;
const group = readLockGroup(RFC3526_GROUP_14_P);
const makeKey = async () => makeLockKeyText(group.p);

describe('the lock keeper', { timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const keepers: LockKeeper[] = [];
  let lines: string[] = [];
  let files = 0;
  let path: string;
  beforeEach(() => {
    lines = [];
    files += 1;
    path = folder.file(`lock-${files}.json`);
  });
  afterEach(() => {
    for (const keeper of keepers.splice(0)) keeper.stop();
  });

  async function start({
    rotationDays = null,
    ...options
  }: Partial<LockKeeperOptions> & { rotationDays?: number | null } = {}) {
    const keeper = await startLockKeeper({
      source: { kind: 'file', group, path, rotationDays, graceDays: 180 },
      graceKeys: [],
      makeKey,
      log: createLog((line) => lines.push(line)),
      lookMs: 20,
      ...options,
    });
    keepers.push(keeper);
    return keeper;
  }
  const rotate = () => rotateLockKeyFile(path, group, { makeKey, graceDays: 180 });
  const age = async (days: number) => {
    const content = JSON.parse(await readFile(path, 'utf8'));
    content.current.made_at = new Date(Date.now() - days * DAY_MS).toISOString();
    await writeFile(path, JSON.stringify(content));
  };

  it('adopts a key that a command wrote to the file, and still opens with the former one', async () => {
    const { lock } = await start();
    const { currentKeyId: former } = lock.keyInfo;
    const { kek_cs_b64u } = lock.apply('Cw');
    const { current } = await rotate();
    await vi.waitUntil(() => lock.keyInfo.currentKeyId === current.keyId, { timeout: 30_000 });
    expect(lock.keyInfo.graceKeyIds).toEqual([former]);
    expect(lock.remove(kek_cs_b64u, former)).toEqual({ kek_c_b64u: 'Cw' });
    expect(lock.apply('Cw').keyId).toBe(current.keyId);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'lock_key_rotated', currentKeyId: current.keyId, graceKeys: 1 },
    ]);
  });

  it('reads the file again on a request for an unknown key', async () => {
    const { lock } = await start({ lookMs: 1_000_000 });
    for (let rotations = 0; rotations < 2; rotations += 1) {
      const { current } = await rotate();
      const locked = writeNumber(current.apply(Uint8Array.of(11)));
      await lock.lookFor(current.keyId);
      expect(lock.remove(locked, current.keyId)).toEqual({ kek_c_b64u: 'Cw' });
    }
    await lock.lookFor('unknown');
    expect(() => lock.remove('Cw', 'unknown')).toThrow('not a key of this relay');
  });

  it('rotates an old key at start and later, once for all relays', async () => {
    const { current } = await openLockKeyFile(path, group, makeKey);
    await age(8);
    const relays = await Promise.all([1, 2, 3].map(() => start({ rotationDays: 7, ageCheckMs: 30 })));
    const [first] = relays;
    await vi.waitUntil(() => new Set(relays.map(({ lock }) => lock.keyInfo.currentKeyId)).size === 1, {
      timeout: 30_000,
    });
    const second = first!.lock.keyInfo.currentKeyId;
    expect(second).not.toBe(current.keyId);
    expect(first!.lock.keyInfo.graceKeyIds).toEqual([current.keyId]);
    expect(Date.now() - first!.madeAtMs()!).toBeLessThan(DAY_MS);

    await age(8);
    await vi.waitUntil(() => relays.every(({ lock }) => lock.keyInfo.graceKeyIds.length === 2), {
      timeout: 30_000,
    });
    expect(new Set(relays.map(({ lock }) => lock.keyInfo.currentKeyId)).size).toBe(1);
    expect(first!.lock.keyInfo.graceKeyIds).toEqual([second, current.keyId]);
  });

  it('announces no key that it could not store', async () => {
    await openLockKeyFile(path, group, makeKey);
    await age(8);
    const made: string[] = [];
    const { lock } = await start({
      rotationDays: 7,
      makeKey: async () => {
        const text = makeLockKeyText(group.p);
        made.push(readLockKey(group, text).keyId);
        // From here on, the new file cannot replace the old one.
        await rm(path);
        await mkdir(path);
        return text;
      },
    });
    expect(made).toHaveLength(1);
    expect(made).not.toContain(lock.keyInfo.currentKeyId);
    expect(lock.keyInfo.graceKeyIds).toEqual([]);
    expect(lines.some((line) => line.includes('lock_key_file') && line.includes(path))).toBe(true);
  });

  it('keeps its keys while the file cannot be read', async () => {
    const { lock } = await start();
    const { currentKeyId } = lock.keyInfo;
    await writeFile(path, '{');
    await vi.waitUntil(() => lines.some((line) => line.includes('it is not a lock key file')), {
      timeout: 30_000,
    });
    expect(lock.keyInfo.currentKeyId).toBe(currentKeyId);
    expect(lock.apply('Cw').keyId).toBe(currentKeyId);

    // It reports the fault once, and reads the file again when it is whole.
    await rm(path);
    await vi.waitUntil(() => lines.some((line) => line.includes('does not exist')), { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(lines.filter((line) => line.includes('does not exist'))).toHaveLength(1);
    const { current } = await openLockKeyFile(path, group, makeKey);
    await vi.waitUntil(() => lock.keyInfo.currentKeyId === current.keyId, { timeout: 30_000 });
  });

  it('adds the operator’s own grace keys, even after a rotation', async () => {
    const former = readLockKey(group, makeLockKeyText(group.p));
    const { lock } = await start({ graceKeys: [former] });
    const first = lock.keyInfo.currentKeyId;
    const { current } = await rotate();
    await vi.waitUntil(() => lock.keyInfo.currentKeyId === current.keyId, { timeout: 30_000 });
    expect(lock.keyInfo.graceKeyIds).toEqual([first, former.keyId]);
  });

  it("serves the environment's key, which no file changes", async () => {
    const key = readLockKey(group, makeLockKeyText(group.p));
    const keeper = await startLockKeeper({
      source: { kind: 'given', group, key },
      graceKeys: [],
      makeKey: () => expect.fail('a key was made'),
      log: createLog(() => undefined),
    });
    expect(keeper.lock.keyInfo.currentKeyId).toBe(key.keyId);
    expect(keeper.madeAtMs()).toBeUndefined();
    keeper.stop();
  });
});
