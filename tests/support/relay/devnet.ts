/** Processes for the relay's tests: a separate local chain, and other children. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Service } from '../../../dev/services/service.js';
import { type ChainOptions, startChain } from '../../../dev/services/services.js';

export { developmentKey } from '../../../dev/services/keys.js';
export type Devnet = Service;

/** Blocks of 100 ms, and challenges of up to 1200 blocks of age: the two minutes of a real chain. */
export const startDevnet = (options: Partial<ChainOptions> = {}): Promise<Devnet> =>
  startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200, ...options });

/** Waits for a line of the child's output and returns the pattern's capture. */
export async function readLine(
  child: ChildProcess,
  pattern: RegExp,
  from: 'stdout' | 'stderr' = 'stdout',
): Promise<string> {
  const input = child[from];
  if (!input) throw new Error(`the child has no ${from}`);
  for await (const line of createInterface({ input })) {
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
