/**
 * The two databases and the upgrade of their older versions. It keeps and completes records, and rebuilds a store
 * whose keys differ. All of it is one transaction, so it succeeds or fails as a whole.
 */
import type { IDBPDatabase, IDBPTransaction } from 'idb';
import { copiedBytes } from '../bytes.js';
import { wellFormed } from '../webauthn/transports.js';
import {
  type AnyDatabase,
  completed,
  type DatabaseDescription,
  type UpgradeTransaction,
} from './connection.js';
import {
  type AuthenticatorRecord,
  DEFAULT_PREFERENCES,
  type EncryptedKeyRecord,
  type LastUser,
  type ServerEncryptedVrfKeypair,
  type UserRecord,
} from './records.js';

export const LAST_USER = 'lastUserAccountId';
const MIGRATED_V13 = 'migrated_v13_serverKeyFields';

type Fields = Readonly<Record<string, unknown>>;

interface StoreDescription {
  readonly name: string;
  readonly keyPath: string | string[];
  /** Whether the store has an index `nearAccountId`. */
  readonly byAccount: boolean;
  /** Converts a record of any version to this one; returns undefined if its account is unknown. */
  readonly convert: (value: unknown, key: IDBValidKey) => object | undefined;
}

const USERS: StoreDescription = {
  name: 'users',
  keyPath: ['nearAccountId', 'deviceNumber'],
  byAccount: true,
  convert: convertUser,
};
const AUTHENTICATORS: StoreDescription = {
  name: 'authenticators',
  keyPath: ['nearAccountId', 'deviceNumber', 'credentialId'],
  byAccount: true,
  convert: convertAuthenticator,
};
const APP_STATE: StoreDescription = {
  name: 'appState',
  keyPath: 'key',
  byAccount: false,
  convert: (value, key) =>
    typeof key === 'string' ? (isFields(value) && value.key === key ? value : { key, value }) : undefined,
};
export const ENCRYPTED_KEYS: StoreDescription = {
  name: 'encryptedKeys',
  keyPath: ['nearAccountId', 'deviceNumber'],
  byAccount: false,
  convert: convertEncryptedKey,
};
export const CLIENT_STORES = [USERS, AUTHENTICATORS, APP_STATE];

export const CLIENT_DB: DatabaseDescription = {
  name: 'PasskeyClientDB',
  version: 13,
  upgrade: async (database, transaction) => {
    for (const store of CLIENT_STORES) await upgradeStore(database, transaction, store);
    await completeClient(transaction);
  },
  // A database of version 13 without the mark holds records that were never completed.
  opened: async (database) => {
    const mark = await completed(database.transaction(APP_STATE.name), ({ store }) =>
      store.get(MIGRATED_V13),
    );
    if (mark) return;
    const names = CLIENT_STORES.map(({ name }) => name);
    await completed(database.transaction(names, 'readwrite'), async (transaction) => {
      for (const store of CLIENT_STORES) await rewrite(transaction, store, await readAll(transaction, store));
      await completeClient(transaction);
    });
  },
};

export const KEYS_DB: DatabaseDescription = {
  name: 'PasskeyNearKeys',
  version: 2,
  upgrade: (database, transaction) => upgradeStore(database, transaction, ENCRYPTED_KEYS),
};

type WritingTransaction = IDBPTransaction<unknown, string[], 'readwrite' | 'versionchange'>;

interface Found {
  readonly value: unknown;
  readonly key: IDBValidKey;
}

async function upgradeStore(
  database: AnyDatabase,
  transaction: UpgradeTransaction,
  store: StoreDescription,
): Promise<void> {
  if (!database.objectStoreNames.contains(store.name)) {
    create(database, store);
    return;
  }
  const found = await readAll(transaction, store);
  if (!isLaidOut(transaction, store)) {
    database.deleteObjectStore(store.name);
    create(database, store);
  }
  await rewrite(transaction, store, found);
}

function create(database: IDBPDatabase, { name, keyPath, byAccount }: StoreDescription): void {
  const created = database.createObjectStore(name, { keyPath });
  if (byAccount) created.createIndex('nearAccountId', 'nearAccountId');
}

function isLaidOut(transaction: UpgradeTransaction, { name, keyPath, byAccount }: StoreDescription): boolean {
  const store = transaction.objectStore(name);
  const indexes = [...store.indexNames].map((at) => store.index(at));
  const areIndexesOurs = byAccount
    ? indexes.length === 1 && indexes.every((at) => at.keyPath === 'nearAccountId' && !at.unique)
    : indexes.length === 0;
  return areIndexesOurs && JSON.stringify(store.keyPath) === JSON.stringify(keyPath);
}

/** Every record with its key, the last changed one last: it wins if two records get the same key. */
async function readAll(transaction: WritingTransaction, { name }: StoreDescription): Promise<Found[]> {
  const store = transaction.objectStore(name);
  const [values, keys] = await Promise.all([store.getAll(), store.getAllKeys()]);
  const found = keys.map((key, at) => ({ key, value: values[at] as unknown }));
  return found.sort((a, b) => changedAt(a.value) - changedAt(b.value));
}

