/** A pinned database: a dump of what a release wrote, as JSON, and how it becomes a database again. */
import { base64urlnopad } from '@scure/base';
import { makeRaw } from './databases.js';

interface PinnedStore {
  readonly name: string;
  readonly keyPath: string | string[];
  readonly indexes: readonly string[];
  readonly records: readonly unknown[];
}

/** By name of the database. Bytes are `{ $bytes }`, base64url; a wrapping key is `{ $wrappingKey }`, its 32 bytes. */
export type Pinned = Readonly<
  Record<string, { readonly version: number; readonly stores: readonly PinnedStore[] }>
>;

/** A value of the dump as it was in the database. */
export async function revived(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(revived));
  if (typeof value !== 'object' || value === null) return value;
  if ('$bytes' in value) return base64urlnopad.decode(String(value.$bytes));
  if ('$wrappingKey' in value) {
    const raw = base64urlnopad.decode(String(value.$wrappingKey)) as Uint8Array<ArrayBuffer>;
    return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  }
  const fields = Object.entries(value).map(async ([key, inner]) => [key, await revived(inner)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

/** Writes the pinned databases as that release left them. */
export async function restore(pinned: Pinned): Promise<void> {
  for (const [name, { version, stores }] of Object.entries(pinned)) {
    const records = await Promise.all(stores.map((store) => revived(store.records)));
    await makeRaw(name, version, (database) => {
      for (const [at, { name: store, keyPath, indexes }] of stores.entries()) {
        const made = database.createObjectStore(store, { keyPath });
        for (const index of indexes) made.createIndex(index, index);
        for (const record of records[at] as unknown[]) made.put(record);
      }
    });
  }
}
