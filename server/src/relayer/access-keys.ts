/**
 * Further access keys for the relayer: each has its own nonce sequence, so relays that share them need not collide.
 *
 * They have full access. A function-call key limited to the registry would have less power, but a registration
 * attaches the new account's balance, and NEAR lets no function-call key attach a deposit (nearcore,
 * `InvalidAccessKeyError::DepositWithFunctionCall`). The account's balance bounds what a stolen key can take.
 */
import { generateKeyPairSync } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { base58 } from '@scure/base';
import {
  actionErrorKind,
  executionFailure,
  INVALID_CONFIG,
  LatchkeyError,
  messageOf,
  noteOutcome,
  type RpcClient,
  sendUntilTaken,
  type TransactionOutcome,
} from 'latchkey/internal/server';
import * as v from 'valibot';
import { type AssertHeld, readIfThere, withFileLock, writeDurably } from '../platform/durable-file.js';
import { readPrivateKeys } from '../platform/environment.js';
import type { RelayerAccount } from '../platform/relay-settings.js';
import { Secret } from '../platform/secret.js';
import { createMemoryLeaseStore } from './lease-store.js';
import { createRelayer, isUnfunded, type Relayer } from './relayer.js';
import { createTransactionSigner, publicKeyOf } from './transaction-signer.js';

/** One transaction adds all keys, and the chain allows at most 100 actions in one. */
export const MAX_NEW_KEYS = 64;
const MAX_SIGNINGS = 8;

export interface AddKeysOptions {
  readonly rpc: RpcClient;
  readonly account: RelayerAccount;
  readonly count: number;
  /** The file for the account's id and all its keys, as environment variables: one `NAME=value` per line. */
  readonly path: string;
}

export interface AddedKeys {
  /** `ed25519:` and base58. */
  readonly publicKeys: readonly string[];
  /** True if an earlier run made these keys, and this one completed adding them. */
  readonly isResumed: boolean;
  /** The new value of RELAYER_PRIVATE_KEY: the existing keys and the new ones. */
  readonly privateKeys: Secret;
}

/**
 * Adds keys in one transaction. Before sending, stores them in a pending file next to `path`, which receives them
 * once they are on the chain: after a lost answer, the next run completes the work with the same keys.
 */
export function addAccessKeys(options: AddKeysOptions): Promise<AddedKeys> {
  const { account, count, path } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_NEW_KEYS) {
    throw new RangeError(`the number of keys must lie in 1..${MAX_NEW_KEYS}`);
  }
  return withFileLock(path, async (assertHeld) => {
    const stored = await readKeysFile(path, account.accountId);
    const pending = `${path}.pending`;
    const unfinished = await readKeysFile(pending, account.accountId);
    const fresh = unfinished ?? Array.from({ length: count }, makePrivateKey);
    if (!unfinished) await writeKeysFile(pending, account.accountId, fresh, assertHeld);

    await putOnChain(options, fresh.map(publicKeyOf));

    const all = withoutRepeats([...account.privateKeys, ...(stored ?? []), ...fresh]);
    await writeKeysFile(path, account.accountId, all, assertHeld);
    await unlink(pending);
    return {
      publicKeys: fresh.map(publicKeyOf),
      isResumed: unfinished !== null,
      privateKeys: new Secret(all.map((key) => key.reveal()).join(',')),
    };
  });
}

async function putOnChain(options: AddKeysOptions, publicKeys: readonly string[]): Promise<void> {
  const { rpc, account } = options;
  const { accountId } = account;
  const present = await fullAccessKeysOf(rpc, accountId);
  const missing = publicKeys.filter((key) => !present.has(key));
  if (missing.length === 0) return;
  const usable = account.privateKeys.filter((key) => present.has(publicKeyOf(key)));
  if (usable.length === 0) {
    throw failed(`no key of RELAYER_PRIVATE_KEY has full access to ${accountId}, so none can add others`);
  }
  const signer = createTransactionSigner(accountId, usable);
  const outcome = await send(rpc, createRelayer(rpc, signer, createMemoryLeaseStore()), missing);
  noteOutcome(rpc, outcome);
  const failure = executionFailure(outcome);
  const after = await fullAccessKeysOf(rpc, accountId);
  if (missing.every((key) => after.has(key))) return;
  const reason = JSON.stringify(failure);
  if (actionErrorKind(failure) === 'LackBalanceForState') throw unfunded(accountId, missing.length, reason);
  throw failed(
    `transaction ${outcome.transactionId} did not add the keys (${reason}). ` +
      'Run the command again: it takes the same keys',
  );
}

