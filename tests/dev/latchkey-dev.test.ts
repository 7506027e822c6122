import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { developmentKey } from '../../dev/services/keys.js';
import { startDevnet } from '../devnet/devnet.js';
import { localOracle } from '../support/oracle.js';
import { freePorts, latchkeyDev, type Ports, portOptions, said, testFolder } from './latchkey-dev.js';

const LONG = { timeout: 240_000 };
const HOST = 'http://localhost:5180';
const PAYER = 'dev.testnet';

const relayUrl = ({ relay }: Ports) => `http://localhost:${relay}`;
const chainUrl = ({ chain }: Ports) => `http://127.0.0.1:${chain}`;
const status = async (url: string) => (await fetch(url)).status;

/** The wallet's page is served for the host, and for no page that is none. */
async function expectWallet({ wallet }: Ports, host = HOST): Promise<void> {
  const page = `http://localhost:${wallet}/wallet-service/?host=`;
  expect(await status(page + encodeURIComponent(host))).toBe(200);
  expect(await status(`${page}${encodeURIComponent('https://evil.example')}`)).toBe(403);
}

async function expectNothingListens(ports: Ports): Promise<void> {
  for (const port of Object.values(ports))
    await expect(fetch(`http://localhost:${port}`)).rejects.toThrow('fetch failed');
}

test('starts chain, relay and wallet, prints where they are, and Ctrl-C ends all of it', LONG, async () => {
  const folder = await testFolder();
  const ports = await freePorts();
  const dev = latchkeyDev(folder, [...portOptions(ports), '--host', HOST]);
  await dev.running;
  for (const text of [
    `http://wallet.localhost:${ports.wallet}`,
    relayUrl(ports),
    chainUrl(ports),
    'registry w3a-v1.testnet',
    HOST,
    '.latchkey/logs',
  ])
    expect(dev.output()).toContain(text);
  expect(dev.output()).not.toContain('ed25519:');
  expect(await status(`${relayUrl(ports)}/readyz`)).toBe(200);
  await expectWallet(ports);
  expect(await localOracle(chainUrl(ports)).accountExists('relayer.testnet')).toBe(true);

  const others = portOptions(await freePorts());
  expect(await said(folder, others)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^Another stack runs on .*\.latchkey \(process \d+, since .*--data DIR\.\n$/,
    ),
  });
  const elsewhere = await testFolder();
  expect(await said(elsewhere, [...others, '--relay-port', String(ports.relay)])).toEqual({
    code: 1,
    output: `Port ${ports.relay}, wanted by relay, is taken. Set --relay-port or RELAY_PORT to another one.\n`,
  });

  expect(await said(folder, ['fund', 'relayer.testnet', '2.5'])).toEqual({
    code: 0,
    output: expect.stringMatching(/^relayer\.testnet has 1000002\.5 NEAR\.\n$/),
  });
  expect(await said(folder, ['fund', 'nobody.testnet', '1'])).toEqual({
    code: 1,
    output: 'There is no account nobody.testnet on this chain. Register it first, then fund it.\n',
  });
  const follow = latchkeyDev(folder, ['logs', 'relay', '--follow']);
  await expect.poll(follow.output).toContain('relay  │ relay listening');
  await fetch(`${relayUrl(ports)}/followed`);
  await expect.poll(follow.output).toContain('"path":"');
  follow.signal('SIGINT');
  expect(await follow.exit).toBe(0);

  dev.signal('SIGINT');
  expect(await dev.exit).toBe(0);
  await expectNothingListens(ports);
  const logs = await said(folder, ['logs']);
  expect(logs.output).toMatch(/^chain {2}│ .*listening on/m);
  expect(await said(folder, ['fund', 'relayer.testnet', '1'])).toEqual({
    code: 1,
    output: expect.stringMatching(/^No stack runs on \.latchkey\./),
  });
});

