#!/usr/bin/env node
/** The command `latchkey-registry`: performs the tasks of a registry's admin. */
import { parseArgs } from 'node:util';
import { canonicalOrigin } from 'latchkey/internal/server';
import type { Environment } from '../platform/environment.js';
import { runCommand, UsageError } from '../platform/run-command.js';
import { loadRelayModule } from '../platform/wasm.js';
import { readAdmin, readRegistry } from './admin.js';
import { changeHosts, listHosts, MAX_HOSTS } from './hosts.js';

const USAGE = `Usage: latchkey-registry hosts list|add|remove [origin ...] --registry ID

Commands
  hosts list              Prints the hosts that may embed the wallet, one per line.
  hosts add ORIGIN ...    Adds up to ${MAX_HOSTS} hosts in one transaction. While the list is empty, the wallet's operator alone
                          decides; the first host makes the registry refuse the pages of all others.
  hosts remove ORIGIN ... Removes hosts in the same way.

Options
  --registry ID           The registry's account. Default: WEBAUTHN_CONTRACT_ID.
  --rpc URLS              The chain's nodes, separated by commas. Default: NEAR_RPC_URL, else two providers of testnet.
  --credentials FILE      The admin's key as near-cli stores it: JSON with account_id and private_key. Without it, the
                          variables REGISTRY_ADMIN_ID and REGISTRY_ADMIN_PRIVATE_KEY name it. A full-access key: each
                          change attaches 1 yoctoNEAR, which an app key cannot.
  -h, --help              Prints this text.
`;

const OPTIONS = {
  registry: { type: 'string' },
  rpc: { type: 'string' },
  credentials: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(argv: readonly string[], env: Environment): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  if (values.help || positionals[0] === 'help') return void console.log(USAGE.trimEnd());
  const [topic, task, ...texts] = positionals;
  if (topic !== 'hosts') throw new UsageError(topic ? `there is no command ${topic}` : 'name a command');
  if (task === 'list') {
    if (texts.length > 0) throw new UsageError('hosts list takes no origin');
    return void (await listHosts(readRegistry(values, env))).forEach((host) => void console.log(host));
  }
  if (task !== 'add' && task !== 'remove') throw new UsageError('hosts takes list, add or remove');

  const origins = [...new Set(texts.map(readOrigin))];
  if (origins.length < 1 || origins.length > MAX_HOSTS)
    throw new UsageError(`hosts ${task} takes 1 to ${MAX_HOSTS} origins`);
  const at = readRegistry(values, env);
  const admin = await readAdmin(values.credentials, env);
  await loadRelayModule();
  const { changed, transactionId, before, after } = await changeHosts(at, admin, task, origins);
  const { contractId } = at.config;
  for (const origin of origins) {
    if (changed.includes(origin)) console.log(`${task === 'add' ? 'Added' : 'Removed'} ${origin}`);
    else console.log(`${origin} ${task === 'add' ? 'is listed already' : 'is not listed'}`);
  }
  if (transactionId === null) return;
  console.log(`Transaction ${transactionId}. Wallets read the list again within a minute.`);
  if (before.length === 0) {
    console.error(
      `The list of ${contractId} was empty. Now it decides: ${contractId} refuses every other host.`,
    );
  }
  if (after.length === 0) {
    console.error(
      `The list of ${contractId} is empty now: the operators of wallets alone decide who embeds them.`,
    );
  }
}

function readOrigin(text: string): string {
  const origin = canonicalOrigin(text);
  if (origin === null)
    throw new UsageError(`not an origin: ${text}. Expected https://host[:port], or http on localhost`);
  return origin;
}

await runCommand(main, USAGE);
