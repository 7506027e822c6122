/**
 * The passkey of an account without a name gives its address, which is its id, and money sent there is lost where the passkey gives
 * other keys the next time. So until the passkey is proven, what leaves the wallet has a placeholder in the place of that id, and no
 * public key, which is the same number. The wallet takes the placeholder in every call, also after the proof.
 */
import { LatchkeyError } from '../errors/core.js';
import { isRecord } from '../is-record.js';
import { isNearImplicitAccountId } from '../near/account-id.js';
import { isIdOf } from '../near/id-of-key.js';
import { PLACEHOLDER_SUFFIX } from '../near/placeholder-id.js';
import type { WalletStore } from '../storage/store.js';

const PLACEHOLDER_BYTES = 6;

/** An account of the passkey alone. */
export interface PasskeyAccount {
  readonly accountId: string;
  /** `ed25519:...`. */
  readonly publicKey: string;
  /** base64url. */
  readonly credentialId: string;
}

interface Known extends PasskeyAccount {
  readonly placeholder: string;
  readonly isHidden: boolean;
}

const addresses = new WeakMap<WalletStore, HiddenAddresses>();

/** The one of the wallet with this store. */
export function hiddenAddresses(store: WalletStore): HiddenAddresses {
  const known = addresses.get(store) ?? new HiddenAddresses(store);
  addresses.set(store, known);
  return known;
}

export class HiddenAddresses {
  readonly #store: WalletStore;
  #known: readonly Known[] = [];
  /** Accounts that a passkey opened, by id, while this device has no record of them. */
  readonly #opened = new Map<string, Known>();

  constructor(store: WalletStore) {
    this.#store = store;
  }

  /** Reads which accounts of this device are proven. Where storage fails, what was read last counts. */
  async read(): Promise<void> {
    const users = await this.#store.usersOnDevice().catch(() => undefined);
    if (!users) return;
    const nameless = users.filter(({ nearAccountId }) => isNearImplicitAccountId(nearAccountId));
    const stored = await Promise.all(
      nameless.map(async (user) =>
        known(
          {
            accountId: user.nearAccountId,
            publicKey: user.clientNearPublicKey,
            credentialId: user.passkeyCredential.id,
          },
          user.passkeyProven !== true,
        ),
      ),
    );
    for (const { accountId } of stored) this.#opened.delete(accountId);
    this.#known = [...stored, ...this.#opened.values()];
  }

  /** Hides an account that this device may have no record of. */
  async learn(account: PasskeyAccount): Promise<void> {
    this.#opened.set(account.accountId, await known(account, true));
    await this.read();
  }

  /** The value as it may leave the wallet. An error is changed in its place. */
  hide<T>(value: T): T {
    const hidden = this.#known.filter(({ isHidden }) => isHidden);
    if (hidden.length === 0) return value;
    const inText = (text: string): string => {
      let shown = text;
      for (const { accountId, publicKey, placeholder } of hidden)
        shown = shown.replaceAll(publicKey, '').replaceAll(accountId, placeholder);
      return shown;
    };
    return mapped(value, inText) as T;
  }

  /** An argument of a call, with the accounts in the place of their placeholders. Its callbacks get what may leave the wallet. */
  open<T>(argument: T): T {
    if (typeof argument === 'string') return this.#accountOf(argument) as T;
    if (!isPlain(argument)) return argument;
    const opened = Object.entries(argument).map(([field, value]) => {
      if (typeof value === 'string') return [field, this.#accountOf(value)];
      if (typeof value === 'function') return [field, (...given: unknown[]) => value(...this.hide(given))];
      return [field, field === 'options' ? this.open(value) : value];
    });
    return Object.fromEntries(opened) as T;
  }

  #accountOf(text: string): string {
    return this.#known.find(({ placeholder }) => placeholder === text)?.accountId ?? text;
  }
}

/** Hidden or not: only an address that the passkey itself gives is. */
async function known(account: PasskeyAccount, isUnproven: boolean): Promise<Known> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(account.credentialId));
  const digits = [...new Uint8Array(hash, 0, PLACEHOLDER_BYTES)].map((byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  const isHidden = isUnproven && isIdOf(account.accountId, account.publicKey);
  return { ...account, isHidden, placeholder: `wallet-${digits.join('')}${PLACEHOLDER_SUFFIX}` };
}

function mapped(value: unknown, inText: (text: string) => string): unknown {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, inText));
  if (value instanceof LatchkeyError) {
    const { message, stack, cause, values, details } = value;
    return Object.assign(value, {
      message: inText(message),
      stack: stack && inText(stack),
      cause: mapped(cause, inText),
      values: mapped(values, inText),
      details: mapped(details, inText),
    });
  }
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, mapped(each, inText)]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
