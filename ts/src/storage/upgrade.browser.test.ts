import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WalletStore } from './store.js';
import { ALICE, deleteDatabases, describeRaw, entry, makeRaw } from './testing/databases.js';

const BOB = 'bob.w3a-v1.testnet';
const LOCK = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k' };
const MARK = { key: 'migrated_v13_serverKeyFields', value: true };
const { user, authenticator, encryptedKey } = entry(ALICE).records;
const LAYOUT = [
  ['appState', 'key', []],
  ['authenticators', ['nearAccountId', 'deviceNumber', 'credentialId'], ['nearAccountId']],
  ['users', ['nearAccountId', 'deviceNumber'], ['nearAccountId']],
];
let store: WalletStore;

/** Today's stores with records of an older version. */
function makeClient(version: number, users: object[], authenticators: object[], appState: object[]) {
  return makeRaw('PasskeyClientDB', version, (database) => {
    const accounts = database.createObjectStore('users', { keyPath: ['nearAccountId', 'deviceNumber'] });
    accounts.createIndex('nearAccountId', 'nearAccountId');
    const passkeys = database.createObjectStore('authenticators', {
      keyPath: ['nearAccountId', 'deviceNumber', 'credentialId'],
    });
    passkeys.createIndex('nearAccountId', 'nearAccountId');
    const state = database.createObjectStore('appState', { keyPath: 'key' });
    for (const record of users) accounts.put(record);
    for (const record of authenticators) passkeys.put(record);
    for (const record of appState) state.put(record);
  });
}

async function layout() {
  const { version, stores } = await describeRaw('PasskeyClientDB');
  return { version, stores: stores.map(({ name, keyPath, indexes }) => [name, keyPath, indexes]) };
}

beforeEach(async () => {
  await deleteDatabases();
  store = new WalletStore();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  await deleteDatabases();
});

