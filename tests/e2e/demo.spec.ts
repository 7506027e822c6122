// The demo command: what it prints, what it keeps, and how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../dev/services/ports.js';
import { RELAYER, ROOT } from '../../dev/services/services.js';
import { localOracle } from '../support/oracle.js';
import { register, setGreeting } from '../support/steps.js';
import { openWallet } from '../support/wallet.js';
import { expect, test } from './fixtures.js';

// The development server prepares its dependencies on the first page load.
test.describe.configure({ mode: 'serial', timeout: 180_000 });

let data: string;
let ports: { APP_PORT: number; WALLET_PORT: number; RELAY_PORT: number; CHAIN_PORT: number };

test.beforeAll(async () => {
  // Where a developer has it: below the workspace's root, of which Vite serves files.
  const kept = join(ROOT, '.latchkey');
  await mkdir(kept, { recursive: true });
  data = await mkdtemp(join(kept, 'test-'));
  ports = {
    APP_PORT: await freePort(),
    WALLET_PORT: await freePort(),
    RELAY_PORT: await freePort(),
    CHAIN_PORT: await freePort(),
  };
});

test.afterAll(() => rm(data, { recursive: true, force: true }));

interface Demo {
  child: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
}

function startDemo(...args: string[]): Demo {
  let output = '';
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/dev.ts', ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      LATCHKEY_DATA: data,
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    },
  });
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  return {
    child,
    output: () => output,
    exit: new Promise((resolve) => child.once('exit', resolve)),
  };
}

const running = (demo: Demo) =>
  expect.poll(demo.output, { timeout: 90_000 }).toContain('Ctrl-C ends all of it');
const chainUrl = () => `http://127.0.0.1:${ports.CHAIN_PORT}`;
const walletUrl = () => `http://wallet.localhost:${ports.WALLET_PORT}`;
const relayUrl = () => `http://localhost:${ports.RELAY_PORT}`;

async function expectNothingListens(): Promise<void> {
  const wallet = `http://localhost:${ports.WALLET_PORT}`;
  for (const url of [`http://localhost:${ports.APP_PORT}`, wallet, relayUrl(), chainUrl()]) {
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  }
}

let lockKey: string;

test('starts chain, relay, wallet and app, prints their addresses, serves a new user, and Ctrl-C stops all of it', async ({
  context,
}) => {
  const demo = startDemo();
  try {
    await running(demo);
    for (const address of [`http://localhost:${ports.APP_PORT}`, walletUrl(), relayUrl(), chainUrl()]) {
      expect(demo.output()).toContain(address);
    }
    expect(demo.output()).not.toContain('ed25519:');
    // Another address of this machine, where only a server on every interface listens.
    await expect(fetch(`http://127.0.0.2:${ports.APP_PORT}`)).rejects.toThrow('fetch failed');
    expect((await fetch(`http://localhost:${ports.APP_PORT}`)).status).toBe(200);
    expect((await fetch(`${relayUrl()}/readyz`)).status).toBe(200);
    const wallet = await openWallet(context, `http://localhost:${ports.APP_PORT}`, 'always', walletUrl());
    await register(wallet, 'newcomer');
    await setGreeting(wallet, 'from the sources, with hot reload');
    expect(await localOracle(chainUrl()).greeting()).toContain('from the sources');
    expect(wallet.consoleLines.filter((line) => /^(error|warning):/.test(line))).toEqual([]);
    await context.close();
    await localOracle(chainUrl()).callAs(RELAYER, 'set_greeting', { greeting: 'kept over runs' });
    lockKey = await readFile(join(data, 'lock-key.json'), 'utf8');
    const served = await fetch(`http://localhost:${ports.APP_PORT}/@fs${join(data, 'lock-key.json')}`);
    expect(served.status).toBe(403);
  } finally {
    demo.child.kill('SIGINT');
  }
  expect(await demo.exit).toBe(0);
  await expectNothingListens();
});

test('keeps the chain and the lock key between runs, and exits with an error when one of its processes dies', async () => {
  const demo = startDemo();
  try {
    await running(demo);
    expect(await localOracle(chainUrl()).greeting()).toBe('kept over runs');
    expect(await readFile(join(data, 'lock-key.json'), 'utf8')).toBe(lockKey);
    const [, chainPid] = /chain\s+.*\(pid (\d+)\)/.exec(demo.output()) ?? [];
    process.kill(Number(chainPid), 'SIGKILL');
    expect(await demo.exit).toBe(1);
    expect(demo.output()).toContain('chain ended (signal SIGKILL). Ending the rest.');
  } finally {
    demo.child.kill('SIGINT');
  }
  await expectNothingListens();
});

test('--fresh deletes the chain and the lock key', async () => {
  const demo = startDemo('--fresh');
  try {
    await running(demo);
    expect(await localOracle(chainUrl()).greeting()).not.toBe('kept over runs');
    expect(await readFile(join(data, 'lock-key.json'), 'utf8')).not.toBe(lockKey);
  } finally {
    demo.child.kill('SIGINT');
  }
  expect(await demo.exit).toBe(0);
});

test('a taken port is reported with its service and its variable before anything starts', async () => {
  const rival = createServer();
  await new Promise<void>((resolve) => rival.listen(ports.RELAY_PORT, '127.0.0.1', resolve));
  const demo = startDemo();
  expect(await demo.exit).toBe(1);
  expect(demo.output()).toBe(
    `Port ${ports.RELAY_PORT}, wanted by relay, is taken. Set RELAY_PORT to another one.\n`,
  );
  await new Promise((resolve) => rival.close(resolve));
});
