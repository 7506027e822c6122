/** Reads and changes the registry's list of the hosts that may embed the wallet, as one of its admins. */

import type { RegistryAt } from 'latchkey/internal/server';
import {
  executionFailure,
  INVALID_CONFIG,
  LatchkeyError,
  lacks,
  messageOf,
  noteOutcome,
  type RpcClient,
  readCapabilities,
  readOriginList,
  sendUntilTaken,
  type TransactionOutcome,
} from 'latchkey/internal/server';
import * as v from 'valibot';
import { createMemoryLeaseStore } from '../relayer/lease-store.js';
import { createRelayer, type Relayer } from '../relayer/relayer.js';
import { createTransactionSigner, publicKeyOf } from '../relayer/transaction-signer.js';
import type { Admin } from './admin.js';

/** One transaction changes all hosts of a command. */
export const MAX_HOSTS = 10;
/** Attached to each change. The registry wants exactly 1 yoctoNEAR, which no function-call key can attach. */
const GAS_OF_A_CHANGE = 30_000_000_000_000n;
const DEPOSIT_OF_A_CHANGE = 1n;
const MAX_SIGNINGS = 8;

const METHODS = { add: 'add_allowed_host', remove: 'remove_allowed_host' } as const;

export interface HostsChange {
  /** The hosts that the transaction added or removed; none if the list needed no change. */
  readonly changed: readonly string[];
  /** Null if no transaction was needed. */
  readonly transactionId: string | null;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The registry's allowed hosts, sorted. Throws REGISTRY_LACKS for a registry without such a list. */
export async function listHosts(at: RegistryAt): Promise<readonly string[]> {
  await assertListsHosts(at);
  // A node that lags may miss the last change.
  return readOriginList(at, 'get_allowed_hosts', {
    certain: true,
    isNo: () => true,
  });
}

/**
 * Adds hosts to the list or removes them, in one transaction that all its changes succeed in or none. Sends none if the list
 * is already as wanted. The origins are canonical.
 */
export async function changeHosts(
  at: RegistryAt,
  admin: Admin,
  change: keyof typeof METHODS,
  origins: readonly string[],
): Promise<HostsChange> {
  const { rpc, config } = at;
  const before = await listHosts(at);
  const changed = origins.filter((origin) => before.includes(origin) !== (change === 'add'));
  if (changed.length === 0) return { changed, transactionId: null, before, after: before };
  await assertAdmin(at, admin);

  const signer = createTransactionSigner(admin.accountId, [admin.privateKey]);
  const relayer = createRelayer(rpc, signer, createMemoryLeaseStore());
  const outcome = await send(rpc, relayer, config.contractId, METHODS[change], changed);
  noteOutcome(rpc, outcome);
  const failure = executionFailure(outcome);
  const { transactionId } = outcome;
  if (failure) throw failed(`the registry refused transaction ${transactionId}: ${JSON.stringify(failure)}`);
  const after = await readOriginList(at, 'get_allowed_hosts', { afterWrites: true });
  if (changed.some((origin) => after.includes(origin) !== (change === 'add'))) {
    throw failed(`transaction ${transactionId} succeeded, and another one has changed the same hosts since`);
  }
  return { changed, transactionId, before, after };
}

async function assertListsHosts(at: RegistryAt): Promise<void> {
  const { listsHosts } = await readCapabilities(at);
  if (!listsHosts) throw lacks(at.config, 'allowedHosts');
}

/** Says before any transaction why the registry would refuse it: the account's rights, or the key's. */
async function assertAdmin({ rpc, config }: RegistryAt, { accountId, privateKey }: Admin): Promise<void> {
  const registry = config.contractId;
  const isAdmin = await rpc.callFunctionJson(
    v.boolean(),
    registry,
    'is_admin',
    { account_id: accountId },
    { certain: true, isNo: (is) => !is, agreed: true },
  );
  if (!isAdmin) {
    const owner = await rpc.callFunctionJson(v.string(), registry, 'get_owner');
    throw failed(`${accountId} is no admin of ${registry}. Its owner is ${owner}`);
  }
  const publicKey = publicKeyOf(privateKey);
  const key = await rpc.viewAccessKey(accountId, publicKey, { certain: true });
  if (key?.permission !== 'FullAccess') {
    const why = key ? 'may only call functions, and the registry wants a deposit' : 'is not on it';
    throw failed(`the key ${publicKey} of ${accountId} ${why}. Use a full-access key`);
  }
}

async function send(
  rpc: RpcClient,
  relayer: Relayer,
  registry: string,
  methodName: string,
  origins: readonly string[],
): Promise<TransactionOutcome> {
  const calls = origins.map((origin) => ({
    type: 'FunctionCall' as const,
    methodName,
    args: JSON.stringify({ origin }),
    gas: String(GAS_OF_A_CHANGE),
    deposit: String(DEPOSIT_OF_A_CHANGE),
  }));
  const settled = await sendUntilTaken(rpc, {
    level: 'FINAL',
    sign: () => relayer.signActions(registry, calls),
    isCurable: ({ copy, failure }) => relayer.learn(copy, failure),
    mostCopies: MAX_SIGNINGS,
  });
  if ('outcome' in settled) return settled.outcome;
  const { copy, error, failure, fate } = settled;
  if (failure?.kind === 'outcome_unknown') {
    throw failed(
      `transaction ${copy.hash} was sent, and no node says what became of it. Run the command again`,
      error,
    );
  }
  throw fate === 'refused' ? failed(messageOf(error), error) : error;
}

function failed(message: string, cause?: unknown): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, { message: `The list was not changed: ${message}.`, cause });
}
