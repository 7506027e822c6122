/** The relay as a separate process, run by the command `latchkey-relay`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readLine } from './devnet.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../../server/src/platform/cli.ts', import.meta.url));
const LISTENING = /^relay listening on (http:\/\/127\.0\.0\.1:\d+)$/;

export type RelayProcess = Awaited<ReturnType<typeof runRelayProcess>>;

/** Starts the command with these arguments and only this environment, plus PATH and test defaults. */
export function spawnRelay(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', NEAR_RPC_URL: 'http://127.0.0.1:9', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(String(chunk)));
  return Object.assign(child, { errors: () => errors.join('') });
}

/** Starts a relay and resolves once it listens. */
export async function runRelayProcess(env: Readonly<Record<string, string>>) {
  const child = spawnRelay(env);
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const url = await readLine(child, LISTENING).catch((error: unknown) => {
    throw new Error(`${String(error)}:\n${child.errors()}`);
  });
  return {
    url,
    /** Its exit code and signal. */
    ended,
    exit: () => child.exitCode,
    /** Its output on standard error. */
    errors: child.errors,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
