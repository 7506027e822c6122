import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('the local databases', () => {
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

  it('store nothing of an account before its registration is committed', async () => {
    await store.openEntry(entry(ALICE));
    expect(await store.user(ALICE)).toBeUndefined();
    expect(await store.authenticators(ALICE)).toEqual([]);
    expect(await store.encryptedKey(ALICE, 1)).toBeUndefined();
    expect(await store.lastUser()).toBeUndefined();
  });

  it('commit a registration whole and close its entry', async () => {
    const made = entry(ALICE);
    await store.openEntry(made);
    await store.commitEntry(made, { lastLogin: 7 });
    expect(await store.user(ALICE)).toMatchObject({ nearAccountId: ALICE, lastLogin: 7 });
    expect(await store.authenticators(ALICE)).toEqual([made.records.authenticator]);
    expect(await store.encryptedKey(ALICE, 1)).toEqual(made.records.encryptedKey);
    expect(await store.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 1 });
    expect(await store.journal()).toEqual([]);
  });

  it('commit again what an interruption left half done', async () => {
    const made = entry(ALICE);
    await store.openEntry(made);
    await store.commitEntry(made);
    await store.commitEntry(made);
    expect(await store.users()).toHaveLength(1);
  });

  it('keep an entry over a restart, and take no second one for the account', async () => {
    await store.openEntry(entry(ALICE));
    await store.close();
    const next = new WalletStore();
    expect(await next.journal()).toEqual([entry(ALICE)]);
    await expect(next.openEntry(entry(ALICE, 2))).rejects.toMatchObject({ code: 'REGISTRATION_PENDING' });
    expect(await next.journalEntry('registration', ALICE)).toMatchObject({ createdAt: 1 });
    await next.close();
  });

  describe('report an abort once, with nothing left unhandled', () => {
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

    it('of a reading that had its answer already', async () => {
      const { get } = IDBObjectStore.prototype;
      vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(function (this: IDBObjectStore, key) {
        const request = get.call(this, key);
        request.addEventListener('success', () => this.transaction.abort());
        return request;
      });
      await expect(store.user(ALICE, 1)).rejects.toMatchObject({ code: 'STORAGE_INTERRUPTED' });
    });
  });

  it('forget an entry whose registration came to nothing', async () => {
    await store.openEntry(entry(ALICE));
    await store.openEntry(entry('bob.w3a-v1.testnet'));
    await store.dropEntry(entry(ALICE));
    expect((await store.journal()).map(({ accountId }) => accountId)).toEqual(['bob.w3a-v1.testnet']);
  });

  it('keep an entry that another tab opened since, when the one before it is forgotten', async () => {
    await store.openEntry(entry(ALICE, 2, 'another passkey'));
    await store.dropEntry(entry(ALICE, 1, 'credential'));
    await store.markRefused(entry(ALICE, 1, 'credential'));
    expect(await store.journal()).toEqual([entry(ALICE, 2, 'another passkey')]);
  });

  it('note a refusal in the entry, which stays', async () => {
    await store.openEntry(entry(ALICE));
    await store.markRefused(entry(ALICE));
    expect(await store.journal()).toEqual([{ ...entry(ALICE), refused: true }]);
  });

  it('list accounts with the one last used first', async () => {
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const made = entry(`${name}.testnet`, index);
      await store.openEntry(made);
      await store.commitEntry(made);
    }
    await store.setLastUser({ accountId: 'b.testnet', deviceNumber: 1 });
    expect((await store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([
      'b.testnet',
      'c.testnet',
      'a.testnet',
    ]);
  });

  it('change a record that exists, and make none', async () => {
    const made = entry(ALICE);
    await store.openEntry(made);
    await store.commitEntry(made);
    await store.updateUser(ALICE, 1, { lastLogin: 99 });
    await store.updateUser('nobody.testnet', 1, { lastLogin: 99 });
    expect(await store.user(ALICE)).toMatchObject({ lastLogin: 99 });
    expect(await store.users()).toHaveLength(1);
  });
});
