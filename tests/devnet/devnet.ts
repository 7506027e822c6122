// The local chain as a child process, for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { KeyPair } from 'near-api-js';
import { developmentKey as secretKeyOf } from '../../demo/stack/keys.js';

export const BINARY = fileURLToPath(new URL('../../target/debug/latchkey-devnet', import.meta.url));

export interface Devnet {
  url: string;
  stop(): Promise<void>;
}

/** A chain of which nobody has waited yet until it listens. */
export interface LaunchedDevnet {
  /** Its address, as soon as it listens; fails if it ends before. */
  listening(): Promise<string>;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const running = new Set<ChildProcess>();
// A test that failed half-way leaves nothing behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the binary on a free port. */
export function launchDevnet(options: string[]): LaunchedDevnet {
  const child = spawn(BINARY, ['--port', '0', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      running.delete(child);
      resolve();
    });
    child.once('error', reject);
  });
  // Who waits for it hears of the failure; nobody else needs to.
  ended.catch(() => undefined);
  return {
    listening: () => address(child),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** Starts the binary on a free port with a data folder of its own. */
export async function startDevnet(options: string[]): Promise<Devnet> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-devnet-'));
  const launched = launchDevnet(['--data', folder, ...options]);
  return {
    url: await launched.listening(),
    async stop() {
      await launched.end('SIGTERM');
      await rm(folder, { recursive: true });
    },
  };
}

async function address(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) {
    const found = /^listening on (http:\S+)$/.exec(line)?.[1];
    if (found) return found;
  }
  throw new Error('the chain ended before it was listening');
}

/** The development key of an account, for near-api-js. */
export function developmentKey(accountId: string): KeyPair {
  return KeyPair.fromString(secretKeyOf(accountId));
}
