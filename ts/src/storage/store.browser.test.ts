import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RegistrationEntry } from './records.js';
import { WalletStore } from './store.js';

const ALICE = 'alice.w3a-v1.testnet';
let store: WalletStore;

function entry(accountId: string, registeredAt = 1, credentialId = 'credential'): RegistrationEntry {
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
        passkeyCredential: { id: 'credential', rawId: 'credential' },
        preferences: { useRelayer: false, useNetwork: 'testnet' },
        encryptedVrfKeypair: { encryptedVrfDataB64u: 'x', chacha20NonceB64u: 'y' },
        serverEncryptedVrfKeypair: null,
      },
      authenticator: {
        ...device,
        credentialId: 'credential',
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

const deleteDatabase = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

beforeEach(() => {
  store = new WalletStore();
});

afterEach(async () => {
  await store.close();
  await deleteDatabase('PasskeyClientDB');
  await deleteDatabase('PasskeyNearKeys');
});

describe('the local databases', () => {
  it('have the names, versions, stores and keys of the specification', async () => {
    await store.users();
    await store.encryptedKey(ALICE, 1);
    await store.close();
    const described = await Promise.all(
      ['PasskeyClientDB', 'PasskeyNearKeys'].map(
        (name) =>
          new Promise<unknown>((resolve) => {
            const request = indexedDB.open(name);
            request.onsuccess = () => {
              const db = request.result;
              const stores = [...db.objectStoreNames].map((at) => {
                const { keyPath, indexNames } = db.transaction(at).objectStore(at);
                return [at, keyPath, [...indexNames]];
              });
              db.close();
              resolve([db.version, stores]);
            };
          }),
      ),
    );
    expect(described).toEqual([
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

  it('report an aborted write once, with nothing left unhandled', async () => {
    const made = entry(ALICE);
    await store.openEntry(made);
    await store.commitEntry(made);
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, value) {
      const request = put.call(this, value);
      this.transaction.abort();
      return request;
    });
    const unhandled: unknown[] = [];
    const note = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      unhandled.push(event.reason);
    };
    addEventListener('unhandledrejection', note);
    await expect(store.updateUser(ALICE, 1, { lastLogin: 9 })).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    removeEventListener('unhandledrejection', note);
    expect(unhandled).toEqual([]);
    expect((await store.user(ALICE, 1))?.lastLogin).toBeNull();
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

  it('open again after another page needed them closed', async () => {
    await store.users();
    const upgrade = indexedDB.open('PasskeyClientDB', 14);
    await new Promise<void>((resolve, reject) => {
      upgrade.onsuccess = () => resolve();
      upgrade.onerror = () => reject(upgrade.error);
    });
    upgrade.result.close();
    await expect(store.users()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });
});
