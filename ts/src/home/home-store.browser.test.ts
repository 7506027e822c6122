import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepAppKey } from '../flows/app-keys/settle-app-keys.js';
import { noteLeaving, readActivity } from '../storage/activity.js';
import type { AppKeyEntry, BatchEntry, DeviceRecords, RegistrationEntry } from '../storage/records.js';
import { WalletStore } from '../storage/store.js';
import { HomeStore } from './home-store.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
const CAROL = 'carol.testnet';
const SHOP = 'https://shop.example';

const records = (nearAccountId: string, deviceNumber = 1): DeviceRecords => ({
  user: {
    nearAccountId,
    deviceNumber,
    registeredAt: 1,
    lastLogin: null,
    lastUpdated: 1,
    clientNearPublicKey: 'ed25519:x',
    passkeyCredential: { id: `${nearAccountId}-${deviceNumber}`, rawId: 'raw' },
    preferences: { useRelayer: false, useNetwork: 'testnet' },
    encryptedVrfKeypair: {} as never,
    serverEncryptedVrfKeypair: null,
  },
  authenticator: {
    nearAccountId,
    deviceNumber,
    credentialId: `${nearAccountId}-${deviceNumber}`,
    credentialPublicKey: new Uint8Array([1]),
    transports: [],
    name: 'Passkey',
    registered: '',
    syncedAt: '',
    vrfPublicKey: 'v',
  },
  encryptedKey: { nearAccountId, deviceNumber, encryptedData: 'e', iv: 'i', timestamp: 1 },
});

const batch = (accountId: string, fate: 'unknown' | 'executed'): BatchEntry => ({
  kind: 'batch',
  batchId: `${accountId}-${fate}`,
  accountId,
  publicKey: 'ed25519:x',
  transactions: [
    { transactionId: 't', receiverId: BOB, nonce: '1', blockHeight: '1', fate, isShown: fate !== 'unknown' },
  ],
  createdAt: 1,
});

const sealed = { publicKey: 'ed25519:k', encryptedData: 'e', iv: 'i' };

let store: WalletStore;
let ofShop: WalletStore;
let home: HomeStore;
beforeEach(async () => {
  for (const name of ['PasskeyClientDB', 'PasskeyNearKeys']) await deleteDB(name);
  store = new WalletStore();
  ofShop = new WalletStore(undefined, SHOP);
  home = new HomeStore();
  await ofShop.storeDevice(records(BOB));
  await ofShop.storeDevice(records(ALICE));
  await store.storeDevice(records(ALICE, 2));
});
afterEach(async () => {
  home.close();
  await store.close();
  await ofShop.close();
});

/** Everything that is stored, as text. */
async function everything(): Promise<string> {
  const found: unknown[] = [];
  for (const [name, stores] of [
    ['PasskeyClientDB', ['users', 'authenticators', 'appState']],
    ['PasskeyNearKeys', ['encryptedKeys']],
  ] as const) {
    const database = await openDB(name);
    for (const each of stores) found.push(...(await database.getAll(each)));
    database.close();
  }
  return JSON.stringify(found);
}

