/** The record of what pays for one registration only, such as a voucher. */
import { Refusal } from '../http/refusal.js';
import type { RelayRecord } from '../relayer/record.js';
import type { SpendMeter } from '../relayer/spend.js';
import { shortHash } from './hash.js';

/** Something that pays for one registration only. */
export interface SingleUse {
  /** Unique among all that the hook accepts. The record holds only its hash. */
  readonly id: string;
  /** When the hook refuses it by itself, in milliseconds since 1970: the relay remembers it until then. */
  readonly expiresAtMs: number;
}

/** The registration that uses it. */
export interface UserOfOnce {
  readonly accountId: string;
  /** `ed25519:` and base58 of 32 bytes. */
  readonly publicKey: string;
}

export interface SingleUses {
  /** The meter that takes it with a reservation, and gives it back when that is released. */
  meterOf(once: SingleUse, user: UserOfOnce): SpendMeter;
}

/** The uses that this record keeps. */
export function createSingleUses(record: RelayRecord): SingleUses {
  return new UsedOnce(record);
}

export async function hashesOf(id: string, { accountId, publicKey }: UserOfOnce) {
  const [key, holder] = await Promise.all([shortHash(id), shortHash(`${accountId}|${publicKey}`)]);
  return { key, holder };
}

export function alreadyUsed(): Refusal {
  const message = 'This voucher has been used. Nothing was sent; ask the app for another.';
  return new Refusal('signup_refused', message);
}

/** Whose registration holds the voucher, until the chain reports its end. */
interface Use {
  readonly expiresAtMs: number;
  /** The hash of account and key. Null once the registration's outcome is known: the voucher is used up. */
  holder: string | null;
  /** Reservations of the holder that may still cost money. */
  open: number;
}

const PREFIX = 'used:';
/** A voucher that was checked before its expiry may reach its reservation after it. */
export const KEPT_LONGER_MS = 600_000;

/**
 * The used vouchers, until they expire. A use follows its reservation of money: the outcome makes it final, and a
 * transaction that was never sent gives it back. Until then only the same registration may use it again.
 */
class UsedOnce implements SingleUses {
  readonly #record: RelayRecord;
  readonly #uses = new Map<string, Use>();

  constructor(record: RelayRecord) {
    this.#record = record;
    for (const [id, text] of record.entries(PREFIX)) {
      const [expiresAtMs, holder = null] = text.split(' ');
      // The former process's reservation may still cost money, and nothing ends it now.
      this.#uses.set(id, { expiresAtMs: Number(expiresAtMs), holder, open: 1 });
    }
  }

  meterOf({ id, expiresAtMs }: SingleUse, { accountId, publicKey }: UserOfOnce): SpendMeter {
    return {
      reserve: async () => {
        const { key, holder } = await hashesOf(id, { accountId, publicKey });
        this.#forget();
        const use = this.#uses.get(key) ?? { expiresAtMs, holder, open: 0 };
        if (use.holder !== holder) {
          throw alreadyUsed();
        }
        use.open += 1;
        this.#keep(key, use);
        return {
          commit: () => {
            use.holder = null;
            this.#keep(key, use);
          },
          release: () => {
            use.open -= 1;
            if (use.open === 0 && use.holder !== null) this.#drop(key);
          },
        };
      },
    };
  }

  #keep(key: string, use: Use): void {
    this.#uses.set(key, use);
    const { expiresAtMs, holder } = use;
    this.#record.write(PREFIX + key, holder === null ? `${expiresAtMs}` : `${expiresAtMs} ${holder}`);
  }

  #drop(key: string): void {
    this.#uses.delete(key);
    this.#record.write(PREFIX + key, null);
  }

  #forget(): void {
    const now = this.#record.now();
    for (const [key, { expiresAtMs }] of this.#uses) if (expiresAtMs + KEPT_LONGER_MS < now) this.#drop(key);
  }
}
