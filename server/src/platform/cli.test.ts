/** The command `latchkey-relay`, as a process. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import { runRelayProcess, spawnRelay } from '../../../tests/support/relay/relay-process.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import { temporaryFolder } from '../testing/temporary-folder.js';

const RELAYER = 'relayer.testnet';

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawnRelay(env, args);
  const out: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)));
  const [code] = await once(child, 'close');
  return { code, out: out.join(''), errors: child.errors() };
}

describe('latchkey-relay', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const environment = {
    RELAYER_ACCOUNT_ID: RELAYER,
    RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
    EXPECTED_ORIGIN: 'http://localhost:5173',
    SHAMIR_KEY_FILE: folder.file('lock.json'),
  };

  it.each([['--help'], ['add-keys', '-h'], ['help']])('prints its usage: %s', async (...args) => {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    for (const command of ['serve', 'status', 'add-keys', 'rotate-lock-key', 'lock-keys', 'drop-lock-key']) {
      expect(out).toContain(`\n  ${command} `);
    }
  });

  it.each([
    [['fly'], 'there is no command fly'],
    [['constructor'], 'there is no command constructor'],
    [['add-keys'], 'one number from 1 to 64'],
    [['add-keys', '65'], 'one number from 1 to 64'],
    [['add-keys', '2', '3'], 'one number from 1 to 64'],
    [['add-keys', '2', '--keep'], '--keep'],
    [['drop-lock-key'], 'the id of one key'],
  ])('%s is a usage error', async (args, message) => {
    const { code, out, errors } = await run(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(errors).toContain(message);
    expect(errors).toContain('Usage: latchkey-relay');
  });

  it('names the missing variables of a command', async () => {
    const { code, errors } = await run(['add-keys', '1'], { RELAYER_PRIVATE_KEY: 'ed25519:short' });
    expect(code).toBe(1);
    expect(errors).toContain('RELAYER_ACCOUNT_ID: is missing');
    expect(errors).toContain('RELAYER_PRIVATE_KEY: must be');
    expect(errors).not.toContain('short');
  });

  it('adds access keys, and prints private ones only on request', async () => {
    const chain = await startChain({ port: 0, blockTimeMs: 100 });
    try {
      const env = { ...environment, NEAR_RPC_URL: chain.url };
      const path = folder.file('keys.env');
      const quiet = await run(['add-keys', '2', '--file', path], env);
      expect(quiet).toMatchObject({ code: 0, out: '' });
      expect(quiet.errors).toContain(`${RELAYER} has 2 more access keys`);
      expect(quiet.errors).toContain('NEAR lets no function-call key\nattach a deposit');
      const value = /^RELAYER_PRIVATE_KEY=(.+)$/m.exec(await readFile(path, 'utf8'))?.[1] ?? '';
      expect(value.split(',')).toHaveLength(3);
      for (const key of value.split(',')) expect(quiet.errors).not.toContain(key.slice('ed25519:'.length));

      const shown = await run(['add-keys', '1', '--file', path, '--print'], env);
      expect(shown.code).toBe(0);
      const printed = shown.out.trim().split(',');
      expect(printed.slice(0, 3)).toEqual(value.split(','));
      const { keys } = await createRpcClient({ urls: chain.url }).viewAccessKeyList(RELAYER);
      expect(keys).toHaveLength(printed.length);
    } finally {
      await chain.stop();
    }
  });

  it('rotates the lock key of a running relay, which still opens what the former key locked', async () => {
    const relay = await runRelayProcess(environment);
    try {
      const post = async (path: string, body: unknown) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(relay.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        const answer = (await response.json()) as { keyId?: string; kek_cs_b64u?: string };
        return { status: response.status, ...answer };
      };
      const keyInfo = async () =>
        (await (await fetch(`${relay.url}/shamir/key-info`)).json()) as {
          currentKeyId: string;
          graceKeyIds: string[];
        };
      const { currentKeyId: first } = await keyInfo();
      const number = 'Cw';
      const locked = await post('/vrf/apply-server-lock', { kek_c_b64u: number });
      expect(locked.keyId).toBe(first);

      const rotated = await run(['rotate-lock-key'], environment);
      expect(rotated).toMatchObject({ code: 0, errors: '' });
      const second = /key is (\S+) now/.exec(rotated.out)?.[1];
      expect(rotated.out).toContain(`${first} still opens`);
      await vi.waitUntil(async () => (await keyInfo()).currentKeyId === second, { timeout: 60_000 });
      expect((await keyInfo()).graceKeyIds).toEqual([first]);
      const health = (await (await fetch(`${relay.url}/healthz`)).json()) as { currentKeyId: string };
      expect(health.currentKeyId).toBe(second);
      expect((await post('/vrf/apply-server-lock', { kek_c_b64u: number })).keyId).toBe(second);

      const opening = { kek_cs_b64u: locked.kek_cs_b64u, keyId: first };
      expect(await post('/vrf/remove-server-lock', opening)).toMatchObject({
        status: 200,
        kek_c_b64u: number,
      });

      const listed = await run(['lock-keys'], environment);
      expect(listed.out).toMatch(new RegExp(`^${second}  current, .*\n${first}  in grace, `));
      const stored = JSON.parse(await readFile(environment.SHAMIR_KEY_FILE, 'utf8'));
      for (const text of [rotated.out, listed.out, relay.errors()]) {
        expect(text).not.toContain(stored.current.d_s_b64u.slice(0, 16));
        expect(text).not.toContain(stored.grace[0].e_s_b64u.slice(0, 16));
      }

      expect(await run(['drop-lock-key', first], environment)).toMatchObject({ code: 0 });
      await vi.waitUntil(async () => (await keyInfo()).graceKeyIds.length === 0, { timeout: 60_000 });
      expect(await post('/vrf/remove-server-lock', opening)).toMatchObject({
        status: 400,
        error: 'unknown_key_id',
      });
    } finally {
      await relay.kill();
    }
  });
});
