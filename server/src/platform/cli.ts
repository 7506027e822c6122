#!/usr/bin/env node
/** The command `latchkey-relay`: runs a relay, and performs its operator's tasks. */
import { parseArgs } from 'node:util';
import { createRpcClient } from 'latchkey/internal/server';
import { dropGraceKey, readLockKeyFile, rotateLockKeyFile } from '../lock/lock-key-file.js';
import { addAccessKeys, MAX_NEW_KEYS } from '../relayer/access-keys.js';
import { readLockFileConfig } from './config.js';
import type { Environment } from './environment.js';
import { runRelay } from './node.js';
import { readRelayerAccount } from './relay-settings.js';
import { runCommand, UsageError } from './run-command.js';
import { askStatus, describeStatus, readStatusTarget } from './status-command.js';
import { loadRelayModule, makeLockKey } from './wasm.js';

const USAGE = `Usage: latchkey-relay [command]

Commands
  serve                Runs the relay (the default).
  status               Prints the relayer's balance, the cost of an account, and what is left today. Asks the relay that
                       runs with this environment: it needs the relay's METRICS_TOKEN.
      --url URL        Asks the relay at this address. Default: http://HOST:PORT
  add-keys N           Adds N access keys (1 to ${MAX_NEW_KEYS}) to the relayer's account, for parallel relays.
      --file PATH      File for all its keys, readable only by its owner. Default: relayer-keys.env
      --print          Also prints the new RELAYER_PRIVATE_KEY on standard output.
  rotate-lock-key      Writes a new lock key to SHAMIR_KEY_FILE, durably. The former one still opens, for LOCK_GRACE_DAYS.
                       Running relays that use the file adopt it within seconds.
  lock-keys            Lists the lock keys in SHAMIR_KEY_FILE by their ids.
  drop-lock-key ID     Drops a former lock key before its grace ends, because someone may know it. Users still locked
                       with it log in with the passkey the next time.

Options
  -h, --help           Prints this text.

Environment variables configure all commands: see the README of demo/relay-node.
`;

type Command = (args: readonly string[], env: Environment) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  async serve(args, env) {
    parseArgs({ args: [...args], options: {} });
    await runRelay(env);
  },

  async status(args, env) {
    const { values } = parseArgs({ args: [...args], options: { url: { type: 'string' } } });
    console.log(describeStatus(await askStatus(readStatusTarget(env, values.url))));
  },

  async 'add-keys'(args, env) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        file: { type: 'string', default: 'relayer-keys.env' },
        print: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [count, ...rest] = positionals;
    if (
      !/^\d{1,3}$/.test(count ?? '') ||
      Number(count) < 1 ||
      Number(count) > MAX_NEW_KEYS ||
      rest.length > 0
    ) {
      throw new UsageError(`add-keys takes one number from 1 to ${MAX_NEW_KEYS}`);
    }
    const account = readRelayerAccount(env);
    await loadRelayModule();
    const { publicKeys, isResumed, privateKeys } = await addAccessKeys({
      rpc: createRpcClient({ urls: account.rpcUrls, agreement: account.rpcAgreement }),
      account,
      count: Number(count),
      path: values.file,
    });
    if (isResumed) console.error('An earlier run did not finish: this run used its keys and made no others.');
    console.error(`${account.accountId} has ${publicKeys.length} more access keys:`);
    for (const key of publicKeys) console.error(`  ${key}`);
    console.error(
      'They have full access: a registration attaches the new account’s balance, and NEAR lets no function-call key\n' +
        'attach a deposit. Keep no more on the account than the relay is to spend.\n' +
        `All its private keys are in ${values.file}. Start the relay with them: node --env-file=${values.file} …`,
    );
    if (values.print) console.log(privateKeys.reveal());
  },

  async 'rotate-lock-key'(args, env) {
    parseArgs({ args: [...args], options: {} });
    const { path, group, graceDays } = readLockFileConfig(env);
    const { current, grace } = await rotateLockKeyFile(path, group, { makeKey: makeLockKey, graceDays });
    console.log(
      `The lock's key is ${current.keyId} now. ${grace[0]?.keyId} still opens, for ${graceDays} days.`,
    );
  },

  async 'lock-keys'(args, env) {
    parseArgs({ args: [...args], options: {} });
    const { path, group } = readLockFileConfig(env);
    const { current, madeAtMs, grace } = await readLockKeyFile(path, group);
    console.log(`${current.keyId}  current, made ${day(madeAtMs)}`);
    for (const { keyId, retiredAtMs } of grace)
      console.log(`${keyId}  in grace, retired ${day(retiredAtMs)}`);
  },

  async 'drop-lock-key'(args, env) {
    // An id may start with a dash.
    const { positionals } = parseArgs({ args: ['--', ...args], options: {}, allowPositionals: true });
    const [keyId, ...rest] = positionals;
    if (keyId === undefined || rest.length > 0) throw new UsageError('drop-lock-key takes the id of one key');
    const { path, group } = readLockFileConfig(env);
    await dropGraceKey(path, group, keyId);
    console.log(`${keyId} opens no more.`);
  },
};

function day(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

async function main([name = 'serve', ...args]: readonly string[], env: Environment): Promise<void> {
  const asksHow = [name, ...args].some((arg) => arg === '-h' || arg === '--help');
  if (asksHow || name === 'help') return void console.log(USAGE.trimEnd());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`there is no command ${name}`);
  await command(args, env);
}

await runCommand(main, USAGE);
