// The local chain as a child process, for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { KeyPair } from 'near-api-js';
import { developmentKey as secretKeyOf } from '../../dev/services/keys.js';

export const BINARY = fileURLToPath(new URL('../../target/debug/latchkey-devnet', import.meta.url));

/** One kind node. */
const SIMPLE: readonly string[] = ['--simple'];

export interface Devnet {
  url: string;
  stop(): Promise<void>;
}

/** A chain that may not be listening yet. */
export interface LaunchedDevnet {
  /** Resolves to its address once it listens; rejects if it exits before. */
  listening(): Promise<string>;
  /** Sends a signal and waits for the exit. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const running = new Set<ChildProcess>();
// A test that fails half-way must not leave a process behind.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the binary on a free port, with nodes that behave as `network` says. */
export function launchDevnet(options: string[], network = SIMPLE): LaunchedDevnet {
  const child = spawn(BINARY, ['--port', '0', ...network, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => {
      running.delete(child);
      resolve();
    });
    child.once('error', reject);
  });
  // Callers that await it see the failure; without one it must not become an unhandled rejection.
  ended.catch(() => undefined);
  return {
    listening: () => address(child),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** Starts the binary on a free port with its own data folder. */
export async function startDevnet(options: string[], network = SIMPLE): Promise<Devnet> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-devnet-'));
  const launched = launchDevnet(['--data', folder, ...options], network);
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
  throw new Error('the chain exited before it listened');
}

/** The development key of an account, for near-api-js. */
export function developmentKey(accountId: string): KeyPair {
  return KeyPair.fromString(secretKeyOf(accountId));
}
