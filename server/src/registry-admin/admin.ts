/** The settings of `latchkey-registry`: the registry, its nodes, and the key of an admin. */
import { readFile } from 'node:fs/promises';
import type { RegistryAt } from 'latchkey/internal/server';
import {
  createRpcClient,
  INVALID_CONFIG,
  LatchkeyError,
  messageOf,
  TESTNET_RPC_URLS,
} from 'latchkey/internal/server';
import * as v from 'valibot';
import { accountId, type Environment, readPrivateKeys, rpcUrls } from '../platform/environment.js';
import type { Secret } from '../platform/secret.js';

/** An account that may change the registry's lists. */
export interface Admin {
  readonly accountId: string;
  /** `ed25519:` and base58 of seed32 || pub32. */
  readonly privateKey: Secret;
}

export interface PlaceOptions {
  readonly registry?: string | undefined;
  readonly rpc?: string | undefined;
}

/** The registry that the options or the environment name, and its nodes. */
export function readRegistry({ registry, rpc }: PlaceOptions, env: Environment): RegistryAt {
  const contractId = parsed(
    '--registry, or WEBAUTHN_CONTRACT_ID,',
    registry ?? env.WEBAUTHN_CONTRACT_ID,
    accountId,
  );
  const urls = parsed('--rpc, or NEAR_RPC_URL,', rpc ?? env.NEAR_RPC_URL ?? TESTNET_RPC_URLS, rpcUrls);
  return { rpc: createRpcClient({ urls }), config: { contractId } };
}

/** As near-cli stores a key: other fields are ignored. */
const CredentialsSchema = v.object({ account_id: v.string(), private_key: v.string() });

/** The admin's key, of a credentials file or of the environment. No error quotes either. */
export async function readAdmin(credentials: string | undefined, env: Environment): Promise<Admin> {
  if (credentials === undefined) {
    return {
      accountId: parsed('REGISTRY_ADMIN_ID', env.REGISTRY_ADMIN_ID, accountId),
      privateKey: parsed('REGISTRY_ADMIN_PRIVATE_KEY', env.REGISTRY_ADMIN_PRIVATE_KEY, oneKey),
    };
  }
  const text = await readFile(credentials, 'utf8').catch((error: unknown) => {
    throw bad(`${credentials} cannot be read: ${messageOf(error)}`);
  });
  const file = readCredentials(text);
  if (!file) throw bad(`${credentials} is no credentials file: JSON with account_id and private_key`);
  return {
    accountId: parsed(`account_id in ${credentials}`, file.account_id, accountId),
    privateKey: parsed(`private_key in ${credentials}`, file.private_key, oneKey),
  };
}

/** Undefined unless the text is a credentials file. A parser's message may quote the text, so none is passed on. */
function readCredentials(text: string): v.InferOutput<typeof CredentialsSchema> | undefined {
  try {
    return v.parse(CredentialsSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

function oneKey(text: string): Secret {
  const [key, ...more] = readPrivateKeys(text);
  if (!key || more.length > 0) throw new Error('must be one key of the form ed25519:<base58 of 64 bytes>');
  return key;
}

function parsed<T>(name: string, text: string | undefined, parse: (text: string) => T): T {
  const trimmed = text?.trim();
  if (!trimmed) throw bad(`${name} is missing`);
  try {
    return parse(trimmed);
  } catch (error) {
    throw bad(`${name} ${messageOf(error)}`);
  }
}

function bad(message: string): LatchkeyError {
  return new LatchkeyError(INVALID_CONFIG, { values: { reason: message } });
}
