/** Private keys that a wrapping key of this device encrypts, each under a name of its own. */
import type { SealedKey } from '../workers/sealed-key.js';
import type { AppState } from './app-state.js';
import { completed } from './connection.js';
import type { SealedKeyRecord } from './records.js';
import { type KeysDatabase, STRICT } from './schema.js';
import { makeWrappingKey } from './wrapping-key.js';

const WRAPPING_KEY = 'wrappingKey';

export interface NamedSealedKey {
  readonly name: string;
  readonly deviceNumber: number;
  readonly sealed: SealedKey;
}

export class SealedKeyStore {
  readonly #keys: KeysDatabase;
  readonly #state: AppState;

  constructor(keys: KeysDatabase, state: AppState) {
    this.#keys = keys;
    this.#state = state;
  }

  /** The key that encrypts sealed keys: AES-GCM, 256 bits, not extractable. Generated on first use. */
  async wrappingKey(): Promise<CryptoKey> {
    const stored = await this.#state.get<CryptoKey>(WRAPPING_KEY);
    if (stored) return stored;
    const made = await makeWrappingKey();
    return this.#state.write(async (store) => {
      // Another tab may have stored one first: both use that key.
      const other = await store.get(WRAPPING_KEY);
      if (other) return other.value as CryptoKey;
      await store.put({ key: WRAPPING_KEY, value: made });
      return made;
    }, STRICT);
  }

  async get(name: string, deviceNumber: number): Promise<SealedKey | undefined> {
    const record = await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) => store.get([name, deviceNumber])),
    );
    return record && 'publicKey' in record ? toSealedKey(record) : undefined;
  }

  /** The keys whose name starts with `prefix`, oldest first. */
  async list(prefix: string): Promise<NamedSealedKey[]> {
    const records = await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys'), ({ store }) =>
        store.getAll(IDBKeyRange.bound([prefix], [`${prefix}\uffff`])),
      ),
    );
    return records
      .filter((record) => 'publicKey' in record)
      .sort((a, b) => a.timestamp - b.timestamp)
      .map((record) => ({
        name: record.nearAccountId,
        deviceNumber: record.deviceNumber,
        sealed: toSealedKey(record),
      }));
  }

  /** Stores a key; replaces one of the same name. */
  async put(name: string, deviceNumber: number, sealed: SealedKey): Promise<void> {
    const { publicKey, encryptedData, iv } = sealed;
    const record: SealedKeyRecord = {
      nearAccountId: name,
      deviceNumber,
      publicKey,
      encryptedData,
      iv,
      timestamp: Date.now(),
    };
    await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), ({ store }) => store.put(record)),
    );
  }

  /** Drops a key; does nothing if there is none. Never drops an account's own key. */
  async drop(name: string, deviceNumber: number): Promise<void> {
    await this.#keys.run((keys) =>
      completed(keys.transaction('encryptedKeys', 'readwrite', STRICT), async ({ store }) => {
        const record = await store.get([name, deviceNumber]);
        if (record && 'publicKey' in record) await store.delete([name, deviceNumber]);
      }),
    );
  }
}

function toSealedKey({ publicKey, encryptedData, iv }: SealedKeyRecord): SealedKey {
  return { publicKey, encryptedData, iv };
}
