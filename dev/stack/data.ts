// What a stack keeps in its data folder: the record of the one that runs there, which is its lock, and its services' lines.

import { execFileSync } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The running stack of a data folder, as `stack.json` has it. */
export interface StackRecord {
  readonly pid: number;
  /** When the process with this pid began, as the system says: another process may get its pid later. */
  readonly began: string;
  readonly startedAt: string;
  /** The processes of the services that run. */
  readonly pids: readonly number[];
  /** The chain's address; absent until it runs. */
  readonly rpcUrl?: string;
  /** Whether the stack started this chain, whose accounts have development keys. */
  readonly isLocalChain?: boolean;
}

const RECORD = 'stack.json';
const LOGS = 'logs';
/** A chain whose stack was killed ends within moments. */
const LEFT_OVER_MS = 5_000;
const POLL_MS = 100;

/** The stack that runs on a data folder; null if none does, also if one was killed. */
export async function runningStack(data: string): Promise<StackRecord | null> {
  const record = await readRecord(join(data, RECORD));
  return record && isAlive(record) ? record : null;
}

/** A lock on a data folder. */
export interface DataLock {
  /** Writes down more of the stack. */
  note(more: Partial<StackRecord>): Promise<void>;
  release(): Promise<void>;
}

/** Makes the folder and takes it for this process. Throws one sentence while another stack runs there. */
export async function lockData(data: string): Promise<DataLock> {
  const made = await mkdir(data, { recursive: true });
  // A new folder stays out of its project's Git.
  if (made !== undefined) await writeFile(join(data, '.gitignore'), '*\n');
  const file = join(data, RECORD);
  const mine = `${file}.${process.pid}`;
  let record: StackRecord = {
    pid: process.pid,
    began: beganAt(process.pid),
    startedAt: new Date().toISOString(),
    pids: [],
  };
  await writeFile(mine, JSON.stringify(record));
  try {
    if (!(await isLinked(mine, file))) {
      await takeFromDead(data, `${mine}.old`);
      if (!(await isLinked(mine, file))) throw new Error(takenBy(data, await readRecord(file)));
    }
  } finally {
    await rm(mine, { force: true });
  }
  return {
    async note(more) {
      record = { ...record, ...more };
      await writeFile(mine, JSON.stringify(record));
      await rename(mine, file);
    },
    release: () => rm(file, { force: true }),
  };
}

/** Gives a file a second name, unless another file has it: of two processes at the same time, one succeeds. */
const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );

/** Moves the record of a killed stack aside, also one that is not whole. Throws if the stack runs. */
async function takeFromDead(data: string, aside: string): Promise<void> {
  const file = join(data, RECORD);
  const before = await readRecord(file);
  if (before && isAlive(before)) throw new Error(takenBy(data, before));
  if (before) await waitForEnds(before.pids);
  await rename(file, aside).catch(ignoreAbsent);
  // Another process may have taken the folder since.
  const moved = await readRecord(aside);
  if (moved && isAlive(moved)) await link(aside, file);
  await rm(aside, { force: true });
}

const ignoreAbsent = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

const takenBy = (data: string, by: StackRecord | null): string =>
  `Another stack runs on ${data}${by ? ` (process ${by.pid}, since ${by.startedAt})` : ''}. Stop it, or give this one ` +
  'another folder and other ports: --data DIR.';

async function readRecord(file: string): Promise<StackRecord | null> {
  try {
    const record: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(record) ? record : null;
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Not so if another program wrote the file. */
const isRecord = (value: unknown): value is StackRecord =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  typeof value.pid === 'number' &&
  'pids' in value &&
  Array.isArray(value.pids);

const isAlive = ({ pid, began }: StackRecord): boolean => isRunning(pid) && beganAt(pid) === began;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began: of /proc on Linux, in ticks since the boot; of ps elsewhere. Empty where neither says. */
function beganAt(pid: number): string {
  try {
    // Its second field, the program's name in brackets, may hold spaces.
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[20] ?? '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

async function waitForEnds(pids: readonly number[]): Promise<void> {
  for (const deadline = Date.now() + LEFT_OVER_MS; Date.now() < deadline && pids.some(isRunning); )
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** The services that write lines. */
export const SERVICES = ['chain', 'relay', 'wallet'] as const;

/** The file of a service's lines. */
export const logFile = (data: string, service: string): string => join(data, LOGS, `${service}.log`);

/** Writes each service's lines to its file, each after its time; files of the last stack are replaced. */
export async function openLogs(
  data: string,
): Promise<{ write(line: string, service: string): void; close(): Promise<void> }> {
  await mkdir(join(data, LOGS), { recursive: true });
  const streams = new Map(
    SERVICES.map((service) => [service as string, createWriteStream(logFile(data, service))]),
  );
  return {
    write: (line, service) => void streams.get(service)?.write(`${new Date().toISOString()} ${line}\n`),
    close: async () => {
      await Promise.all([...streams.values()].map((stream) => new Promise((done) => stream.end(done))));
    },
  };
}
