// An account of a chain that pays: for a stack on a chain that it did not start, and for `latchkey-dev fund`.
import { readFile } from 'node:fs/promises';
import { base58 } from '@scure/base';
import { Account, actions, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { AccountDoesNotExistError } from 'near-api-js/rpc-errors';
import { secretKeyText } from './keys.js';
import { registryContract } from './places.js';

/** An account and one of its full-access keys. */
export interface Payer {
  readonly accountId: string;
  readonly privateKey: `ed25519:${string}`;
}

const ACCOUNT = /^(?=.{2,64}$)(?:[a-z\d]+[-_])*[a-z\d]+(?:\.(?:[a-z\d]+[-_])*[a-z\d]+)*$/;
const REACH_TIMEOUT_MS = 10_000;
/** The chain locks this much for each byte of a contract (`storage_amount_per_byte`). */
const YOCTO_PER_BYTE = 10n ** 19n;
/** For the registry's state and the gas of its first calls, at the purchase price. */
const REGISTRY_SLACK_YOCTO = 10n ** 24n;
const GAS_OF_INIT = 30n * 10n ** 12n;
const GAS_OF_HOST = 10n * 10n ** 12n;

/** Throws unless a text is the id of an account. */
export function readAccount(source: string, text: string): string {
  if (ACCOUNT.test(text)) return text;
  throw new Error(`${source} must be an account such as alice.testnet, not '${text}'.`);
}

/** Reads `ACCOUNT:ed25519:…`, as the source names it. No error repeats the key. */
export function readPayer(source: string, text: string): Payer {
  const [, accountId = '', key = ''] = /^([^:]*):(ed25519:.*)$/s.exec(text.trim()) ?? [];
  if (ACCOUNT.test(accountId) && key === wholeKey(key)) return { accountId, privateKey: key };
  throw new Error(
    `${source} must be an account and its full-access key, ACCOUNT:ed25519:… with the base58 of 64 bytes, such as ` +
      'latchkey-dev key and near-cli print them.',
  );
}

/** The key whose seed this text begins with, `ed25519:` and base58: the text itself if it is one. Null if it is no base58. */
export function wholeKey(text: string): `ed25519:${string}` | null {
  try {
    return secretKeyText(Buffer.from(base58.decode(text.replace(/^ed25519:/, ''))).subarray(0, 32));
  } catch {
    return null;
  }
}

const accountOf = (rpcUrl: string, { accountId, privateKey }: Payer): Account =>
  new Account(accountId, new JsonRpcProvider({ url: rpcUrl }), KeyPairSigner.fromSecretKey(privateKey));

/** What a node calls its network; undefined if what answers is no node. Rejects if nothing answers. */
export async function chainIdAt(rpcUrl: string): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'status', params: [] }),
    signal: AbortSignal.timeout(REACH_TIMEOUT_MS),
  });
  const answer = (await response.json()) as { result?: { chain_id?: unknown } };
  return answer.result?.chain_id;
}

/** The network of a node. Throws one sentence if none answers, or if it belongs to mainnet. */
export async function networkOf(rpcUrl: string): Promise<string> {
  const { origin } = new URL(rpcUrl);
  let chainId: unknown;
  try {
    chainId = await chainIdAt(rpcUrl);
  } catch (error) {
    throw new Error(`No NEAR node answers at ${origin}. Is it running, and is --rpc its address?`, {
      cause: error,
    });
  }
  if (typeof chainId !== 'string') throw new Error(`What answers at ${origin} is no NEAR node.`);
  if (chainId === 'mainnet')
    throw new Error(
      `The node at ${origin} belongs to mainnet, where accounts cost real NEAR. Name another with --rpc.`,
    );
  return chainId;
}

/** Throws one sentence unless the payer's account exists and has the key with full access. */
export async function requirePayer(rpcUrl: string, payer: Payer): Promise<void> {
  const provider = new JsonRpcProvider({ url: rpcUrl });
  const publicKey = KeyPair.fromString(payer.privateKey).getPublicKey().toString();
  if (!(await viewAccount(provider, payer.accountId)))
    throw new Error(`There is no account ${payer.accountId} on the chain at ${new URL(rpcUrl).origin}.`);
  const { keys } = await provider.viewAccessKeyList({ accountId: payer.accountId });
  const own = keys.find(({ public_key }) => public_key.toString() === publicKey);
  if (own?.access_key.permission !== 'FullAccess')
    throw new Error(
      `The key is not a full-access key of ${payer.accountId}: its public key is ${publicKey}.`,
    );
}

