import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TEMPORARY_LINKING_KEY } from './records.js';
import { WalletStore } from './store.js';
import { ALICE, deleteDatabases, describeRaw, entry } from './testing/databases.js';

let store: WalletStore;

beforeEach(() => {
  store = new WalletStore();
});

afterEach(async () => {
  await store.close();
  await deleteDatabases();
});

describe('the local databases (core 3, core 4)', () => {
  it('have the names, versions, stores and keys of the specification', async () => {
    await store.users();
    await store.encryptedKey(ALICE, 1);
    await store.close();
    const described = await Promise.all(['PasskeyClientDB', 'PasskeyNearKeys'].map(describeRaw));
    const layouts = described.map(({ version, stores }) => [
      version,
      stores.map(({ name, keyPath, indexes }) => [name, keyPath, indexes]),
    ]);
    expect(layouts).toEqual([
      [
        13,
        [
          ['appState', 'key', []],
          ['authenticators', ['nearAccountId', 'deviceNumber', 'credentialId'], ['nearAccountId']],
          ['users', ['nearAccountId', 'deviceNumber'], ['nearAccountId']],
        ],
      ],
      [2, [['encryptedKeys', ['nearAccountId', 'deviceNumber'], []]]],
    ]);
    expect(described[0]?.stores[0]?.records).toEqual([{ key: 'migrated_v13_serverKeyFields', value: true }]);
  });

  it('store no record of an account before its registration is committed', async () => {
    await store.journal.open(entry(ALICE));
    expect(await store.user(ALICE)).toBeUndefined();
    expect(await store.authenticators(ALICE)).toEqual([]);
    expect(await store.encryptedKey(ALICE, 1)).toBeUndefined();
    expect(await store.lastUser()).toBeUndefined();
  });

  it('commit all records of a registration and close its entry', async () => {
    const made = entry(ALICE);
    await store.journal.open(made);
    await store.commitEntry(made, { lastLogin: 7 });
    expect(await store.user(ALICE)).toMatchObject({ nearAccountId: ALICE, lastLogin: 7 });
    expect(await store.authenticators(ALICE)).toEqual([made.records.authenticator]);
    expect(await store.encryptedKey(ALICE, 1)).toEqual(made.records.encryptedKey);
    expect(await store.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 1 });
    expect(await store.journal.entries('registration')).toEqual([]);
  });

  it('commit an entry again after an interruption', async () => {
    const made = entry(ALICE);
    await store.journal.open(made);
    await store.commitEntry(made);
    await store.commitEntry(made);
    expect(await store.users()).toHaveLength(1);
  });

  it('keep an entry over a restart, and refuse a second one for the account', async () => {
    await store.journal.open(entry(ALICE));
    await store.close();
    const next = new WalletStore();
    expect(await next.journal.entries('registration')).toEqual([entry(ALICE)]);
    expect(await next.journal.open(entry(ALICE, 2))).toBe(false);
    expect(await next.journal.entry('registration', ALICE)).toMatchObject({ createdAt: 1 });
    await next.close();
  });

  describe('report an abort once, without an unhandled rejection', () => {
    const unhandled: unknown[] = [];
    const note = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      unhandled.push(event.reason);
    };

    beforeEach(async () => {
      unhandled.length = 0;
      addEventListener('unhandledrejection', note);
      await store.commitEntry(entry(ALICE));
    });

    afterEach(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      removeEventListener('unhandledrejection', note);
      expect(unhandled).toEqual([]);
    });

    it('of a write', async () => {
      const { put } = IDBObjectStore.prototype;
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (
        this: IDBObjectStore,
        value,
      ) {
        const request = put.call(this, value);
        this.transaction.abort();
        return request;
      });
      await expect(store.updateUser(ALICE, 1, { lastLogin: 9 })).rejects.toMatchObject({
        code: 'STORAGE_INTERRUPTED',
      });
      expect((await store.user(ALICE, 1))?.lastLogin).toBeNull();
    });

    it('of a read that already had its answer', async () => {
      const { get } = IDBObjectStore.prototype;
      vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(function (this: IDBObjectStore, key) {
        const request = get.call(this, key);
        request.addEventListener('success', () => this.transaction.abort());
        return request;
      });
      await expect(store.user(ALICE, 1)).rejects.toMatchObject({ code: 'STORAGE_INTERRUPTED' });
    });
  });

  it('drop the entry of a failed registration', async () => {
    await store.journal.open(entry(ALICE));
    await store.journal.open(entry('bob.w3a-v1.testnet'));
    await store.journal.drop(entry(ALICE));
    expect((await store.journal.entries('registration')).map(({ accountId }) => accountId)).toEqual([
      'bob.w3a-v1.testnet',
    ]);
  });

  it('keep a newer entry of another tab when the older one is dropped', async () => {
    await store.journal.open(entry(ALICE, 2, 'another passkey'));
    await store.journal.drop(entry(ALICE, 1, 'credential'));
    await store.journal.update(entry(ALICE, 1, 'credential'), { createdAt: 9 });
    expect(await store.journal.entries('registration')).toEqual([entry(ALICE, 2, 'another passkey')]);
  });

  it('record a change in the entry', async () => {
    await store.journal.open(entry(ALICE));
    await store.journal.update(entry(ALICE), { createdAt: 9 });
    expect(await store.journal.entries('registration')).toEqual([{ ...entry(ALICE), createdAt: 9 }]);
  });

  it('list accounts, the last used one first', async () => {
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const made = entry(`${name}.testnet`, index);
      await store.journal.open(made);
      await store.commitEntry(made);
    }
    await store.setLastUser({ accountId: 'b.testnet', deviceNumber: 1 });
    expect((await store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([
      'b.testnet',
      'c.testnet',
      'a.testnet',
    ]);
  });

  it('change an existing record and create none', async () => {
    const made = entry(ALICE);
    await store.journal.open(made);
    await store.commitEntry(made);
    await store.updateUser(ALICE, 1, { lastLogin: 99 });
    await store.updateUser('nobody.testnet', 1, { lastLogin: 99 });
    expect(await store.user(ALICE)).toMatchObject({ lastLogin: 99 });
    expect(await store.users()).toHaveLength(1);
  });

  it('keep the key that the wallet scanned last over a reload, for every host [S30]', async () => {
    const framed = new WalletStore(undefined, 'https://app.example');
    for (const publicKey of ['ed25519:first', 'ed25519:second'])
      await framed.keepScannedKey({ publicKey, scannedAt: 7 });
    await framed.close();
    const next = new WalletStore(undefined, 'https://other.example');
    expect(await next.scannedKey()).toEqual({ publicKey: 'ed25519:second', scannedAt: 7 });
    await next.close();
  });

  it('keep sealed keys under their own names over a restart, and drop them without touching an account', async () => {
    const sealed = { publicKey: 'ed25519:p', encryptedData: 'data', iv: 'nonce' };
    await store.commitEntry(entry(ALICE));
    await store.sealedKeys.put(TEMPORARY_LINKING_KEY, 1, sealed);
    await store.sealedKeys.put(TEMPORARY_LINKING_KEY, 2, { ...sealed, publicKey: 'ed25519:q' });
    await store.close();
    expect(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, 1)).toEqual(sealed);
    expect(await store.sealedKeys.get(ALICE, 1)).toBeUndefined();
    await store.sealedKeys.drop(TEMPORARY_LINKING_KEY, 1);
    await store.sealedKeys.drop(ALICE, 1);
    expect(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, 1)).toBeUndefined();
    expect(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, 2)).toMatchObject({ publicKey: 'ed25519:q' });
    expect(await store.encryptedKey(ALICE, 1)).toEqual(entry(ALICE).records.encryptedKey);
  });

  it('keep one key for sealed keys over a restart, which no script can read', async () => {
    const key = await store.sealedKeys.wrappingKey();
    expect(key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } });
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
    const parameters = { name: 'AES-GCM', iv: new Uint8Array(12) };
    const sealed = await crypto.subtle.encrypt(parameters, key, new Uint8Array([7]));
    await store.close();
    const again = await store.sealedKeys.wrappingKey();
    expect(new Uint8Array(await crypto.subtle.decrypt(parameters, again, sealed))).toEqual(
      new Uint8Array([7]),
    );
  });
});
