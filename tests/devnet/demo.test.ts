// The demo command: what it keeps, and how it ends.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RELAYER } from '../../dev/services/services.js';
import { type Demo, type DemoPlace, makeDemoPlace, STARTED, stillAnswering } from '../support/demo.js';
import { localOracle } from '../support/oracle.js';

const TIMEOUT_MS = 180_000;
const KEPT = 'kept over runs';

let place: DemoPlace;
beforeAll(async () => {
  place = await makeDemoPlace();
});
afterAll(() => place?.remove());

const greeting = () => localOracle(place.chainUrl).greeting();
const lockKey = () => readFile(join(place.data, 'lock-key.json'), 'utf8');

/** Runs the command while the work lasts. */
async function withDemo(
  args: readonly string[],
  work: (demo: Demo) => Promise<void>,
): Promise<number | null> {
  const demo = place.start(...args);
  try {
    await expect.poll(demo.output, { timeout: 90_000 }).toContain(STARTED);
    await work(demo);
  } finally {
    demo.interrupt();
  }
  return demo.exit;
}

test('keeps the chain and the lock key between runs, and exits with an error when one of its processes dies', {
  timeout: TIMEOUT_MS,
}, async () => {
  let key = '';
  await withDemo([], async () => {
    await localOracle(place.chainUrl).callAs(RELAYER, 'set_greeting', { greeting: KEPT });
    key = await lockKey();
  });
  const exit = await withDemo([], async (demo) => {
    expect(await greeting()).toBe(KEPT);
    expect(await lockKey()).toBe(key);
    const [, chainPid] = /chain\s+.*\(pid (\d+)\)/.exec(demo.output()) ?? [];
    process.kill(Number(chainPid), 'SIGKILL');
    await demo.exit;
    expect(demo.output()).toContain('chain ended (signal SIGKILL). Ending the rest.');
  });
  expect(exit).toBe(1);
  expect(await stillAnswering(place)).toEqual([]);
});

test('--fresh deletes the chain and the lock key', { timeout: TIMEOUT_MS }, async () => {
  const key = await lockKey();
  const exit = await withDemo(['--fresh'], async () => {
    expect(await greeting()).not.toBe(KEPT);
    expect(await lockKey()).not.toBe(key);
  });
  expect(exit).toBe(0);
});

test('a taken port is reported with its service and its variable before anything starts', async () => {
  const rival = createServer();
  await new Promise<void>((resolve) => rival.listen(place.relayPort, '127.0.0.1', resolve));
  const demo = place.start();
  expect(await demo.exit).toBe(1);
  expect(demo.output()).toBe(
    `Port ${place.relayPort}, wanted by relay, is taken. Set RELAY_PORT to another one.\n`,
  );
  await new Promise((resolve) => rival.close(resolve));
});
