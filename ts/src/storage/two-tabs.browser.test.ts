import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FlowContext } from '../flows/context.js';
import { setUserPreferences } from '../flows/session/stored-settings.js';
import { WalletStore } from './store.js';
import { ALICE, deleteDatabases, describeRaw, entry, makeRaw, openRaw } from './testing/databases.js';

const MODULE = new URL('./store.ts', import.meta.url).href;
const { user } = entry(ALICE).records;
let frame: HTMLIFrameElement;
let here: WalletStore;
let there: WalletStore;

/** Another page of this origin, with its own copy of the store. */
beforeEach(async () => {
  frame = document.createElement('iframe');
  frame.srcdoc = `<script type="module">
    import { WalletStore } from ${JSON.stringify(MODULE)};
    window.WalletStore = WalletStore;
  </script>`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = frame.contentWindow as unknown as { WalletStore: typeof WalletStore };
  expect(page.WalletStore).not.toBe(WalletStore);
  here = new WalletStore();
  there = new page.WalletStore();
});

afterEach(async () => {
  await here.close();
  await there.close();
  await deleteDatabases();
  frame.remove();
});

const both = (work: (store: WalletStore, at: number) => Promise<unknown>) =>
  Promise.allSettled([here, there].map(work));

describe('two tabs (core 4)', () => {
  it('open one entry for an account, in either order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const account = `a${round}.testnet`;
      const order = round % 2 ? [there, here] : [here, there];
      const opened = await Promise.all(
        order.map((store, at) => store.journal.open(entry(account, at, `of tab ${at}`))),
      );
      expect(opened.filter(Boolean)).toHaveLength(1);
      const winner = opened.indexOf(true);
      expect(await here.journal.entry('registration', account)).toEqual(
        entry(account, winner, `of tab ${winner}`),
      );
    }
  });

  it('change one record concurrently without losing a change', async () => {
    await here.commitEntry(entry(ALICE));
    const lock = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 's', updatedAt: 1 };
    for (let round = 1; round <= 10; round += 1) {
      await Promise.all([
        here.updateUser(ALICE, 1, { lastLogin: round }),
        there.updateUser(ALICE, 1, { serverEncryptedVrfKeypair: { ...lock, updatedAt: round } }),
      ]);
      expect(await here.user(ALICE)).toMatchObject({
        ...user,
        lastUpdated: expect.any(Number),
        lastLogin: round,
        serverEncryptedVrfKeypair: { ...lock, updatedAt: round },
      });
    }
  });

  it("change one account's settings concurrently without losing a change", async () => {
    await here.commitEntry(entry(ALICE));
    for (const round of [1, 2, 3, 4, 5]) {
      const uiMode = round % 2 ? 'drawer' : 'modal';
      const behavior = round % 3 ? 'requireClick' : 'autoProceed';
      await both((store, at) =>
        setUserPreferences(
          { store } as FlowContext,
          { confirmationConfig: at ? { uiMode } : { behavior } },
          ALICE,
        ),
      );
      expect((await here.user(ALICE))?.preferences).toEqual({
        ...user.preferences,
        confirmationConfig: { uiMode, behavior },
      });
    }
  });

  it('both settle one registration: changes after the first stay, and a later entry stays', async () => {
    const made = entry(ALICE);
    await here.journal.open(made);
    await here.commitEntry(made, { lastLogin: 5 });
    await here.updateUser(ALICE, 1, { preferences: { useRelayer: true, useNetwork: 'testnet' } });
    await here.setLastUser({ accountId: 'bob.testnet', deviceNumber: 1 });
    const later = entry(ALICE, 2, 'another passkey');
    await here.journal.open(later);
    await there.commitEntry(made);
    expect(await here.user(ALICE)).toMatchObject({ lastLogin: 5, preferences: { useRelayer: true } });
    expect(await here.lastUser()).toEqual({ accountId: 'bob.testnet', deviceNumber: 1 });
    expect(await here.journal.entries('registration')).toEqual([later]);
  });

  it('both settle one registration: a key stored after the first stays', async () => {
    const made = entry(ALICE);
    await here.commitEntry(made);
    const later = { ...made.records.encryptedKey, encryptedData: 'another key', timestamp: 2 };
    const keys = await openRaw('PasskeyNearKeys');
    const transaction = keys.transaction('encryptedKeys', 'readwrite');
    transaction.objectStore('encryptedKeys').put(later);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    keys.close();
    await there.commitEntry(made);
    expect(await here.encryptedKey(ALICE, 1)).toEqual(later);
  });

  it('commit one entry at the same time', async () => {
    const made = entry(ALICE);
    await here.journal.open(made);
    expect((await both((store) => store.commitEntry(made))).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
    ]);
    expect(await here.users()).toHaveLength(1);
    expect(await here.authenticators(ALICE)).toEqual([made.records.authenticator]);
    expect(await there.journal.entries('registration')).toEqual([]);
  });

  it('replace the records when the registration belongs to another passkey', async () => {
    await here.commitEntry(entry(ALICE, 1), { lastLogin: 5 });
    const made = entry(ALICE, 9, 'new', 'new');
    await there.commitEntry(made);
    expect(await here.user(ALICE)).toMatchObject({ lastLogin: null, passkeyCredential: { id: 'new' } });
    expect(await here.encryptedKey(ALICE, 1)).toEqual(made.records.encryptedKey);
  });

  it('create the wrapping key concurrently and get the same one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = round % 2 ? [there, here] : [here, there];
      const [ours, theirs] = await Promise.all(order.map((store) => store.sealedKeys.wrappingKey()));
      if (!ours || !theirs) throw new Error('a tab has no key');
      const iv = new Uint8Array(12);
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, ours, new Uint8Array([1, 2, 3]));
      const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, theirs, sealed);
      expect([...new Uint8Array(opened)]).toEqual([1, 2, 3]);
      await deleteDatabases();
    }
  });

  it('take no nonce of a key twice, and return only nonces that no tab has passed', async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).nonces.take('key', 11n, 2)),
    );
    expect(taken.map(Number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => 11 + 2 * at),
    );
    await here.nonces.giveBack('key', 40n, 51n);
    expect(await there.nonces.next('key')).toBe(40n);
    expect(await there.nonces.take('key', 5n, 1)).toBe(40n);
    await here.nonces.giveBack('key', 30n, 40n);
    expect(await here.nonces.take('key', 100n, 1)).toBe(100n);
    expect(await here.nonces.take('key', 50n, 1, 102n)).toBe(101n);
    expect(await here.nonces.take('key', 50n, 1, 102n)).toBe(50n);
    expect(await here.nonces.next('another key')).toBeNull();
  });

  it('upgrade one older database concurrently', async () => {
    await makeRaw('PasskeyClientDB', 12, (database) => {
      database
        .createObjectStore('users', { keyPath: 'nearAccountId' })
        .put({ ...user, deviceNumber: undefined });
    });
    const read = await both((store) => store.users());
    expect(read).toEqual([here, there].map(() => ({ status: 'fulfilled', value: [user] })));
  });

  it('make way for a tab of a newer version, and then report that version', async () => {
    await here.commitEntry(entry(ALICE));
    await there.users();
    (await openRaw('PasskeyClientDB', 14)).close();
    for (const store of [here, there]) {
      await expect(store.updateUser(ALICE, 1, { lastLogin: 9 })).rejects.toMatchObject({
        code: 'STORAGE_NEWER',
      });
    }
    const { stores } = await describeRaw('PasskeyClientDB');
    expect(stores.find(({ name }) => name === 'users')?.records).toMatchObject([{ lastLogin: null }]);
  });

  it("continue after the site's data was cleared underneath them", async () => {
    await here.commitEntry(entry(ALICE));
    await there.users();
    await deleteDatabases();
    expect(await here.users()).toEqual([]);
    await there.journal.open(entry(ALICE));
    expect(await here.journal.entries('registration')).toEqual([entry(ALICE)]);
  });
});
