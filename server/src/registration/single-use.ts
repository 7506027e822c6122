/** The record of what pays once only, such as a voucher. */
import * as v from 'valibot';
import { Refusal } from '../http/refusal.js';
import type { ReservationOf } from '../relayer/job-text.js';
import type { RelayRecord } from '../relayer/record.js';
import type { SpendMeter, SpendReservation } from '../relayer/spend.js';
import { createUnkept, type Unkept } from '../relayer/unkept.js';
import { shortHash } from './hash.js';

/** Something that pays once only: for one registration, or into one app key. */
export interface SingleUse {
  /** Unique among all that the hook accepts. The record holds only its hash. */
  readonly id: string;
  /** When the hook refuses it by itself, in milliseconds since 1970: the relay remembers it until then. */
  readonly expiresAtMs: number;
}

/** The registration or payment that uses it. */
export interface UserOfOnce {
  readonly accountId: string;
  /** `ed25519:` and base58 of 32 bytes. */
  readonly publicKey: string;
  /** yoctoNEAR paid into this key; undefined for a registration. */
  readonly amountYocto?: bigint | undefined;
}

export interface SingleUses {
  /** The meter that takes it with a reservation, and gives it back when that is released. */
  meterOf(once: SingleUse, user: UserOfOnce): SpendMeter;
}

export interface LocalUses extends SingleUses {
  /** The reservation of a ticket of one of these uses. */
  readonly reservationOf: ReservationOf;
}

/** The uses that this record keeps. */
export function createSingleUses(record: RelayRecord): SingleUses {
  return openSingleUses(record);
}

/** The same, whose reservations a later process ends by their tickets. */
export function openSingleUses(record: RelayRecord, unkept: Unkept = createUnkept(record)): LocalUses {
  return new UsedOnce(record, unkept);
}

export async function hashesOf(id: string, { accountId, publicKey, amountYocto }: UserOfOnce) {
  const user = [accountId, publicKey, ...(amountYocto === undefined ? [] : [amountYocto])].join('|');
  const [key, holder] = await Promise.all([shortHash(id), shortHash(user)]);
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
  /** The ids of the holder's reservations that may still cost money. */
  readonly open: Set<string>;
}

const PREFIX = 'used:';
/** A voucher that was checked before its expiry may reach its reservation after it. */
export const KEPT_LONGER_MS = 600_000;
/** A reservation's place: the hash of what it uses, and its id. */
const TicketSchema = v.tuple([v.literal('use'), v.string(), v.string()]);
/** Of an entry that names no reservation, as former versions wrote it: its reservation may still cost money. */
const UNNAMED = 'unnamed';

/**
 * The used vouchers, until they expire. A use follows its reservation of money: the outcome makes it final, and a
 * transaction that was never sent gives it back. Until then only the same registration may use it again.
 */
class UsedOnce implements LocalUses {
  readonly #record: RelayRecord;
  readonly #unkept: Unkept;
  readonly #uses = new Map<string, Use>();

  constructor(record: RelayRecord, unkept: Unkept) {
    this.#record = record;
    this.#unkept = unkept;
    for (const [key, text] of record.entries(PREFIX)) {
      const [expiresAtMs, holder = null, open = UNNAMED] = text.split(' ');
      this.#uses.set(key, { expiresAtMs: Number(expiresAtMs), holder, open: new Set(open.split(',')) });
    }
  }

  meterOf({ id: used, expiresAtMs }: SingleUse, user: UserOfOnce): SpendMeter {
    return {
      reserve: async () => {
        const { key, holder } = await hashesOf(used, user);
        this.#forget();
        const use = this.#uses.get(key) ?? { expiresAtMs, holder, open: new Set() };
        if (use.holder !== holder) {
          throw alreadyUsed();
        }
        const id = crypto.randomUUID();
        use.open.add(id);
        this.#keep(key, use);
        const ticket = JSON.stringify(['use', key, id]);
        this.#unkept.add(ticket);
        return this.#reservation(ticket, key, id);
      },
    };
  }

  readonly reservationOf: ReservationOf = (text) => {
    const ticket = v.safeParse(TicketSchema, JSON.parse(text));
    return ticket.success ? this.#reservation(text, ticket.output[1], ticket.output[2]) : null;
  };

  #reservation(ticket: string, key: string, id: string): SpendReservation {
    const end = (isUsed: boolean): void => {
      this.#unkept.delete(ticket);
      const use = this.#uses.get(key);
      if (!use?.open.delete(id)) return;
      if (isUsed) use.holder = null;
      if (use.open.size === 0 && use.holder !== null) this.#drop(key);
      else this.#keep(key, use);
    };
    return { tickets: [ticket], commit: () => end(true), release: () => end(false) };
  }

  #keep(key: string, use: Use): void {
    this.#uses.set(key, use);
    const { expiresAtMs, holder, open } = use;
    const text = holder === null ? `${expiresAtMs}` : `${expiresAtMs} ${holder} ${[...open].join(',')}`;
    this.#record.write(PREFIX + key, text);
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
