/** A test's Redis: the machine's redis-server in a temporary folder, which a test may kill and start again. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const READY = /Ready to accept connections/;
const PASSWORD = 'the-redis-password-of-the-tests';

/** Where redis-server is; null where it cannot be run. In a CI that can install it, its absence is an error. */
export function redisServer(): string | null {
  const path = process.env.REDIS_SERVER_PATH ?? 'redis-server';
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' });
    return path;
  } catch (error) {
    if (process.env.CI)
      throw new Error('redis-server is missing, and scripts/setup.sh tests installs it', { cause: error });
    console.warn(
      'No redis-server here: the tests of relays that share a Redis are skipped. Install redis-server.',
    );
    return null;
  }
}

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Starts a Redis as docs/guides/scaling.mdx configures it, with further settings such as `['--appendonly', 'no']`. */
export async function startRedis(path: string, settings: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--requirepass', PASSWORD];
    const kept = [
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ];
    const child = spawn(path, [...args, ...kept, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    for await (const line of createInterface({ input: child.stdout })) {
      if (READY.test(line)) {
        child.stdout.resume();
        return;
      }
    }
    throw new Error(`redis-server ended with code ${child.exitCode}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    password: PASSWORD,
    start,
    kill: () => end('SIGKILL'),
    /** Stops it for a while without ending its connections. */
    pause: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
    async stop() {
      await end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
