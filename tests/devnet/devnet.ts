// The local chain as a child process, for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { base58 } from '@scure/base';
import { KeyPair, type KeyPairString } from 'near-api-js';

const BINARY = fileURLToPath(new URL('../../target/debug/latchkey-devnet', import.meta.url));

export interface Devnet {
  url: string;
  stop(): Promise<void>;
}

/** Starts the binary on a free port with a data folder of its own. */
export async function startDevnet(options: string[]): Promise<Devnet> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-devnet-'));
  const child = spawn(BINARY, ['--port', '0', '--data', folder, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await address(child);
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
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

/** The development key of an account: the seed is SHA-256("latchkey-devnet:" + account id). */
export function developmentKey(accountId: string): KeyPair {
  const seed = createHash('sha256').update(`latchkey-devnet:${accountId}`).digest();
  return KeyPair.fromString(`ed25519:${base58.encode(seed)}` as KeyPairString);
}