test(
  'a killed chain ends the stack, and a killed stack leaves nothing: the next start has every account',
  LONG,
  async () => {
    const folder = await testFolder();
    const ports = await freePorts();
    const args = [...portOptions(ports), '--host', HOST];
    const first = latchkeyDev(folder, args);
    await first.running;
    expect((await said(folder, ['fund', 'relayer.testnet', '7'])).code).toBe(0);
    const lockKey = await readFile(join(folder, '.latchkey/lock-key.json'), 'utf8');
    const [, pid] = /registry w3a-v1.testnet \(pid (\d+)\)/.exec(first.output()) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    expect(await first.exit).toBe(1);
    expect(first.output()).toContain('chain ended (signal SIGKILL). Ending the rest.');
    await expectNothingListens(ports);

    const second = latchkeyDev(folder, args);
    await second.running;
    expect((await said(folder, ['fund', 'relayer.testnet', '1'])).output).toBe(
      'relayer.testnet has 1000008 NEAR.\n',
    );
    second.signal('SIGKILL');
    await second.exit;

    const third = latchkeyDev(folder, args);
    await third.running;
    expect((await said(folder, ['fund', 'relayer.testnet', '1'])).output).toBe(
      'relayer.testnet has 1000009 NEAR.\n',
    );
    expect(await readFile(join(folder, '.latchkey/lock-key.json'), 'utf8')).toBe(lockKey);
    third.signal('SIGTERM');
    expect(await third.exit).toBe(0);

    const fresh = latchkeyDev(folder, [...args, '--fresh', '--same-origin']);
    await fresh.running;
    expect((await said(folder, ['fund', 'relayer.testnet', '1'])).output).toBe(
      'relayer.testnet has 1000001 NEAR.\n',
    );
    expect(await readFile(join(folder, '.latchkey/lock-key.json'), 'utf8')).not.toBe(lockKey);
    expect(await status(`${relayUrl(ports)}/readyz`)).toBe(200);
    await expect(fetch(`http://localhost:${ports.wallet}`)).rejects.toThrow('fetch failed');
    fresh.signal('SIGINT');
    expect(await fresh.exit).toBe(0);
  },
);

test(
  'two stacks run side by side, each with its command, whose variables and exit code pass through',
  LONG,
  async () => {
    const [oneFolder, otherFolder] = [await testFolder(), await testFolder()];
    const [one, other] = [await freePorts(), await freePorts()];
    const staying = 'console.log("up"); setInterval(() => undefined, 1000)';
    const stays = latchkeyDev(oneFolder, [...portOptions(one), '--', 'node', '-e', staying]);
    await stays.running;
    await expect.poll(stays.output).toContain('\nup\n');

    const names = ['RELAY_URL', 'VITE_WALLET_ORIGIN', 'NEXT_PUBLIC_NEAR_RPC_URL', 'CONTRACT_ID'];
    const script = `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name]))); process.exit(3)`;
    const ends = await said(otherFolder, [...portOptions(other), '--', 'node', '-e', script]);
    expect(ends.code).toBe(3);
    expect(ends.output).toContain(
      JSON.stringify([
        relayUrl(other),
        `http://wallet.localhost:${other.wallet}`,
        chainUrl(other),
        'w3a-v1.testnet',
      ]),
    );
    await expectNothingListens(other);
    const missing = await said(otherFolder, [...portOptions(other), '--', 'no-such-program']);
    expect(missing.code).toBe(127);
    expect(missing.output).toContain('no-such-program could not start (');

    expect(await status(`${relayUrl(one)}/readyz`)).toBe(200);
    stays.signal('SIGINT');
    expect(await stays.exit).toBe(143);
    await expectNothingListens(one);
  },
);

test('another chain gets the registry once, and its account pays', LONG, async () => {
  const chain = await startDevnet(['--no-registry', '--block-time', '100ms', '--fund', `${PAYER}=50`], []);
  try {
    const folder = await testFolder();
    const ports = await freePorts();
    const args = [...portOptions(ports), '--host', HOST, '--rpc', chain.url];
    const env = { LATCHKEY_KEY: `${PAYER}:${developmentKey(PAYER)}` };

    const wrongKey = await said(folder, [...args, '--key', `${PAYER}:${developmentKey('other.testnet')}`]);
    expect(wrongKey.code).toBe(1);
    expect(wrongKey.output).toMatch(
      /^The key is not a full-access key of dev\.testnet: its public key is ed25519:\w+\.\n$/,
    );
    const elsewhere = await said(folder, [...args, '--registry', 'registry.testnet'], env);
    expect(elsewhere.output).toBe(
      'There is no registry at registry.testnet, and dev.testnet cannot make one there. Name one below it: --registry registry.dev.testnet.\n',
    );

    const first = latchkeyDev(folder, args, env);
    await first.running;
    expect(first.output()).toContain('registry registry.dev.testnet, deployed now');
    expect(first.output()).toContain('pays from dev.testnet');
    expect(await status(`${relayUrl(ports)}/readyz`)).toBe(200);
    await expectWallet(ports);
    await expect(fetch(chainUrl(ports))).rejects.toThrow('fetch failed');
    const unnamed = await said(folder, ['fund', 'relayer.testnet', '1']);
    expect(unnamed.output).toMatch(/^The stack on \.latchkey uses http.*Name it and who pays: --rpc/);
    const paid = await said(folder, ['fund', 'relayer.testnet', '1', '--rpc', chain.url], env);
    expect(paid.output).toBe('relayer.testnet has 1000001 NEAR.\n');
    first.signal('SIGINT');
    expect(await first.exit).toBe(0);

    const second = latchkeyDev(folder, args, env);
    await second.running;
    expect(second.output()).toContain('registry registry.dev.testnet');
    expect(second.output()).not.toContain('deployed now');
    second.signal('SIGINT');
    expect(await second.exit).toBe(0);
  } finally {
    await chain.stop();
  }
});
