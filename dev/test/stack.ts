/** A stack for a run of tests: at free ports, in a folder of its own, gone with its end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_HOSTS } from '../command/options.js';
import { type Stack, type StackAddresses, type StackOptions, startStack as start } from '../stack/stack.js';

const FREE_PORTS = { relay: 0, chain: 0, wallet: 0 } as const;

/**
 * Starts a stack for tests, whose options are those of `latchkey-dev` with other defaults: the hosts of the command, free
 * ports, and a new folder among the system's temporary ones, which `stop` removes. A folder named by `data` stays, and
 * so does its chain without `fresh: true`.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'latchkey-test-')));
  const forget = async () => {
    if (options.data === undefined) await rm(data, { recursive: true, force: true });
  };
  try {
    const stack = await start({
      hosts: DEFAULT_HOSTS,
      ...options,
      data,
      ports: { ...FREE_PORTS, ...options.ports },
    });
    const stop = async () => {
      await stack.stop();
      await forget();
    };
    return { ...stack, stop };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** What a Vitest project has for its global setup. Playwright's configuration has no `provide`. */
export interface TestRunner {
  readonly provide?: unknown;
}

/** Starts what the tests need, and returns what ends it. */
export type GlobalSetup = (runner?: TestRunner) => Promise<() => Promise<void>>;

/**
 * Makes the global setup of Vitest or of Playwright: it starts a stack before the tests, sets the app's variables in
 * `process.env`, and stops the stack after them. In Vitest, `inject('latchkey')` also has the stack's addresses, which
 * reach tests in a browser.
 */
export const stackSetup =
  (options: StackOptions = {}): GlobalSetup =>
  async (runner) => {
    const stack = await startStack(options);
    Object.assign(process.env, stack.env);
    provideAddresses(runner, stack.addresses);
    return stack.stop;
  };

/** Vitest types the names of `provide` by a declaration in the tests' project. */
function provideAddresses(runner: TestRunner | undefined, addresses: StackAddresses): void {
  if (typeof runner?.provide === 'function') runner.provide('latchkey', addresses);
}
