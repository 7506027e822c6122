/** Which network `npm run just -- testnet` uses, and who pays there. Everything is checked before anything is spent. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyPair, yoctoToNear } from 'near-api-js';
import { chainIdAt, wholeKey } from '../../dev/services/payer.js';
import { REGISTRY, ROOT } from '../../dev/services/services.js';
import { MAX_REGISTRABLE_LENGTH } from '../../ts/src/near/account-id.js';
import { oracle } from '../support/oracle.js';

export interface Network {
  /** Its nodes, in the order in which they are asked. */
  readonly rpcUrls: readonly [string, ...string[]];
  /** The account that pays, with one of its full-access keys. It is the relay's account too. */
  readonly funder: { readonly accountId: string; readonly privateKey: `ed25519:${string}` };
  /** The registry; null deploys one below the funder, and removes it at the end. */
  readonly registry: string | null;
  /** How many blocks old a challenge may be in a registry that the run deploys; its own default when absent. */
  readonly maxBlockAge?: number;
}

/** What the run may take from the funder, in yoctoNEAR. */
export interface Costs {
  /** Leaves the funder at most, for a while. */
  readonly atMost: bigint;
  /** The part of it that comes back when every step holds. */
  readonly comesBack: bigint;
}

const NEAR = 10n ** 24n;
const DEFAULT_RPC_URL = 'https://test.rpc.fastnear.com';

/** A new name for an account, and for the registry above it: 9 characters. */
export const newName = (): string => `t${Date.now().toString(36)}`;
/** A new account is `<name>.<registry>`, and a deployed registry `<name>.<funder>`. */
const LONGEST_DEPLOYER = MAX_REGISTRABLE_LENGTH - 2 * `${newName()}.`.length;

/** The balance that the new account starts with: an AddKey and a call of the registry are paid in advance from it. */
export const ACCOUNT_YOCTO = NEAR / 2n;
/** The most that the relay may spend: the account's balance, its record's storage, and gas at its purchase price. */
export const RELAY_CAP_NEAR = 1;
/** The chain locks this much for each byte of a contract (`storage_amount_per_byte`). */
const YOCTO_PER_BYTE = 10n ** 19n;
/** The registry's state and the gas of its deployment, at the purchase price. */
const REGISTRY_SLACK_YOCTO = NEAR / 2n;

/** The registry that the build makes. */
export const registryCode = (): Promise<Uint8Array<ArrayBuffer>> =>
  readFile(join(ROOT, 'build/registry.wasm')).then((file) => Uint8Array.from(file));

/** What a deployed registry's account needs to hold its code. */
export const registryYocto = (code: Uint8Array): bigint =>
  BigInt(code.length) * YOCTO_PER_BYTE + REGISTRY_SLACK_YOCTO;

export async function costsOf({ registry }: Network): Promise<Costs> {
  const relay = BigInt(RELAY_CAP_NEAR) * NEAR;
  if (registry !== null) return { atMost: relay, comesBack: ACCOUNT_YOCTO };
  const deposit = registryYocto(await registryCode());
  return { atMost: relay + deposit + REGISTRY_SLACK_YOCTO, comesBack: ACCOUNT_YOCTO + deposit };
}

/** Reads NEAR_ACCOUNT_ID, NEAR_PRIVATE_KEY, NEAR_RPC_URL and REGISTRY. Throws one sentence for what is missing. */
export function networkFromEnvironment(env: Readonly<Record<string, string | undefined>>): Network {
  const accountId = env.NEAR_ACCOUNT_ID?.trim();
  const privateKey = env.NEAR_PRIVATE_KEY?.trim();
  if (!accountId || !privateKey) {
    const missing = [!accountId && 'NEAR_ACCOUNT_ID', !privateKey && 'NEAR_PRIVATE_KEY'].filter(Boolean);
    throw new Error(
      `Set ${missing.join(' and ')} to a testnet account that pays for the run, and its full-access key. ` +
        'docs/maintainers/testnet.md says how to get one. `npm run just -- testnet --local` needs neither.',
    );
  }
  const rpcUrls = (env.NEAR_RPC_URL ?? '').split(/[\s,]+/).filter((url) => url !== '');
  const [first = DEFAULT_RPC_URL, ...others] = rpcUrls;
  for (const url of [first, ...others]) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`NEAR_RPC_URL must name http(s) addresses, and '${url}' is none.`);
  }
  const registry = env.REGISTRY?.trim() || REGISTRY;
  if (registry === 'deploy' && accountId.length > LONGEST_DEPLOYER)
    throw new Error(
      `REGISTRY=deploy needs a NEAR_ACCOUNT_ID of at most ${LONGEST_DEPLOYER} characters, because new accounts are named below it.`,
    );
  return {
    rpcUrls: [first, ...others],
    funder: { accountId, privateKey: keyText(privateKey) },
    registry: registry === 'deploy' ? null : registry,
  };
}

/** The text is never repeated: a slip may still hold most of a key. */
function keyText(text: string): `ed25519:${string}` {
  const whole = wholeKey(text);
  if (whole === text) return whole;
  throw new Error('NEAR_PRIVATE_KEY must be `ed25519:` and the base58 of 64 bytes.');
}

/** Throws one sentence if the network cannot be used: no node, another network, another key, or too little money. */
export async function checkNetwork(network: Network): Promise<void> {
  const { rpcUrls, funder, registry } = network;
  for (const url of rpcUrls) await checkNode(url);
  const { accountId, privateKey } = funder;
  const chain = oracle(rpcUrls[0]);
  const publicKey = KeyPair.fromString(privateKey).getPublicKey().toString();
  if (!(await chain.accountExists(accountId)))
    throw new Error(`There is no account ${accountId} on this network.`);
  if (!(await chain.fullAccessKeys(accountId)).includes(publicKey))
    throw new Error(
      `NEAR_PRIVATE_KEY is not a full-access key of ${accountId}: the chain has no ${publicKey} on it.`,
    );
  if (registry !== null && !(await chain.accountExists(registry)))
    throw new Error(
      `There is no registry ${registry} on this network. REGISTRY=deploy deploys one for the run.`,
    );
  const [balance, { atMost }] = await Promise.all([chain.balance(accountId), costsOf(network)]);
  if (balance < atMost)
    throw new Error(`${accountId} has ${near(balance)} NEAR, and the run may need ${near(atMost)}.`);
}

/** A run makes accounts and keys that end with it, so it must never meet a network where NEAR has a price. */
async function checkNode(url: string): Promise<void> {
  const { origin } = new URL(url);
  let chainId: unknown;
  try {
    chainId = await chainIdAt(url);
  } catch (error) {
    throw new Error(
      `No NEAR node answers at ${origin}. Is this machine online? NEAR_RPC_URL names another node, and ` +
        '`npm run just -- testnet --local` needs no network.',
      { cause: error },
    );
  }
  if (chainId !== 'testnet')
    throw new Error(`The node at ${origin} belongs to '${chainId}', and the run is for testnet only.`);
}

/** NEAR with four digits. */
export const near = (yocto: bigint): string => Number(yoctoToNear(yocto)).toFixed(4);