describe('a database of an older version (core 3)', () => {
  it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
    'gets its missing stores (version %i)',
    async (version) => {
      await makeRaw('PasskeyClientDB', version);
      expect(await store.users()).toEqual([]);
      await store.close();
      expect(await layout()).toEqual({ version: 13, stores: LAYOUT });
    },
  );

  it('keeps its records and its last user', async () => {
    const full = {
      ...user,
      lastLogin: 5,
      serverEncryptedVrfKeypair: { ...LOCK, serverKeyId: 's', updatedAt: 4 },
    };
    const last = { accountId: ALICE, deviceNumber: 1 };
    await makeClient(12, [full], [authenticator], [{ key: 'lastUserAccountId', value: last }]);
    expect(await store.users()).toEqual([full]);
    expect(await store.authenticators(ALICE)).toEqual([authenticator]);
    expect(await store.lastUser()).toEqual(last);
  });

  it("drops a server lock that does not name the relay's key, and completes one that does", async () => {
    await makeClient(
      12,
      [
        { ...user, serverEncryptedVrfKeypair: LOCK },
        {
          ...user,
          nearAccountId: BOB,
          lastUpdated: 9,
          serverEncryptedVrfKeypair: { ...LOCK, serverKeyId: 's' },
        },
      ],
      [],
      [],
    );
    expect((await store.user(ALICE))?.serverEncryptedVrfKeypair).toBeNull();
    expect((await store.user(BOB))?.serverEncryptedVrfKeypair).toEqual({
      ...LOCK,
      serverKeyId: 's',
      updatedAt: 9,
    });
    expect((await store.user(ALICE))?.encryptedVrfKeypair).toEqual(user.encryptedVrfKeypair);
  });

  it('completes records that lack later fields', async () => {
    const {
      preferences: _,
      serverEncryptedVrfKeypair: __,
      lastLogin: ___,
      registeredAt: ____,
      ...bare
    } = user;
    const { transports: _____, name, syncedAt, ...passkey } = authenticator;
    await makeClient(
      9,
      [{ ...bare, note: 'kept' }],
      [{ ...passkey, deviceNumber: 2, credentialPublicKey: [1, 2, 3] }],
      [],
    );
    expect(await store.users()).toEqual([{ ...user, registeredAt: user.lastUpdated, note: 'kept' }]);
    expect(await store.authenticators(ALICE)).toEqual([
      { ...authenticator, transports: [], syncedAt, deviceNumber: 2, name: 'device 2' },
    ]);
  });

  it('is rebuilt if its keys differ, and a record without a device belongs to the first', async () => {
    const { deviceNumber: _, ...ofAccount } = user;
    const { deviceNumber: __, ...passkey } = authenticator;
    const { nearAccountId: ___, ...nameless } = ofAccount;
    await makeRaw('PasskeyClientDB', 3, (database) => {
      const users = database.createObjectStore('users');
      users.createIndex('nearAccountId', 'nearAccountId', { unique: true });
      users.put(ofAccount, ALICE);
      users.put({ ...nameless, clientNearPublicKey: 'ed25519:bob' }, BOB);
      const passkeys = database.createObjectStore('authenticators', {
        keyPath: ['nearAccountId', 'credentialId'],
      });
      passkeys.put(passkey);
      const state = database.createObjectStore('appState');
      state.put(BOB, 'lastUserAccountId');
      state.put('dark', 'theme');
      database.createObjectStore('somethingElse').put('kept', 1);
    });
    expect(await store.users()).toEqual([
      { ...user, nearAccountId: BOB, clientNearPublicKey: 'ed25519:bob' },
      user,
    ]);
    expect(await store.authenticators(ALICE)).toEqual([authenticator]);
    expect(await store.lastUser()).toEqual({ accountId: BOB, deviceNumber: 1 });
    await store.close();
    expect((await layout()).stores.filter(([name]) => name !== 'somethingElse')).toEqual(LAYOUT);
    const { stores } = await describeRaw('PasskeyClientDB');
    expect(stores.find(({ name }) => name === 'appState')?.records).toEqual([
      { key: 'lastUserAccountId', value: { accountId: BOB, deviceNumber: 1 } },
      MARK,
      { key: 'theme', value: 'dark' },
    ]);
    expect(stores.find(({ name }) => name === 'somethingElse')?.records).toEqual(['kept']);
  });

  it('accepts a second device of an account although its old index allowed only one', async () => {
    await makeRaw('PasskeyClientDB', 11, (database) => {
      const users = database.createObjectStore('users', { keyPath: ['nearAccountId', 'deviceNumber'] });
      users.createIndex('nearAccountId', 'nearAccountId', { unique: true });
      users.put(user);
    });
    const { records, ...registration } = entry(ALICE);
    const second = { ...user, deviceNumber: 2 };
    await store.commitEntry({ ...registration, records: { ...records, user: second } });
    expect(await store.users()).toHaveLength(2);
  });

  it.each([[1, 2, 3], Uint8Array.of(1, 2, 3).buffer])('keeps the bytes of a passkey (%o)', async (bytes) => {
    await makeClient(12, [], [{ ...authenticator, credentialPublicKey: bytes }], []);
    expect(await store.authenticators(ALICE)).toEqual([authenticator]);
  });

  it('keeps the newer record when two collide on one device', async () => {
    await makeRaw('PasskeyClientDB', 2, (database) => {
      const users = database.createObjectStore('users', { autoIncrement: true });
      users.put({ ...user, lastUpdated: 8, lastLogin: 8 });
      users.put({ ...user, lastUpdated: 3, lastLogin: 3 });
      users.put({ nothing: 'of an account' });
    });
    expect(await store.users()).toEqual([{ ...user, lastUpdated: 8, lastLogin: 8 }]);
  });

  it('adds the device to a last user that named only the account', async () => {
    const second = { ...user, deviceNumber: 2, lastUpdated: 7 };
    await makeClient(10, [user, second], [], [{ key: 'lastUserAccountId', value: ALICE }]);
    expect(await store.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 2 });
    expect((await store.user(ALICE))?.deviceNumber).toBe(2);
  });

  it.each([
    ['by account', { keyPath: 'nearAccountId' }],
    ['as today', { keyPath: ['nearAccountId', 'deviceNumber'] }],
  ])('keeps its encrypted keys (stored %s)', async (_, options: IDBObjectStoreParameters) => {
    const { deviceNumber: __, ...ofAccount } = encryptedKey;
    const old = typeof options.keyPath === 'string' ? ofAccount : encryptedKey;
    await makeRaw('PasskeyNearKeys', 1, (database) => {
      database.createObjectStore('encryptedKeys', options).put(old);
    });
    expect(await store.encryptedKey(ALICE, 1)).toEqual(encryptedKey);
  });

  it('stays unchanged when its upgrade fails, and is upgraded the next time', async () => {
    const old = { ...user, serverEncryptedVrfKeypair: LOCK };
    await makeClient(12, [old], [authenticator], []);
    vi.spyOn(IDBObjectStore.prototype, 'put')
      .mockImplementationOnce(IDBObjectStore.prototype.put)
      .mockImplementationOnce(() => {
        throw new DOMException('no room', 'QuotaExceededError');
      });
    await expect(store.users()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const { version, stores } = await describeRaw('PasskeyClientDB');
    expect(version).toBe(12);
    expect(stores.map(({ records }) => records)).toEqual([[], [authenticator], [old]]);
    vi.restoreAllMocks();
    expect(await store.users()).toEqual([{ ...old, serverEncryptedVrfKeypair: null }]);
  });

  it('of version 13 without the mark is completed once', async () => {
    await makeClient(13, [{ ...user, serverEncryptedVrfKeypair: LOCK }], [authenticator], []);
    expect((await store.user(ALICE))?.serverEncryptedVrfKeypair).toBeNull();
    await store.close();
    const { stores } = await describeRaw('PasskeyClientDB');
    expect(stores[0]?.records).toEqual([MARK]);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    await store.users();
    expect(put).not.toHaveBeenCalled();
  });

  it('of version 13 without the mark stays unchanged when that fails, and blocks no later opening', async () => {
    const old = { ...user, serverEncryptedVrfKeypair: LOCK };
    await makeClient(13, [old], [authenticator], []);
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === 'appState') throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, args);
    });
    await expect(store.users()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    vi.restoreAllMocks();
    const { stores } = await describeRaw('PasskeyClientDB');
    expect(stores.map(({ records }) => records)).toEqual([[], [authenticator], [old]]);
    await makeRaw('PasskeyClientDB', 14);
  });
});
