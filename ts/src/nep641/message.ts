/**
 * The signable message of an off-chain authorization (NEP-641, "OffchainMessage"): its hash, and its form as a NEP-413
 * message. Backends and the wallet share it.
 */
import { sha3_256 } from '@noble/hashes/sha3.js';
import { concat, text, u32, u64 } from '../borsh.js';

/** In the NEP's own names and order. */
export interface OffchainMessage {
  /** The network's chain id, such as `mainnet`. */
  readonly chain_id: string;
  /** The account that authorizes. */
  readonly signer_id: string;
  /** The accounts that resolve it on the signer's behalf: the direct parent first, the top-level one last. Absent: none. */
  readonly path?: readonly string[] | undefined;
  /** RFC 3339, up to nanoseconds. */
  readonly timestamp: string;
  readonly payload: string;
}

/** The authorization by an access key (NEP-641, "AccessKeyAuthorization"). As JSON, it is what a backend gets. */
export interface KeyAuthorization {
  readonly msg: OffchainMessage;
  readonly via: { readonly schema: 'nep413'; readonly extra: { readonly callback_url?: string | undefined } };
  /** `ed25519:` and base58 of 32 bytes, or `secp256k1:` and base58 of 64. */
  readonly access_key: string;
  /** `ed25519:` and base58 of 64 bytes, or `secp256k1:` and base58 of 65: r, s and the recovery id. */
  readonly signature: string;
}

const DOMAIN = 'NEAR_NEP641_OFFCHAIN_MESSAGE/V1';
const NANOSECONDS = 1_000_000_000n;
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const MAX_NANOSECONDS = 2n ** 64n - 1n;

/**
 * SHA3-256, 32 bytes, of the domain separator and the message in borsh, with the timestamp as u64 nanoseconds. Throws
 * RangeError for a timestamp that {@link nanosecondsOf} does not read.
 */
export function offchainMessageHash({
  chain_id,
  signer_id,
  path = [],
  timestamp,
  payload,
}: OffchainMessage): Uint8Array<ArrayBuffer> {
  const ids = concat([u32(path.length), ...path.map(text)]);
  const borsh = [text(chain_id), text(signer_id), ids, u64(readNanoseconds(timestamp)), text(payload)];
  return Uint8Array.from(sha3_256(concat([new TextEncoder().encode(DOMAIN), ...borsh])));
}

/** The recipient of the NEP-413 message that stands for the message: what a wallet shows next to the payload. */
export function nep413RecipientOf({
  chain_id,
  signer_id,
  path = [],
  timestamp,
}: Omit<OffchainMessage, 'payload'>): string {
  const seconds = Number(readNanoseconds(timestamp) / NANOSECONDS);
  return `${chain_id}: ${[signer_id, ...path].join(' -> ')} @ ${secondsText(seconds)}`;
}

/** The RFC 3339 text of a whole second, in UTC. */
export function secondsText(secondsSince1970: number): string {
  return new Date(secondsSince1970 * 1000).toISOString().replace('.000Z', 'Z');
}

/** Nanoseconds since 1970; undefined for what is no RFC 3339 time from 1970 on that 64 bits hold. */
export function nanosecondsOf(timestamp: string): bigint | undefined {
  const [, date, time, fraction = '', sign, hours = 0, minutes = 0] = RFC_3339.exec(timestamp) ?? [];
  if (date === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ms = Date.parse(`${date}T${time}Z`);
  // Date rolls a day that its month lacks over to the next month.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(`${date}T${time}`)) return undefined;
  const east = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const nanoseconds = BigInt(ms - east) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return nanoseconds >= 0n && nanoseconds <= MAX_NANOSECONDS ? nanoseconds : undefined;
}

function readNanoseconds(timestamp: string): bigint {
  const nanoseconds = nanosecondsOf(timestamp);
  if (nanoseconds === undefined) throw new RangeError('not an RFC 3339 time from 1970 on');
  return nanoseconds;
}
