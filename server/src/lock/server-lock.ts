/** The server's side of the Shamir three-pass lock: one current key, and former keys that still open (grace). */

import { Refusal } from '../http/refusal.js';
import {
  type LockGroup,
  LockNumberError,
  type Power,
  readGroupNumber,
  toBigInt,
  writeNumber,
} from './lock-number.js';

/** A former key opens for at least this long (interop.md section 5), whatever the configuration. */
export const MIN_GRACE_DAYS = 30;

/** A stored lock key: exponent and inverse, base64url of minimal big-endian bytes. */
export interface LockKeyText {
  readonly e_s_b64u: string;
  readonly d_s_b64u: string;
}

export interface LockKey {
  readonly keyId: string;
  readonly apply: Power;
  readonly remove: Power;
}

/** The exponents of a stored key. Throws unless they are inverse in this group. */
export function readExponents(group: LockGroup, text: LockKeyText): { e: Uint8Array; d: Uint8Array } {
  const e = readGroupNumber(group, text.e_s_b64u);
  const d = readGroupNumber(group, text.d_s_b64u);
  if ((toBigInt(e) * toBigInt(d)) % (group.p - 1n) !== 1n)
    throw new LockNumberError('the exponents do not match');
  return { e, d };
}

/** The input of a key's id: base64url of the first {@link KEY_ID_BYTES} of its SHA-256 (interop.md section 5). */
export function keyIdInput(group: LockGroup, e: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...new TextEncoder().encode('shamir3pass-key-id-v1'), ...group.pBytes, ...e]);
}

export const KEY_ID_BYTES = 16;

/** Applies and removes the lock. Checks every number it receives; holds the only copies of the exponents. */
export class ServerLock {
  readonly #group: LockGroup;
  readonly #refresh: () => Promise<void>;
  #current: LockKey;
  #grace: ReadonlyMap<string, LockKey>;

  /** `refresh` must call {@link use} if the keys have changed. */
  constructor(
    group: LockGroup,
    current: LockKey,
    grace: readonly LockKey[] = [],
    refresh: () => Promise<void> = async () => undefined,
  ) {
    this.#group = group;
    this.#refresh = refresh;
    this.#current = current;
    this.#grace = byId(current, grace);
  }

  /** Locks with this key from now on; opens with it and the keys in grace. */
  use(current: LockKey, grace: readonly LockKey[]): void {
    this.#current = current;
    this.#grace = byId(current, grace);
  }

  /** Refreshes the keys if the id is unknown: another relay may have just created the key. */
  async lookFor(keyId: string): Promise<void> {
    if (keyId !== this.#current.keyId && !this.#grace.has(keyId)) await this.#refresh();
  }

  get keyInfo() {
    return {
      currentKeyId: this.#current.keyId,
      p_b64u: this.#group.pB64u,
      graceKeyIds: [...this.#grace.keys()],
    };
  }

  /** Adds the lock, always with the current key. */
  apply(kekC: string): { kek_cs_b64u: string; keyId: string } {
    const base = this.#read('kek_c_b64u', kekC);
    return { kek_cs_b64u: writeNumber(this.#current.apply(base)), keyId: this.#current.keyId };
  }

  /** Removes the lock, with the current key or one in grace. */
  remove(kekCs: string, keyId: string): { kek_c_b64u: string } {
    const key = keyId === this.#current.keyId ? this.#current : this.#grace.get(keyId);
    if (!key) {
      throw new Refusal(
        'unknown_key_id',
        'keyId is not a key of this relay. Log in with the passkey, then lock again.',
      );
    }
    return { kek_c_b64u: writeNumber(key.remove(this.#read('kek_cs_b64u', kekCs))) };
  }

  #read(field: string, text: string): Uint8Array {
    try {
      return readGroupNumber(this.#group, text);
    } catch (error) {
      if (error instanceof LockNumberError) throw new Refusal('invalid_request', `${field} ${error.message}`);
      throw error;
    }
  }
}

function byId(current: LockKey, grace: readonly LockKey[]): Map<string, LockKey> {
  return new Map(grace.filter((key) => key.keyId !== current.keyId).map((key) => [key.keyId, key]));
}
