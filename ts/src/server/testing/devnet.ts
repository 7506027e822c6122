/** A local chain of its own for a test: the built `latchkey-devnet` with the built registry. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { base58 } from '@scure/base';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Devnet {
  readonly url: string;
  stop(): Promise<void>;
}

/** Blocks of 100 ms, and challenges that may be 1200 of them old: the two minutes of a real chain. */
export async function startDevnet(): Promise<Devnet> {
  const args = [
    '--port',
    '0',
    '--registry',
    'build/registry.wasm',
    '--block-time',
    '100ms',
    '--max-block-age',
    '1200',
  ];
  const child = spawn('target/debug/latchkey-devnet', args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readLine(child, /^listening on (http:\S+)$/);
  return { url, stop: () => stopProcess(child) };
}

/** Waits for a line of the child's output and returns what the pattern captured. */
export async function readLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('the child has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const match = pattern.exec(line);
    if (match) return match[1] ?? line;
  }
  throw new Error(`the process ended without the line ${pattern}`);
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The development key of a genesis account, as `ed25519:` and base58 of seed32 || pub32. */
export function developmentKey(accountId: string): string {
  const seed = createHash('sha256').update(`latchkey-devnet:${accountId}`).digest();
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const spki = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  const publicKey = spki.export({ format: 'der', type: 'spki' }).subarray(-32);
  return `ed25519:${base58.encode(Uint8Array.from([...seed, ...publicKey]))}`;
}