async function rewrite(
  transaction: WritingTransaction,
  { name, convert }: StoreDescription,
  found: readonly Found[],
): Promise<void> {
  const store = transaction.objectStore(name);
  for (const { value, key } of found) {
    const converted = convert(value, key);
    if (converted) await store.put?.(converted);
  }
}

/** Completes what spans stores: the last user's device, which older versions did not name, and the mark. */
async function completeClient(transaction: WritingTransaction): Promise<void> {
  const appState = transaction.objectStore(APP_STATE.name);
  const last: unknown = (await appState.get(LAST_USER))?.value;
  const accountId = isFields(last) ? last.accountId : last;
  if (typeof accountId === 'string') {
    const users: UserRecord[] = await transaction
      .objectStore(USERS.name)
      .index('nearAccountId')
      .getAll(accountId);
    const newest = users.sort((a, b) => b.lastUpdated - a.lastUpdated)[0];
    const deviceNumber = deviceOf(isFields(last) ? last.deviceNumber : newest?.deviceNumber);
    await appState.put?.({ key: LAST_USER, value: { accountId, deviceNumber } satisfies LastUser });
  } else if (last !== undefined) {
    await appState.delete?.(LAST_USER);
  }
  await appState.put?.({ key: MIGRATED_V13, value: true });
}

// -------------------------------------------------------------- records

function convertUser(value: unknown, key: IDBValidKey): (Fields & Partial<UserRecord>) | undefined {
  const device = deviceRecord(value, key);
  if (!device) return undefined;
  const lastLogin = numberOf(device.lastLogin) ?? null;
  const registeredAt = numberOf(device.registeredAt) ?? lastLogin ?? numberOf(device.lastUpdated) ?? 0;
  const lastUpdated = numberOf(device.lastUpdated) ?? registeredAt;
  return {
    ...device,
    registeredAt,
    lastLogin,
    lastUpdated,
    preferences: { ...DEFAULT_PREFERENCES, ...(isFields(device.preferences) ? device.preferences : {}) },
    serverEncryptedVrfKeypair: serverLock(device.serverEncryptedVrfKeypair, lastUpdated),
  };
}

/** A lock without the relay's key id cannot be opened or renewed: the next login creates a new one by the passkey. */
function serverLock(value: unknown, lastUpdated: number): ServerEncryptedVrfKeypair | null {
  if (!isFields(value)) return null;
  const { ciphertextVrfB64u, kek_s_b64u, serverKeyId } = value;
  if (!isText(ciphertextVrfB64u) || !isText(kek_s_b64u) || !isText(serverKeyId)) return null;
  return { ciphertextVrfB64u, kek_s_b64u, serverKeyId, updatedAt: numberOf(value.updatedAt) ?? lastUpdated };
}

function convertAuthenticator(
  value: unknown,
  key: IDBValidKey,
): (Fields & Partial<AuthenticatorRecord>) | undefined {
  const device = deviceRecord(value, key);
  const credentialId = device?.credentialId ?? (Array.isArray(key) ? key.at(-1) : key);
  if (!device || !isText(credentialId)) return undefined;
  const { deviceNumber, credentialPublicKey, transports, name, registered, syncedAt } = device;
  return {
    ...device,
    credentialId,
    credentialPublicKey: copiedBytes(credentialPublicKey) ?? new Uint8Array(),
    transports: wellFormed(transports),
    name: isText(name) ? name : deviceNumber > 1 ? `device ${deviceNumber}` : 'Passkey',
    syncedAt: isText(syncedAt) ? syncedAt : isText(registered) ? registered : new Date(0).toISOString(),
  };
}

function convertEncryptedKey(
  value: unknown,
  key: IDBValidKey,
): (Fields & Partial<EncryptedKeyRecord>) | undefined {
  const device = deviceRecord(value, key);
  return device && { ...device, timestamp: numberOf(device.timestamp) ?? 0 };
}

interface DeviceRecord extends Fields {
  readonly nearAccountId: string;
  readonly deviceNumber: number;
}

/** A record's fields with its account and device; a record without a device belongs to the first. */
function deviceRecord(value: unknown, key: IDBValidKey): DeviceRecord | undefined {
  if (!isFields(value)) return undefined;
  const nearAccountId = value.nearAccountId ?? (Array.isArray(key) ? key[0] : key);
  if (!isText(nearAccountId)) return undefined;
  return { ...value, nearAccountId, deviceNumber: deviceOf(value.deviceNumber) };
}

function deviceOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : 1;
}

function changedAt(value: unknown): number {
  if (!isFields(value)) return 0;
  return numberOf(value.lastUpdated) ?? numberOf(value.timestamp) ?? 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
