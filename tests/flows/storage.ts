// What a wallet keeps in the browser's databases.
import { type IDBPDatabase, wrap } from 'idb';
import type { Wallet } from './wallet.js';

/** Opens a database of the wallet, which exists. */
export const openDatabase = ({ storage }: Wallet, name: string): Promise<IDBPDatabase> =>
  wrap<IDBPDatabase>(storage.open(name) as unknown as IDBRequest<IDBPDatabase>);

/** The records of every store of the site, by `database/store`. */
async function allRecords(wallet: Wallet): Promise<Map<string, unknown[]>> {
  const records = new Map<string, unknown[]>();
  for (const { name = '' } of await wallet.storage.databases()) {
    const database = await openDatabase(wallet, name);
    for (const store of database.objectStoreNames)
      records.set(`${name}/${store}`, await database.getAll(store));
    database.close();
  }
  return records;
}

/** Everything in the site's storage, as text. */
export const storageText = async (wallet: Wallet): Promise<string> =>
  JSON.stringify([...(await allRecords(wallet))]);

/** How many users, authenticators and keys the wallet has stored. */
export async function storedRecords(wallet: Wallet): Promise<number> {
  const stores = [...(await allRecords(wallet))].filter(([name]) =>
    /\/(users|authenticators|encryptedKeys)$/.test(name),
  );
  return stores.flatMap(([, records]) => records).length;
}

/** The keys of a store. */
async function keysIn(wallet: Wallet, name: string, store: string): Promise<string[]> {
  const database = await openDatabase(wallet, name);
  const keys = await database.getAllKeys(store);
  database.close();
  return keys.map(String);
}

/** The accounts and devices whose keys this browser keeps: `account,device`. */
export const storedKeys = (wallet: Wallet): Promise<string[]> =>
  keysIn(wallet, 'PasskeyNearKeys', 'encryptedKeys');

/** The journal's open deletions. */
export const openDeletions = async (wallet: Wallet): Promise<string[]> =>
  (await keysIn(wallet, 'PasskeyClientDB', 'appState')).filter((key) => key.startsWith('journal:deletion:'));

interface SealedKey {
  readonly publicKey: string;
  /** base64url, as `iv`. */
  readonly encryptedData: string;
  readonly iv: string;
}

/** A thief of the disk: opens every sealed key in storage that a CryptoKey in storage opens. */
export async function keysOpenedByStorage(wallet: Wallet): Promise<{ sealed: number; opened: string[] }> {
  const wrapping: CryptoKey[] = [];
  const sealed: SealedKey[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof CryptoKey) wrapping.push(value);
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      if ('publicKey' in value && 'encryptedData' in value) sealed.push(value as SealedKey);
      for (const part of Object.values(value)) collect(part);
    }
  };
  collect([...(await allRecords(wallet)).values()]);
  const opened: string[] = [];
  for (const { publicKey, encryptedData, iv } of sealed) {
    const parameters = {
      name: 'AES-GCM',
      iv: Buffer.from(iv, 'base64url'),
      additionalData: Buffer.from(publicKey),
    };
    for (const key of wrapping) {
      await crypto.subtle.decrypt(parameters, key, Buffer.from(encryptedData, 'base64url')).then(
        () => opened.push(publicKey),
        () => undefined,
      );
    }
  }
  return { sealed: sealed.length, opened };
}
