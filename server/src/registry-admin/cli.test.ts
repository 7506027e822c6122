/** The command `latchkey-registry`, as a process, on a real local chain. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAGGING_NODES, REGISTRY } from '../../../dev/services/services.js';
import { localOracle } from '../../../tests/support/oracle.js';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import { temporaryFolder } from '../testing/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = fileURLToPath(new URL('./cli.ts', import.meta.url));
const APP = 'https://app.example';
const SHOP = 'https://shop.example';
const ELEVEN = Array.from({ length: 11 }, (_, at) => `https://${at}.example`);
const OWNER = { REGISTRY_ADMIN_ID: REGISTRY, REGISTRY_ADMIN_PRIVATE_KEY: developmentKey(REGISTRY) };

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk));
  const [code] = await once(child, 'close');
  // No output of any run may hold a key.
  for (const key of [env.REGISTRY_ADMIN_PRIVATE_KEY, developmentKey(REGISTRY)]) {
    if (key) expect(said.out + said.errors).not.toContain(key.slice('ed25519:'.length));
  }
  return { code, ...said };
}

describe('latchkey-registry (frame 8)', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();

  it.each([['--help'], ['hosts', '-h'], ['help']])('prints its usage: %s', async (...args) => {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    for (const command of ['hosts list', 'hosts add', 'hosts remove'])
      expect(out).toContain(`\n  ${command} `);
  });

  it.each<[what: string, args: readonly string[], message: string]>([
    ['no command', [], 'name a command'],
    ['an unknown command', ['origins', 'list'], 'there is no command origins'],
    ['no task', ['hosts'], 'hosts takes list, add or remove'],
    ['no origin', ['hosts', 'add'], 'takes 1 to 10 origins'],
    ['eleven origins', ['hosts', 'add', ...ELEVEN], 'takes 1 to 10 origins'],
    ['a path', ['hosts', 'add', `${APP}/path`], 'not an origin'],
    ['an unknown option', ['hosts', 'add', APP, '--key', 'x'], '--key'],
  ])('%s is a usage error', async (_, args, message) => {
    const { code, out, errors } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(errors).toContain(message);
    expect(errors).toContain('Usage: latchkey-registry');
  });

  it('names the setting that is missing or wrong, and quotes no key', async () => {
    const add = ['hosts', 'add', APP];
    expect((await run(add)).errors).toContain('--registry, or WEBAUTHN_CONTRACT_ID, is missing');
    const at = [...add, '--registry', REGISTRY, '--rpc', 'http://127.0.0.1:9'];
    expect((await run(at)).errors).toContain('REGISTRY_ADMIN_ID is missing');
    const short = { REGISTRY_ADMIN_ID: REGISTRY, REGISTRY_ADMIN_PRIVATE_KEY: 'ed25519:tooshort' };
    expect((await run(at, short)).errors).toContain('REGISTRY_ADMIN_PRIVATE_KEY must be one or several keys');
    const path = folder.file('credentials.json');
    await writeFile(path, '{"account_id":"x.testnet","private_key":"ed25519:hidden",');
    const broken = await run([...at, '--credentials', path]);
    expect(broken.code).toBe(1);
    expect(broken.errors).toContain('is no credentials file');
    expect(broken.errors).not.toContain('hidden');
  });

  describe('on a chain', () => {
    let chain: Devnet;
    beforeAll(async () => {
      chain = await startDevnet({ network: LAGGING_NODES });
    });
    afterAll(() => chain.stop());

    const hosts = (args: readonly string[], env: Readonly<Record<string, string>> = OWNER) =>
      run(['hosts', ...args, '--registry', REGISTRY, '--rpc', chain.url], env);

    it('adds and removes hosts although nodes lag, says when the list starts and ends to decide, and repeats nothing', async () => {
      expect(await hosts(['list'], {})).toEqual({ code: 0, out: '', errors: '' });

      const added = await hosts(['add', 'https://App.example:443', SHOP]);
      expect(added).toMatchObject({ code: 0, errors: expect.stringContaining('refuses every other host') });
      expect(added.out).toMatch(
        /^Added https:\/\/app\.example\nAdded https:\/\/shop\.example\nTransaction \w{40,}\./,
      );
      expect(await hosts(['list'], {})).toMatchObject({ out: `${APP}\n${SHOP}\n` });

      const again = await hosts(['add', APP]);
      expect(again).toEqual({ code: 0, out: `${APP} is listed already\n`, errors: '' });

      const path = folder.file('owner.json');
      const file = { account_id: REGISTRY, public_key: 'ed25519:x', private_key: developmentKey(REGISTRY) };
      await writeFile(path, JSON.stringify(file));
      const removed = await hosts(['remove', APP, 'https://never.example', '--credentials', path], {});
      expect(removed).toMatchObject({ code: 0, errors: '' });
      expect(removed.out).toContain(`Removed ${APP}\nhttps://never.example is not listed\nTransaction `);
      const last = await hosts(['remove', SHOP]);
      expect(last.errors).toContain('is empty now: the operators of wallets alone decide');
      expect(await hosts(['list'], {})).toMatchObject({ out: '' });
    });

    it('refuses before any transaction an account without rights, and a key that cannot attach a deposit', async () => {
      const stranger = {
        REGISTRY_ADMIN_ID: 'relayer.testnet',
        REGISTRY_ADMIN_PRIVATE_KEY: developmentKey('relayer.testnet'),
      };
      const balance = () => localOracle(chain.url).balance('relayer.testnet');
      const before = await balance();
      const refused = await hosts(['add', APP], stranger);
      expect(refused.code).toBe(1);
      expect(refused.errors).toContain(
        `relayer.testnet is no admin of ${REGISTRY}. Its owner is ${REGISTRY}`,
      );
      expect(await balance()).toBe(before);

      const foreign = { ...OWNER, REGISTRY_ADMIN_PRIVATE_KEY: developmentKey('relayer.testnet') };
      const keyless = await hosts(['add', APP], foreign);
      expect(keyless.code).toBe(1);
      expect(keyless.errors).toMatch(/the key ed25519:\w+ of \S+ is not on it\. Use a full-access key/);
    });

    it('names a contract that is no registry', async () => {
      const { code, errors } = await run([
        'hosts',
        'list',
        '--registry',
        'relayer.testnet',
        '--rpc',
        chain.url,
      ]);
      expect(code).toBe(1);
      expect(errors).toContain('relayer.testnet is not a registry that this wallet can use');
    });
  });
});
