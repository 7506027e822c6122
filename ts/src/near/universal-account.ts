/** Universal accounts (NEP-655), whose ids are the hashes of their first states. */
import { base32crockford, base58 } from '@scure/base';
import type { GlobalContractIdentifier, UniversalStateInit } from '../types.js';

/** `0u` and 52 symbols of Crockford's base32, of which the last has one bit (near-primitives-core). */
const UNIVERSAL = /^0u[\da-hjkmnp-tv-z]{51}[0g]$/;

/** Whether the id is the hash of a first state with keys: a transfer makes the account from protocol 88 on. */
export function isUniversalAccountId(accountId: string): boolean {
  return UNIVERSAL.test(accountId);
}

/** What keeps an id in the form of a universal account from being one; undefined for one, and for an id of another form. */
export function universalIdProblem(accountId: string): string | undefined {
  if (!/^0u[\da-z]{52}$/.test(accountId) || isUniversalAccountId(accountId)) return undefined;
  const isLast = /^0u[\da-hjkmnp-tv-z]{52}$/.test(accountId);
  const reason = isLast ? 'its last symbol must be 0 or g' : 'its symbols have no i, l, o and u';
  return `${accountId} has the form of a universal account and is none: ${reason}`;
}

/** The chain's numbers of the kinds of handles (near-crypto, `PublicKeyHandle`). */
const TAGS: Readonly<Record<string, number>> = { ed25519: 0, secp256k1: 1, 'ml-dsa-65-hash': 3 };

/**
 * The id of the account that has this first state: `0u` and Crockford's base32 of the SHA3-256 of its borsh bytes, 54
 * characters (near-primitives-core, `universal_account_id.rs`). Throws for a key or a hash that is no base58.
 */
export async function universalAccountId(stateInit: UniversalStateInit): Promise<string> {
  const { sha3_256 } = await import('@noble/hashes/sha3.js');
  const hash = sha3_256(Uint8Array.from(universalStateBorsh(stateInit)));
  return `0u${base32crockford.encode(hash).toLowerCase()}`;
}

/** A first state as the chain hashes it: borsh, with entries and keys in its order. */
export function universalStateBorsh({ V1: { code, data, accessKeys } }: UniversalStateInit): number[] {
  return [
    0,
    ...(code === null ? [0] : [1, ...contractBorsh(code)]),
    ...u32(data.length),
    ...data.flatMap(({ key, value }) => [...withLength(key), ...withLength(value)]),
    ...u32(accessKeys.length),
    ...accessKeys.flatMap(handleBorsh),
  ];
}

function contractBorsh(code: GlobalContractIdentifier): number[] {
  return 'CodeHash' in code
    ? [0, ...base58.decode(code.CodeHash)]
    : [1, ...withLength(new TextEncoder().encode(code.AccountId))];
}

function handleBorsh(key: string): number[] {
  const [kind = '', text = ''] = key.split(':');
  return [TAGS[kind] ?? 0, ...base58.decode(text)];
}

const withLength = (bytes: Uint8Array): number[] => [...u32(bytes.length), ...bytes];

/** Little endian. */
const u32 = (count: number): number[] => [0, 8, 16, 24].map((shift) => (count >>> shift) & 255);
