/** The databases as version 1.0.0 writes them, pinned in tests/vectors/first-release: every later 1.x opens and reads them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withOpenedKey } from '../workers/sealed-key.js';
import { readActivity } from './activity.js';
import { appKeyName } from './app-key-name.js';
import { entryId, type JournalEntry, type LinkEntry } from './records.js';
import { WalletStore } from './store.js';
import { deleteDatabases, openRaw } from './testing/databases.js';
import { type Pinned, restore, revived } from './testing/fixture.js';

const ALICE = 'alice.w3a-v1.testnet';
const BOB = 'bob.w3a-v1.testnet';
const HOST = 'https://app.example';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

const answer = await fetch(new URL('../../../tests/vectors/first-release/database.json', import.meta.url));
const pinned = (await answer.json()) as Pinned;

/** What the release stored. */
async function recordsOf<T>(name: string): Promise<T[]> {
  const found = Object.values(pinned).flatMap(({ stores }) => stores.filter((store) => store.name === name));
  return (await revived(found.flatMap(({ records }) => records))) as T[];
}
const stateOf = async (key: string): Promise<unknown> => {
  const records = await recordsOf<{ key: string; value: unknown }>('appState');
  return records.find((record) => record.key === key)?.value;
};

let own: WalletStore;
let framed: WalletStore;

beforeEach(async () => {
  await deleteDatabases();
  await restore(pinned);
  own = new WalletStore();
  framed = new WalletStore(undefined, HOST);
});

afterEach(async () => {
  await own.close();
  await framed.close();
  await deleteDatabases();
});

it('opens the first release’s databases with every account, passkey and encrypted key', async () => {
  const users = await recordsOf<{ nearAccountId: string; deviceNumber: number }>('users');
  expect(users).toHaveLength(3);
  const opened = await own.users();
  expect(opened).toHaveLength(users.length);
  for (const user of users) {
    const found = opened.find(
      (each) => each.nearAccountId === user.nearAccountId && each.deviceNumber === user.deviceNumber,
    );
    expect(found).toMatchObject(user);
  }
  const passkeys = await recordsOf<{ nearAccountId: string }>('authenticators');
  const read = [...(await own.authenticators(ALICE)), ...(await own.authenticators(BOB))];
  expect(read).toHaveLength(passkeys.length);
  for (const passkey of passkeys) expect(read).toContainEqual(expect.objectContaining(passkey));
  const keys = await recordsOf<{ nearAccountId: string; deviceNumber: number }>('encryptedKeys');
  for (const key of keys)
    expect(await own.encryptedKey(key.nearAccountId, key.deviceNumber)).toMatchObject(key);
});

it('keeps who was last, what each host may see, and every setting', async () => {
  expect(await own.lastUser()).toEqual(await stateOf('lastUserAccountId'));
  expect(await framed.lastUser()).toEqual({ accountId: BOB, deviceNumber: 1 });
  expect((await framed.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
  expect((await framed.user(BOB))?.preferences.confirmationConfig).toMatchObject({
    behavior: 'autoProceed',
    uiMode: 'modal',
  });
  expect(await own.pageSettings(HOST)).toEqual({
    confirmation: { theme: 'light' },
    accounts: { [ALICE]: { behavior: 'requireClick' } },
  });
  expect(await own.allowedHosts()).toEqual(await stateOf('allowedHosts'));
  expect(await own.scannedKey()).toEqual(await stateOf('scannedKey'));
});

it('keeps whom an account paid, what it sent, and its next nonce', async () => {
  expect(await own.metRecipients(ALICE)).toEqual([BOB, 'carol.testnet']);
  const { entries } = (await stateOf(`activity:${ALICE}`)) as { entries: unknown[] };
  expect(entries).toHaveLength(1);
  expect(await readActivity(own, ALICE)).toEqual(entries);
  expect(await own.nonces.next(KEY)).toBe(43n);
});

it('finds all unfinished work in the journal', async () => {
  const records = (await recordsOf<{ key: string; value: JournalEntry }>('appState')).filter(({ key }) =>
    key.startsWith('journal:'),
  );
  expect(records.map(({ value }) => value.kind).toSorted()).toEqual([
    'appKey',
    'batch',
    'deletion',
    'deletion',
    'link',
    'registration',
  ]);
  for (const { value } of records) expect(await own.journal.entry(value.kind, entryId(value))).toEqual(value);
  const [registration] = await framed.journal.entries('registration');
  expect(registration?.accountId).toBe('carol.w3a-v1.testnet');
  const [link] = (await own.journal.entries('link')) as [LinkEntry];
  await own.commitEntry(link);
  expect(await own.user(link.accountId)).toMatchObject({ deviceNumber: 2 });
});

it('opens the keys that the stored wrapping key sealed', async () => {
  const wrapping = await own.sealedKeys.wrappingKey();
  const opened = (sealed: Parameters<typeof withOpenedKey>[1]) =>
    withOpenedKey(wrapping, sealed, (key) => new TextDecoder().decode(key));
  const temporary = await own.sealedKeys.get('temp-device-linking.testnet', 1);
  expect(temporary && (await opened(temporary))).toBe('ed25519:the-temporary-key');
  const appKeys = await own.sealedKeys.list(appKeyName(BOB, HOST));
  expect(await Promise.all(appKeys.map(({ sealed }) => opened(sealed)))).toEqual(['ed25519:the-app-key']);
});

it('never opens with a version below the first release’s', async () => {
  await own.users();
  await own.encryptedKey(ALICE, 1);
  await own.close();
  for (const [name, { version }] of Object.entries(pinned)) {
    const database = await openRaw(name);
    expect(database.version).toBeGreaterThanOrEqual(version);
    database.close();
  }
});
