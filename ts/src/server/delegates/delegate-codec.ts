/**
 * Reads signed delegates (NEP-366) out of bytes that strangers send, as strictly as the chain does: what the policy
 * judges here is what the chain executes. Borsh, the structures of near-primitives (`SignedDelegateAction`).
 *
 * The general borsh decoder of npm is not used: it takes text that is not UTF-8 and bytes after the end.
 */
import { base58 } from '@scure/base';
import { isNearAccountId } from '../../near/account-id.js';
import { concat } from '../../near/borsh.js';
import { Refusal } from '../http/refusal.js';

/** The kinds of action that may stand in a delegate, in the order of the chain's encoding. */
export const INNER_ACTION_KINDS = [
  'CreateAccount',
  'DeployContract',
  'FunctionCall',
  'Transfer',
  'Stake',
  'AddKey',
  'DeleteKey',
  'DeleteAccount',
] as const;

export type InnerActionKind = (typeof INNER_ACTION_KINDS)[number];

/** An action of a delegate, as far as it matters to who pays for it. */
export interface InnerAction {
  readonly kind: InnerActionKind;
  /** FunctionCall only. */
  readonly methodName?: string;
  /** Attached gas; 0 where the action attaches none. */
  readonly gas: bigint;
  /** yoctoNEAR that leave the account of whoever pays for the transaction: the relayer. */
  readonly depositYocto: bigint;
}

export interface SignedDelegate {
  readonly senderId: string;
  readonly receiverId: string;
  readonly actions: readonly InnerAction[];
  readonly nonce: bigint;
  readonly maxBlockHeight: bigint;
  /** `ed25519:` and base58 of 32 bytes. */
  readonly publicKey: string;
  /** All of it, as it came. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What was signed, before hashing: NEP-461's prefix and the delegate. */
  readonly message: Uint8Array<ArrayBuffer>;
  /** 64 bytes. */
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** 2^30 + 366 as u32, little endian (NEP-461): no delegate's hash is ever that of a transaction. */
const DELEGATE_PREFIX = Uint8Array.of(0x6e, 0x01, 0x00, 0x40);

// The chain's limits (near-parameters, `LimitConfig`).
const MAX_ACTIONS = 100;
const MAX_METHOD_NAME_BYTES = 256;
const MAX_KEY_METHODS_BYTES = 2000;
const MAX_ACCOUNT_ID_BYTES = 64;

const ED25519 = { tag: 0, keyBytes: 32, signatureBytes: 64 };
const SECP256K1 = { tag: 1, keyBytes: 64 };

/** Kinds that the chain takes and this relay never does. */
const REFUSED_KINDS: ReadonlyMap<number, string> = new Map([
  [8, 'a delegate inside a delegate'],
  [9, 'DeployGlobalContract'],
  [10, 'UseGlobalContract'],
]);

/** Reads a signed delegate. Throws a {@link Refusal}: `invalid_request` for bytes that are none, `not_allowed` by kind. */
export function readSignedDelegate(bytes: Uint8Array): SignedDelegate {
  const own = bytes.slice();
  const reader = new BorshReader(own);
  const senderId = reader.accountId();
  const receiverId = reader.accountId();
  const actions = reader.list(MAX_ACTIONS, readAction);
  const nonce = reader.u64();
  const maxBlockHeight = reader.u64();
  if (reader.u8() !== ED25519.tag) throw malformed("the sender's key is not an ed25519 key");
  const publicKey = `ed25519:${base58.encode(reader.take(ED25519.keyBytes))}`;
  const message = concat([DELEGATE_PREFIX, own.subarray(0, reader.offset)]);
  if (reader.u8() !== ED25519.tag) throw malformed('the signature is not an ed25519 signature');
  const signature = reader.take(ED25519.signatureBytes);
  // The scalar is below 2^253: the chain reads no other signature (near-crypto).
  if ((signature.at(-1) ?? 0) > 0x1f) throw malformed('the signature is not an ed25519 signature');
  reader.end();
  return { senderId, receiverId, actions, nonce, maxBlockHeight, publicKey, bytes: own, message, signature };
}

/** The delegate's NEP-461 hash: 32 bytes. It names the delegate, and is what its sender signed. */
export async function hashDelegate({ message }: SignedDelegate): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', message));
}

