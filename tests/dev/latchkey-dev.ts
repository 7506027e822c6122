/** The command `latchkey-dev` as a child process, from its sources, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from '../../dev/services/ports.js';
import { ROOT } from '../../dev/services/services.js';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const RUNNING_TIMEOUT_MS = 60_000;

export interface Run {
  readonly pid: number;
  output(): string;
  /** Resolves when the command has printed its table; rejects with its output if it ends before. */
  readonly running: Promise<void>;
  readonly exit: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

export interface Ports {
  readonly relay: number;
  readonly wallet: number;
  readonly chain: number;
}

export const freePorts = async (): Promise<Ports> => ({
  relay: await freePort(),
  wallet: await freePort(),
  chain: await freePort(),
});

export const portOptions = ({ relay, wallet, chain }: Ports): string[] => [
  `--relay-port=${relay}`,
  `--wallet-port=${wallet}`,
  `--chain-port=${chain}`,
];

/** A folder that a test's end removes. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-dev-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command in a folder. A test's end kills what is left of it. */
export function latchkeyDev(cwd: string, args: readonly string[], env: Record<string, string> = {}): Run {
  const command = ['--import', TSX, join(ROOT, 'dev/command/cli.ts'), ...args];
  const child: ChildProcess = spawn(process.execPath, command, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exit = new Promise<number | null>((done) => child.once('close', done));
  const running = new Promise<void>((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no table: ${output}`)), RUNNING_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C ends all of it')) done();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exit.then(() => {
      clearTimeout(timer);
      fail(new Error(`ended: ${output}`));
    });
  });
  running.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    running,
    exit,
    signal: (name) => void child.kill(name),
  };
}

/** Runs the command to its end. */
export async function said(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const run = latchkeyDev(cwd, args, env);
  const code = await run.exit;
  return { code, output: run.output() };
}