describe('removing an account from this browser', () => {
  it('leaves nothing of it in storage, and everything of another account', async () => {
    await store.sealedKeys.put(`app-key:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await store.sealedKeys.put(`app-key@${SHOP}:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await store.sealedKeys.put(`app-key:${BOB}:game.testnet:ed25519:k`, 1, sealed);
    await store.meetRecipients(ALICE, ['carol.testnet'], 9);
    await ofShop.updateChosen(ALICE, { behavior: 'requireClick' });
    await store.updatePageSettings(SHOP, ALICE, { theme: 'dark' });
    await noteLeaving(store, { accountId: ALICE, transactionId: 't', receiverId: BOB, actions: [] });
    await home.changeTokenChoices(ALICE, () => [ALICE]);
    await home.changeReceived(ALICE, () => [ALICE]);

    await home.removeAccount(ALICE);

    expect(await everything()).not.toContain(ALICE);
    expect((await store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
    expect((await ofShop.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
    expect(await store.encryptedKey(BOB, 1)).toBeDefined();
    expect(await store.sealedKeys.list(`app-key:${BOB}:`)).toHaveLength(1);
    expect(await store.lastUser()).toBeUndefined();
  });

  it("keeps another account's key for a contract of that name", async () => {
    const names = [`app-key@${SHOP}:${BOB}:${ALICE}:ed25519:k`, `app-key:${BOB}:${ALICE}:ed25519:k`];
    for (const name of names) await store.sealedKeys.put(name, 1, sealed);
    await home.removeAccount(ALICE);
    expect(await store.sealedKeys.list('app-key')).toHaveLength(2);
  });

  it('is refused while the outcome of a payment is not known, and changes nothing then', async () => {
    await store.journal.open(batch(ALICE, 'unknown'));
    const before = await everything();
    await expect(home.removeAccount(ALICE)).rejects.toMatchObject({ code: 'ACCOUNT_BUSY' });
    expect(await everything()).toBe(before);
  });

  it('does not wait for a payment that the user knows of, nor for one of another account', async () => {
    await store.journal.open(batch(ALICE, 'executed'));
    await store.journal.open(batch(BOB, 'unknown'));
    await home.removeAccount(ALICE);
    expect((await store.journal.entries('batch')).map(({ accountId }) => accountId)).toEqual([BOB]);
    expect(await store.user(ALICE)).toBeUndefined();
  });
});

describe('the apps of this browser', () => {
  it('are listed with the accounts that each may see, and what the user chose for it', async () => {
    await ofShop.updateChosen(ALICE, { behavior: 'requireClick' });
    await store.updatePageSettings('https://other.example', undefined, { theme: 'dark' });
    await store.updatePageSettings(location.origin, undefined, { theme: 'dark' });
    expect(await home.apps()).toEqual([
      { origin: 'https://other.example', accounts: [] },
      {
        origin: SHOP,
        accounts: [
          { accountId: BOB, chosen: {} },
          { accountId: ALICE, chosen: { behavior: 'requireClick' } },
        ],
      },
    ]);
    await home.resetChoices(SHOP);
    expect((await home.apps())[1]?.accounts.map(({ chosen }) => chosen)).toEqual([{}, {}]);
  });

  it('see nothing once the user has forgotten them, and keep no key', async () => {
    await store.sealedKeys.put(`app-key@${SHOP}:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await home.forgetApp(SHOP);
    expect(await home.apps()).toEqual([]);
    expect(await ofShop.users()).toEqual([]);
    expect(await store.sealedKeys.list('app-key@')).toEqual([]);
    expect(await store.users()).toHaveLength(3);
  });

  it('differ by their port: forgetting one leaves the keys of the other', async () => {
    const other = `app-key@${SHOP}:8443:${ALICE}:game.testnet:ed25519:k`;
    await store.sealedKeys.put(other, 1, sealed);
    await home.forgetApp(SHOP);
    expect(await store.sealedKeys.list('app-key@')).toMatchObject([{ name: other }]);
  });

  it('see no account by what they had begun, once it ends, and keep no key that was on its way', async () => {
    const registration: RegistrationEntry = {
      kind: 'registration',
      accountId: CAROL,
      nearPublicKey: 'ed25519:x',
      vrfPublicKeys: { bootstrap: 'b', deterministic: 'v' },
      credentialId: `${CAROL}-1`,
      challengeHeight: 1,
      records: records(CAROL),
      request: {},
      createdAt: 1,
    };
    const appKey: AppKeyEntry = {
      kind: 'appKey',
      accountId: ALICE,
      deviceNumber: 1,
      receiverId: 'game.testnet',
      sealed,
      signedBy: 'ed25519:x',
      transaction: { transactionId: 't', receiverId: ALICE, nonce: '1', blockHeight: '1', fate: 'unknown' },
      createdAt: 1,
    };
    for (const entry of [registration, appKey, batch(ALICE, 'unknown')]) await ofShop.journal.open(entry);
    await home.forgetApp(SHOP);

    for (const kind of ['registration', 'appKey', 'batch'] as const)
      expect(await ofShop.journal.entries(kind)).toEqual([]);
    expect(await store.journal.entries('batch')).toHaveLength(1);
    await ofShop.commitEntry(registration);
    expect(await ofShop.users()).toEqual([]);
    expect(await store.user(CAROL)).toBeDefined();
    await keepAppKey(ofShop, appKey);
    expect(await store.sealedKeys.list('app-key@')).toEqual([]);
  });

  it('leave what an account sent to its own list', async () => {
    await noteLeaving(ofShop, {
      accountId: ALICE,
      transactionId: 't',
      receiverId: BOB,
      actions: [],
      host: SHOP,
    });
    expect(await readActivity(store, ALICE)).toMatchObject([{ transactionId: 't', host: SHOP }]);
  });
});
