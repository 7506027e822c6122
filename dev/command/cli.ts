#!/usr/bin/env node
/** The command `latchkey-dev`: a chain, a relay and a wallet on this machine, and what a developer asks of them. */
import { developmentKey } from '../services/keys.js';
import { fund, networkOf } from '../services/payer.js';
import { runningStack } from '../stack/data.js';
import { type Stack, startStack } from '../stack/stack.js';
import { startChild } from './child.js';
import { writeEnvFile } from './env-file.js';
import { followLogs, readLogs } from './logs.js';
import { nearText, readTask, type Task, USAGE, UsageError } from './options.js';
import { stackTable } from './table.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The account of the local chain that holds its NEAR. */
const BANK = 'testnet';

/** Settles at the first signal that asks this process to end; further ones do nothing. */
const endAsked = (): Promise<void> =>
  new Promise((resolve) => {
    for (const name of SIGNALS) process.on(name, () => resolve());
  });

/** Starts the stack and the command, and returns the exit code when both have ended. */
async function start({ options, envFile, command }: Extract<Task, { kind: 'start' }>): Promise<number> {
  const asked = endAsked().then(() => 'asked' as const);
  const starting = startStack(options);
  const stack = await Promise.race([starting, asked]);
  if (stack === 'asked') {
    await (await starting.catch(() => undefined))?.stop();
    return 130;
  }
  try {
    const notice = stack.openToPhone && (await stack.openToPhone());
    const written = envFile === null ? '' : `\n  ${await writeEnvFile(envFile, stack.env)}`;
    console.log(`${notice ? `\n${notice}\n` : ''}
  Latchkey runs.

${stackTable(stack, '--fresh')}
${written}
  Ctrl-C ends all of it; \`latchkey-dev logs --follow\` prints what it does.
`);
    return await untilEnd(stack, command, asked);
  } finally {
    await stack.stop();
  }
}

async function untilEnd(stack: Stack, command: readonly string[], asked: Promise<'asked'>): Promise<number> {
  const failed = stack.failed.then((how) => {
    console.error(`\n${how}. Ending the rest. \`latchkey-dev logs\` prints its lines.`);
    return 1;
  });
  if (command.length === 0) {
    return Promise.race([
      failed,
      asked.then(() => {
        console.log('\nEnding wallet, relay and chain.');
        return 0;
      }),
    ]);
  }
  const child = startChild(command, stack.env);
  const byChild = child.ended.then(({ code, problem }) => {
    if (problem) console.error(problem);
    return code;
  });
  const first = await Promise.race([failed, byChild, asked]);
  await child.stop();
  return first === 'asked' ? byChild : first;
}

async function pay({
  data,
  accountId,
  amountYocto,
  rpcUrl,
  payer,
}: Extract<Task, { kind: 'fund' }>): Promise<void> {
  const chain = rpcUrl && payer ? { rpcUrl, payer } : await chainOf(data);
  await networkOf(chain.rpcUrl);
  const balance = await fund(chain.rpcUrl, chain.payer, accountId, amountYocto);
  console.log(`${accountId} has ${nearText(balance)} NEAR.`);
}

/** The chain of the running stack, and its development account. */
async function chainOf(data: string) {
  const { rpcUrl, isLocalChain } = (await runningStack(data)) ?? {};
  if (rpcUrl === undefined)
    throw new Error(
      `No stack runs on ${data}. Start one with latchkey-dev, name its folder with --data DIR, or name a chain: --rpc URL --key ACCOUNT:ed25519:….`,
    );
  if (!isLocalChain)
    throw new Error(
      `The stack on ${data} uses ${rpcUrl}. Name it and who pays: --rpc ${rpcUrl} --key ACCOUNT:ed25519:….`,
    );
  return { rpcUrl, payer: { accountId: BANK, privateKey: developmentKey(BANK) } };
}

async function printLogs({ data, service, follow }: Extract<Task, { kind: 'logs' }>): Promise<void> {
  for (const line of await readLogs(data, service)) console.log(line);
  if (!follow) return;
  const ending = new AbortController();
  void endAsked().then(() => ending.abort());
  await followLogs(data, service, (line) => console.log(line), ending.signal);
}

async function run(task: Task): Promise<number> {
  if (task.kind === 'start') return start(task);
  if (task.kind === 'help') console.log(USAGE.trimEnd());
  if (task.kind === 'key') console.log(developmentKey(task.accountId));
  if (task.kind === 'fund') await pay(task);
  if (task.kind === 'logs') await printLogs(task);
  return 0;
}

try {
  process.exit(await run(readTask(process.argv.slice(2), process.env)));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage =
    error instanceof UsageError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'));
  console.error(isUsage ? `${message}\n\nlatchkey-dev --help prints the usage.` : message);
  process.exit(isUsage ? 2 : 1);
}