const viewAccount = (provider: JsonRpcProvider, accountId: string) =>
  provider.viewAccount({ accountId }).catch((error: unknown) => {
    if (error instanceof AccountDoesNotExistError) return null;
    throw error;
  });

/** Whether an account's contract answers as a registry does. */
async function isRegistry(provider: JsonRpcProvider, contractId: string): Promise<boolean> {
  const answer = await provider
    .callFunction({ contractId, method: 'get_allowed_hosts', args: {} })
    .catch(() => undefined);
  return Array.isArray(answer);
}

/**
 * Deploys the registry to an account unless it has one: the payer's own, or one below it, which is made with the payer's
 * key. Returns whether it did. Throws one sentence for an account that is neither, or that has another contract.
 */
export async function ensureRegistry(rpcUrl: string, payer: Payer, registry: string): Promise<boolean> {
  const provider = new JsonRpcProvider({ url: rpcUrl });
  const found = await viewAccount(provider, registry);
  if (await isRegistry(provider, registry)) return false;
  const hasCode = found && found.code_hash !== '1'.repeat(32);
  if (hasCode)
    throw new Error(
      `${registry} has a contract that is no registry of Latchkey. Name another: --registry ID.`,
    );
  const isOwn = registry === payer.accountId;
  if (!isOwn && !registry.endsWith(`.${payer.accountId}`))
    throw new Error(
      `There is no registry at ${registry}, and ${payer.accountId} cannot make one there. Name one below it: --registry registry.${payer.accountId}.`,
    );
  const code = await readFile(registryContract());
  if (!found) {
    await accountOf(rpcUrl, payer).signAndSendTransaction({
      receiverId: registry,
      actions: [
        actions.createAccount(),
        actions.transfer(BigInt(code.length) * YOCTO_PER_BYTE + REGISTRY_SLACK_YOCTO),
        actions.addFullAccessKey(KeyPair.fromString(payer.privateKey).getPublicKey()),
      ],
      waitUntil: 'FINAL',
    });
  }
  // `init` takes calls of its own account alone.
  await accountOf(rpcUrl, { ...payer, accountId: registry }).signAndSendTransaction({
    receiverId: registry,
    actions: [
      actions.deployContract(code),
      actions.functionCall('init', { owner_id: payer.accountId, max_block_age: null }, GAS_OF_INIT),
    ],
    waitUntil: 'FINAL',
  });
  return true;
}

/**
 * Adds the hosts that a registry's list lacks, in one transaction. Throws one sentence if the payer may not and the list
 * refuses them.
 */
export async function listHosts(
  rpcUrl: string,
  payer: Payer,
  registry: string,
  hosts: readonly string[],
): Promise<void> {
  const provider = new JsonRpcProvider({ url: rpcUrl });
  const query = { contractId: registry, method: 'get_allowed_hosts', args: {} };
  const listed = (await provider.callFunction(query)) as string[];
  const missing = hosts.filter((host) => !listed.includes(host));
  if (missing.length === 0) return;
  const addHost = (origin: string) => actions.functionCall('add_allowed_host', { origin }, GAS_OF_HOST, 1n);
  try {
    await accountOf(rpcUrl, payer).signAndSendTransaction({
      receiverId: registry,
      actions: missing.map(addHost),
      waitUntil: 'FINAL',
    });
  } catch (error) {
    // With an empty list, the wallet's own configuration decides.
    if (listed.length === 0) return;
    throw new Error(
      `The registry ${registry} refuses pages of ${missing.join(' and ')}, and ${payer.accountId} could not add them: ` +
        `its owner does it with latchkey-registry hosts add. Or name a registry of your own: --registry registry.${payer.accountId}.`,
      { cause: error },
    );
  }
}

/** Pays an account in yoctoNEAR and returns its final balance. Throws one sentence if there is no such account. */
export async function fund(
  rpcUrl: string,
  payer: Payer,
  accountId: string,
  amountYocto: bigint,
): Promise<bigint> {
  const provider = new JsonRpcProvider({ url: rpcUrl });
  // A transfer makes the account of a public key, 64 hexadecimal digits, and no other.
  if (!/^[\da-f]{64}$/.test(accountId) && !(await viewAccount(provider, accountId)))
    throw new Error(`There is no account ${accountId} on this chain. Register it first, then fund it.`);
  await accountOf(rpcUrl, payer).signAndSendTransaction({
    receiverId: accountId,
    actions: [actions.transfer(amountYocto)],
    waitUntil: 'FINAL',
  });
  return (await provider.viewAccount({ accountId })).amount;
}
