// The program after `--`: it has the terminal, the app's variables, and the stack for as long as it runs.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { watch } from '../services/service.js';

export interface Child {
  /** Its exit code, 128 and the number of the signal that ended it, or 127 with a sentence if it could not start. Never rejects. */
  readonly ended: Promise<{ readonly code: number; readonly problem?: string }>;
  /** Ends it and waits. */
  stop(): Promise<void>;
}

/** In a terminal, Ctrl-C has reached the program too; so it gets this long to end by itself. */
const OWN_END_MS = 500;
const GRACE_MS = 5_000;

/** Starts a program of the current folder's packages, or of the path. */
export function startChild(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  // Who pays on another chain is no matter of the app.
  const { LATCHKEY_KEY, PATH = '', ...ours } = process.env;
  const path = [join(process.cwd(), 'node_modules/.bin'), PATH].join(delimiter);
  // In a terminal it stays in the foreground's group, so that it can read; elsewhere it gets a group that ends as a whole.
  const isGroup = !process.stdin.isTTY && process.platform !== 'win32';
  const child = spawn(program, args, {
    env: { ...ours, PATH: path, ...env },
    stdio: 'inherit',
    detached: isGroup,
  });
  if (child.pid !== undefined) watch(child.pid);
  const ended = new Promise<{ code: number; problem?: string }>((done) => {
    child.once('error', (error) =>
      done({ code: 127, problem: `${program} could not start (${error.message}).` }),
    );
    child.once('exit', (code, by) => done({ code: code ?? 128 + (by ? constants.signals[by] : 0) }));
  });
  const send = (signal: NodeJS.Signals) => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(isGroup ? -pid : pid, signal);
    } catch {
      // It has ended.
    }
  };
  return {
    ended,
    async stop() {
      const timers = [
        setTimeout(send, process.stdin.isTTY ? OWN_END_MS : 0, 'SIGTERM' as const),
        setTimeout(send, OWN_END_MS + GRACE_MS, 'SIGKILL' as const),
      ];
      await ended;
      // What the program started may outlive it.
      if (isGroup) send('SIGTERM');
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
