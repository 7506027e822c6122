import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How to start a service and detect that it is ready. */
export interface ServiceOptions {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Matches the ready line; its first group is the service's address. */
  ready: RegExp;
  readyTimeoutMs?: number;
  /** Gets every line that the service prints. */
  onLine?: (line: string, service: string) => void;
}

/** A child process that has printed its ready line. */
export interface Service {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Settles when the process has ended, requested or not; never rejects. */
  readonly ended: Promise<string>;
  /** Ends it by SIGTERM, after a grace period (default 5 s) by SIGKILL, and waits for its end. */
  stop(graceMs?: number): Promise<void>;
  /** Kills it (SIGKILL) and waits for its end. */
  kill(): Promise<void>;
}

const STOP_GRACE_MS = 5_000;
const KEPT_LINES = 20;

/** Starts a child process and waits for its ready line. Rejects with its last output if none appears. */
export function startService(options: ServiceOptions): Promise<Service> {
  const { name, ready, readyTimeoutMs = 30_000 } = options;
  // In its own process group: Ctrl-C then reaches only this process, which ends the children in order.
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = endOf(child, name);
  const killWithParent = () => void signal(child, 'SIGKILL');
  process.once('exit', killWithParent);
  void ended.then(() => process.off('exit', killWithParent));
  if (child.pid !== undefined) watch(child.pid);

  const kill = async () => {
    signal(child, 'SIGKILL');
    await ended;
  };
  const stop = async (graceMs = STOP_GRACE_MS) => {
    signal(child, 'SIGTERM');
    const timer = setTimeout(kill, graceMs);
    await ended;
    clearTimeout(timer);
  };

  return new Promise((resolve, reject) => {
    const kept: string[] = [];
    const fail = (reason: string) => {
      clearTimeout(timer);
      void stop();
      reject(new Error([reason, ...kept.map((line) => `  ${line}`)].join('\n')));
    };
    const timer = setTimeout(
      () => fail(`${name} was not ready after ${readyTimeoutMs / 1000} s. Its last output:`),
      readyTimeoutMs,
    );
    void ended.then((how) => fail(`${how} before it was ready. Its last output:`));

    const onLine = (line: string) => {
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      options.onLine?.(line, name);
      const url = ready.exec(line)?.[1];
      if (url === undefined || child.pid === undefined) return;
      clearTimeout(timer);
      resolve({ name, url, pid: child.pid, ended, stop, kill });
    };
    if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
    if (child.stderr) createInterface({ input: child.stderr }).on('line', onLine);
  });
}

/** Ends a process when this one dies by SIGKILL and cannot do it itself. */
export function watch(pid: number): void {
  const script =
    'while kill -0 "$1" 2>/dev/null; do kill -0 "$2" 2>/dev/null || exit 0; sleep 1; done; kill -KILL "$2"';
  const args = ['-c', script, 'watch', String(process.pid), String(pid)];
  const watcher = spawn('/bin/sh', args, { stdio: 'ignore', detached: true });
  // Without a shell, as on Windows, nothing watches.
  watcher.once('error', () => undefined);
  watcher.unref();
}

function endOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${name} could not start (${error.message})`));
    child.once('exit', (code, by) => resolve(`${name} ended (${by ? `signal ${by}` : `exit code ${code}`})`));
  });
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(name);
}