/** Whether the signature is that of the delegate's own key over its hash. */
export async function isSignatureValid(
  { publicKey, signature }: SignedDelegate,
  hash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const keyBytes = Uint8Array.from(base58.decode(publicKey.slice('ed25519:'.length)));
  try {
    const key = await crypto.subtle.importKey('raw', keyBytes, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, hash);
  } catch {
    // Some engines throw for 32 bytes that are no point of the curve.
    return false;
  }
}

function readAction(reader: BorshReader): InnerAction {
  const tag = reader.u8();
  const kind = INNER_ACTION_KINDS[tag];
  if (kind === undefined) {
    const refused = REFUSED_KINDS.get(tag);
    if (refused === undefined) throw malformed('an action is of an unknown kind');
    throw new Refusal('not_allowed', `This relay does not pay for ${refused}.`);
  }
  const free = { kind, gas: 0n, depositYocto: 0n };
  switch (kind) {
    case 'CreateAccount':
      return free;
    case 'DeployContract':
      reader.bytes();
      return free;
    case 'FunctionCall': {
      const methodName = reader.text(MAX_METHOD_NAME_BYTES);
      reader.bytes();
      return { kind, methodName, gas: reader.u64(), depositYocto: reader.u128() };
    }
    case 'Transfer':
      return { ...free, depositYocto: reader.u128() };
    case 'Stake':
      // The stake is locked on the sender's own account: no money of the relayer's.
      reader.u128();
      skipPublicKey(reader);
      return free;
    case 'AddKey':
      skipPublicKey(reader);
      skipAccessKey(reader);
      return free;
    case 'DeleteKey':
      skipPublicKey(reader);
      return free;
    case 'DeleteAccount':
      reader.accountId();
      return free;
  }
}

function skipPublicKey(reader: BorshReader): void {
  const tag = reader.u8();
  const curve = [ED25519, SECP256K1].find((known) => known.tag === tag);
  if (!curve) throw malformed('a public key is of an unknown curve');
  reader.take(curve.keyBytes);
}

function skipAccessKey(reader: BorshReader): void {
  reader.u64();
  const permission = reader.u8();
  if (permission === 1) return;
  if (permission !== 0) throw malformed('an access key has an unknown permission');
  if (reader.flag()) reader.u128();
  reader.text(MAX_ACCOUNT_ID_BYTES);
  reader.list(MAX_KEY_METHODS_BYTES, (item) => item.text(MAX_METHOD_NAME_BYTES));
}

/** Reads borsh, never beyond the end and never more than was asked for. Integers are little endian. */
class BorshReader {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  u128(): bigint {
    const low = this.u64();
    return low + (this.u64() << 64n);
  }

  /** A bool, or the byte before an option. */
  flag(): boolean {
    const byte = this.u8();
    if (byte > 1) throw malformed('a flag is neither 0 nor 1');
    return byte === 1;
  }

  take(length: number): Uint8Array<ArrayBuffer> {
    const start = this.#advance(length);
    return this.#bytes.slice(start, start + length);
  }

  /** A byte list of any length that fits. */
  bytes(): void {
    this.#advance(this.u32());
  }

  text(maxBytes: number): string {
    const length = this.u32();
    if (length > maxBytes) throw malformed(`a text is longer than ${maxBytes} bytes`);
    try {
      return UTF8.decode(this.take(length));
    } catch (error) {
      throw error instanceof Refusal ? error : malformed('a text is not UTF-8');
    }
  }

  accountId(): string {
    const text = this.text(MAX_ACCOUNT_ID_BYTES);
    if (!isNearAccountId(text)) throw malformed('an account id is malformed');
    return text;
  }

  list<T>(most: number, readItem: (reader: BorshReader) => T): T[] {
    const length = this.u32();
    if (length > most) throw malformed(`a list has more than ${most} items`);
    return Array.from({ length }, () => readItem(this));
  }

  end(): void {
    if (this.#offset !== this.#bytes.length) throw malformed('there are bytes after the end');
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (length > this.#bytes.length - start) throw malformed('the bytes end too early');
    this.#offset = start + length;
    return start;
  }
}

/** A byte order mark is part of the text, as it is for the chain: a method's name must not lose one on its way. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function malformed(problem: string): Refusal {
  return new Refusal('invalid_request', `signedDelegate is malformed: ${problem}.`);
}
