import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteLeaving, readActivity } from '../storage/activity.js';
import type { BatchEntry, DeviceRecords } from '../storage/records.js';
import { WalletStore } from '../storage/store.js';
import { HomeStore } from './home-store.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
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
    await store.putSealedKey(`app-key:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await store.putSealedKey(`app-key@${SHOP}:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await store.putSealedKey(`app-key:${BOB}:game.testnet:ed25519:k`, 1, sealed);
    await store.meetRecipients(ALICE, ['carol.testnet'], 9);
    await ofShop.updateChosen(ALICE, { behavior: 'requireClick' });
    await store.updatePageSettings(SHOP, ALICE, { theme: 'dark' });
    await noteLeaving(store, { accountId: ALICE, transactionId: 't', receiverId: BOB, actions: [] });

    await home.removeAccount(ALICE);

    expect(await everything()).not.toContain(ALICE);
    expect((await store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
    expect((await ofShop.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
    expect(await store.encryptedKey(BOB, 1)).toBeDefined();
    expect(await store.sealedKeys(`app-key:${BOB}:`)).toHaveLength(1);
    expect(await store.lastUser()).toBeUndefined();
  });

  it('is refused while the outcome of a payment is not known, and changes nothing then', async () => {
    await store.openEntry(batch(ALICE, 'unknown'));
    const before = await everything();
    await expect(home.removeAccount(ALICE)).rejects.toMatchObject({ code: 'ACCOUNT_BUSY' });
    expect(await everything()).toBe(before);
  });

  it('does not wait for a payment that the user knows of, nor for one of another account', async () => {
    await store.openEntry(batch(ALICE, 'executed'));
    await store.openEntry(batch(BOB, 'unknown'));
    await home.removeAccount(ALICE);
    expect((await store.journal('batch')).map(({ accountId }) => accountId)).toEqual([BOB]);
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
    await store.putSealedKey(`app-key@${SHOP}:${ALICE}:game.testnet:ed25519:k`, 1, sealed);
    await home.forgetApp(SHOP);
    expect(await home.apps()).toEqual([]);
    expect(await ofShop.users()).toEqual([]);
    expect(await store.sealedKeys('app-key@')).toEqual([]);
    expect(await store.users()).toHaveLength(3);
  });

  it('leave what an account sent to its own list', async () => {
    await noteLeaving(ofShop, {
      accountId: ALICE,
      transactionId: 't',
      receiverId: BOB,
      actions: [],
      host: SHOP,
    });
    expect(await readActivity(home, ALICE)).toMatchObject([{ transactionId: 't', host: SHOP }]);
  });
});
