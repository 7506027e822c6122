/** Shared by the storage tests: records of one account, and databases created with raw IndexedDB calls. */
import type { RegistrationEntry } from '../records.js';

export const ALICE = 'alice.w3a-v1.testnet';

/** A registration's entry; `passkey` is the id of the passkey in its records. */
export function entry(
  accountId: string,
  registeredAt = 1,
  credentialId = 'credential',
  passkey = 'credential',
): RegistrationEntry {
  const device = { nearAccountId: accountId, deviceNumber: 1 };
  return {
    kind: 'registration',
    accountId,
    nearPublicKey: 'ed25519:key',
    vrfPublicKeys: { bootstrap: 'b', deterministic: 'd' },
    credentialId,
    challengeHeight: 100,
    request: { new_account_id: accountId },
    createdAt: registeredAt,
    records: {
      user: {
        ...device,
        registeredAt,
        lastLogin: null,
        lastUpdated: registeredAt,
        clientNearPublicKey: 'ed25519:key',
        passkeyCredential: { id: passkey, rawId: passkey },
        preferences: { useRelayer: false, useNetwork: 'testnet' },
        encryptedVrfKeypair: { encryptedVrfDataB64u: 'x', chacha20NonceB64u: 'y' },
        serverEncryptedVrfKeypair: null,
      },
      authenticator: {
        ...device,
        credentialId: passkey,
        credentialPublicKey: new Uint8Array([1, 2, 3]),
        transports: ['internal'],
        name: 'Passkey',
        registered: '2026-01-01T00:00:00.000Z',
        syncedAt: '2026-01-01T00:00:00.000Z',
        vrfPublicKey: 'd',
      },
      encryptedKey: { ...device, encryptedData: 'cipher', iv: 'nonce', timestamp: registeredAt },
    },
  };
}

/** Opens a database as another program would: `upgrade` creates its stores, and only the caller closes it. */
export function openRaw(
  name: string,
  version?: number,
  upgrade: (database: IDBDatabase, transaction: IDBTransaction) => void = () => undefined,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      if (request.transaction) upgrade(request.result, request.transaction);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Creates a database and closes it. */
export async function makeRaw(...of: Parameters<typeof openRaw>): Promise<void> {
  (await openRaw(...of)).close();
}

/** Version, stores, keys and records of a database. */
export async function describeRaw(name: string) {
  const database = await openRaw(name);
  const stores = await Promise.all(
    [...database.objectStoreNames].map(async (at) => {
      const store = database.transaction(at).objectStore(at);
      const { keyPath, indexNames } = store;
      const request = store.getAll();
      const records = await new Promise<unknown[]>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
      return { name: at, keyPath, indexes: [...indexNames], records };
    }),
  );
  const { version } = database;
  database.close();
  return { version, stores };
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Deletes both databases of the wallet once every connection to them has closed. */
export async function deleteDatabases(): Promise<void> {
  await deleteDatabase('PasskeyClientDB');
  await deleteDatabase('PasskeyNearKeys');
}
