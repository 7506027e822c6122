/** The command `latchkey-wallet`, as a process, with the built wallet page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = fileURLToPath(new URL('./cli.ts', import.meta.url));
const HOST = 'https://app.example';
const SETTINGS = {
  RELAY_URL: 'https://relay.example',
  ALLOWED_HOSTS: `${HOST}, https://shop.example`,
  PORT: '0',
};

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(args, env);
  const said = { out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

async function addressOf({ stdout }: { stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const url = /^wallet listening on (http:\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('it does not listen');
}

describe('latchkey-wallet (frame 2)', { timeout: 60_000 }, () => {
  it('serves the page to the hosts of its variables with their headers, and ends at SIGTERM', async () => {
    const child = start([], { ...SETTINGS, CROSS_ORIGIN: 'isolated' });
    const url = await addressOf(child);
    const page = await fetch(`${url}/wallet-service/?host=${encodeURIComponent(HOST)}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${HOST}`);
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(await page.text()).toContain('https://relay.example');
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('prints its usage, with every variable', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const name of Object.keys(SETTINGS)) expect(out).toContain(name);
  });

  it.each<[what: string, env: Readonly<Record<string, string>>, message: string]>([
    ['no variables', {}, 'cannot start without RELAY_URL and ALLOWED_HOSTS.'],
    ['no host', { ...SETTINGS, ALLOWED_HOSTS: ' , ' }, 'cannot start without ALLOWED_HOSTS.'],
    ['a host that is no origin', { ...SETTINGS, ALLOWED_HOSTS: 'app.example' }, 'allowedHosts'],
    ['a port that is none', { ...SETTINGS, PORT: 'x' }, 'PORT must be a whole number from 0 to 65535'],
    ['an unknown preset', { ...SETTINGS, CROSS_ORIGIN: 'open' }, 'none, popup-friendly, isolated, not open'],
  ])('ends with a sentence: %s', async (_, env, message) => {
    const { code, out, errors } = await run([], env);
    expect(errors).toContain(message);
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  it('takes no arguments', async () => {
    const { code, errors } = await run(['serve'], SETTINGS);
    expect(code).toBe(2);
    expect(errors).toContain('Usage: latchkey-wallet');
  });
});