async function send(
  rpc: RpcClient,
  relayer: Relayer,
  publicKeys: readonly string[],
): Promise<TransactionOutcome> {
  const settled = await sendUntilTaken(rpc, {
    level: 'FINAL',
    sign: () =>
      relayer.signActions(
        relayer.accountId,
        publicKeys.map((publicKey) => ({
          type: 'AddKey',
          publicKey,
          accessKey: { permission: 'FullAccess' },
        })),
      ),
    isCurable: ({ copy, failure }) => relayer.learn(copy, failure),
    mostCopies: MAX_SIGNINGS,
  });
  if ('outcome' in settled) return settled.outcome;
  const { copy, error, failure, fate } = settled;
  if (fate === 'refused' && isUnfunded(failure)) {
    throw unfunded(relayer.accountId, publicKeys.length, messageOf(error), error);
  }
  if (failure?.kind === 'outcome_unknown') {
    throw failed(
      `transaction ${copy.hash} was sent, and no node says what became of it. ` +
        'Run the command again: it looks, and takes the same keys',
      error,
    );
  }
  throw error;
}

async function fullAccessKeysOf(rpc: RpcClient, accountId: string): Promise<Set<string>> {
  const { keys } = await rpc.viewAccessKeyList(accountId, { afterWrites: true });
  const full = keys.filter(({ access_key }) => access_key.permission === 'FullAccess');
  return new Set(full.map((key) => key.public_key));
}

/**
 * In the chain's form: seed32 || pub32, base58. The last 32 bytes of either encoding (RFC 8410) are the key.
 * Exporting a key object as a JWK would be shorter, but in Node 20 it can deadlock with the garbage collector.
 */
function makePrivateKey(): Secret {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const bytes = Buffer.concat([privateKey.subarray(-32), publicKey.subarray(-32)]);
  privateKey.fill(0);
  const text = `ed25519:${base58.encode(Uint8Array.from(bytes))}`;
  bytes.fill(0);
  return new Secret(text);
}

const KeysFileSchema = v.object({ RELAYER_ACCOUNT_ID: v.string(), RELAYER_PRIVATE_KEY: v.string() });

/** The keys of a file written by {@link writeKeysFile}; null if there is none. */
async function readKeysFile(path: string, accountId: string): Promise<Secret[] | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const entries = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  try {
    const values = v.parse(KeysFileSchema, Object.fromEntries(entries));
    if (values.RELAYER_ACCOUNT_ID === accountId) return readPrivateKeys(values.RELAYER_PRIVATE_KEY);
  } catch {
    // Omits the cause: a parser's message may quote the file.
    throw failed(`${path} is not a file of relayer keys, and stays unchanged. Name another with --file`);
  }
  throw failed(`${path} holds the keys of another account than ${accountId}. Name another with --file`);
}

function writeKeysFile(
  path: string,
  accountId: string,
  keys: readonly Secret[],
  assertHeld: AssertHeld,
): Promise<void> {
  const value = keys.map((key) => key.reveal()).join(',');
  const warning = `# Access keys of ${accountId}. Anyone who reads them can spend its balance.`;
  return writeDurably(path, `${warning}\nRELAYER_ACCOUNT_ID=${accountId}\nRELAYER_PRIVATE_KEY=${value}\n`, {
    assertHeld,
  }).catch((error: unknown) => {
    throw failed(`${path} cannot be written: ${messageOf(error)}`, error);
  });
}

function withoutRepeats(keys: readonly Secret[]): Secret[] {
  return [...new Map(keys.map((key) => [key.reveal(), key])).values()];
}

function unfunded(accountId: string, count: number, reason: string, cause?: unknown): LatchkeyError {
  const problem = `${accountId} lacks the balance to add and store ${count} keys (${reason})`;
  return failed(`${problem}. Fund it and run the command again: it takes the same keys`, cause);
}

function failed(message: string, cause?: unknown): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, { message: `The keys are not added yet: ${message}.`, cause });
}
