/** `latchkey-dev/test`: a stack for a run of tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../../dev/services/services.js';
import { stackSetup, startStack } from '../../dev/test/index.js';
import { testFolder } from './latchkey-dev.js';

const LONG = { timeout: 120_000 };
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const expectEnded = (url: string) => expect(fetch(url)).rejects.toThrow('fetch failed');

test('two stacks for tests run side by side, and each end removes its own folder only', LONG, async () => {
  const data = await testFolder();
  const [one, kept] = await Promise.all([startStack(), startStack({ data })]);
  try {
    expect(one.addresses.relayUrl).not.toBe(kept.addresses.relayUrl);
    for (const { addresses } of [one, kept])
      expect((await fetch(`${addresses.relayUrl}/readyz`)).status).toBe(200);
  } finally {
    await Promise.all([one.stop(), kept.stop()]);
  }
  await expectEnded(one.addresses.relayUrl);
  expect([existsSync(one.data), existsSync(kept.data)]).toEqual([false, true]);
});

test('a stack that does not start leaves no folder', LONG, async () => {
  const folder = await testFolder();
  vi.stubEnv('TMPDIR', folder);
  const one = await startStack();
  const taken = Number(new URL(one.addresses.relayUrl).port);
  try {
    await expect(startStack({ ports: { relay: taken } })).rejects.toThrow('is taken');
    const left = (await readdir(folder)).filter((name) => name.startsWith('latchkey-test-'));
    expect(left).toEqual([basename(one.data)]);
  } finally {
    await one.stop();
    vi.unstubAllEnvs();
  }
});

test('the global setup without Vitest sets the variables, and its result ends the stack', LONG, async () => {
  const before = { ...process.env };
  const stop = await stackSetup({ sameOrigin: true })({});
  const { RELAY_URL = '', NEXT_PUBLIC_WALLET_ORIGIN } = process.env;
  process.env = before;
  expect((await fetch(`${RELAY_URL}/readyz`)).status).toBe(200);
  expect(NEXT_PUBLIC_WALLET_ORIGIN).toBe('');
  await stop();
  await expectEnded(RELAY_URL);
});

test(
  'the tests of a Vitest project have the addresses and the variables, and the stack ends with them',
  LONG,
  async () => {
    const folder = join(ROOT, 'tests/dev/vitest-project');
    const { stdout } = await promisify(execFile)(process.execPath, [VITEST, 'run'], { cwd: folder });
    const [, relayUrl = ''] = /relay at (\S+)/.exec(stdout) ?? [];
    await expectEnded(relayUrl);
  },
);
