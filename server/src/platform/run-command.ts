import { messageOf } from 'latchkey/internal/server';
import type { Environment } from './environment.js';
import { assertNodeVersion } from './node-version.js';

/** The caller spelled the command wrong. */
export class UsageError extends Error {}

/**
 * Runs a command with this process's arguments and variables. An error goes to standard error: after a usage error, with
 * the usage and exit code 2; after another one, with exit code 1.
 */
export async function runCommand(
  command: (argv: readonly string[], env: Environment) => Promise<void>,
  usage: string,
): Promise<void> {
  try {
    assertNodeVersion();
    await command(process.argv.slice(2), process.env);
  } catch (error) {
    const isUsage = error instanceof UsageError || isOfParseArgs(error);
    console.error(isUsage ? `${messageOf(error)}\n\n${usage.trimEnd()}` : messageOf(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

function isOfParseArgs(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
