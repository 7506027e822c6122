import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withMutex } from './mutex.js';
import { TEMPORARY_LINKING_KEY } from './records.js';
import { WalletStore } from './store.js';
import { ALICE, deleteDatabases, entry } from './testing/databases.js';

const HOST = 'https://app.example';
const BOB = 'bob.testnet';
const onRefused = vi.fn();
let store: WalletStore;

function refusedFactory(name: string, message: string): IDBFactory {
  return {
    open: () => {
      throw new DOMException(message, name);
    },
  } as unknown as IDBFactory;
}

beforeEach(() => {
  onRefused.mockReset();
  store = new WalletStore(undefined, HOST, onRefused);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await store.close();
  await deleteDatabases();
});

describe.each([
  ['UnknownError', 'The user denied permission to access the database.'],
  ['SecurityError', 'The operation is insecure.'],
])('a frame that may store nothing (%s) (frame 6)', (name, message) => {
  beforeEach(() => vi.stubGlobal('indexedDB', refusedFactory(name, message)));

  it('reports it once, and keeps an account while the page is open', async () => {
    expect(await store.users()).toEqual([]);
    const made = entry(ALICE);
    expect(await store.journal.open(made)).toBe(true);
    expect(await store.journal.open(made)).toBe(false);
    await store.journal.update(made, { challengeHeight: 7 });
    expect(await store.journal.entries('registration')).toMatchObject([{ challengeHeight: 7 }]);
    await store.commitEntry(made, { lastLogin: 5 });
    expect(await store.journal.entries('registration')).toEqual([]);
    expect(await store.user(ALICE)).toMatchObject({ nearAccountId: ALICE, lastLogin: 5 });
    expect(await store.authenticators(ALICE)).toHaveLength(1);
    expect(await store.encryptedKey(ALICE, 1)).toMatchObject({ encryptedData: 'cipher' });
    expect(await store.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 1 });
    await store.replaceDevice(entry(ALICE, 2, 'other', 'other').records);
    expect((await store.authenticators(ALICE)).map(({ credentialId }) => credentialId)).toEqual(['other']);
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(store.isInMemory).toBe(true);
    expect(await new WalletStore(undefined, HOST, onRefused).user(ALICE)).toBeUndefined();
  });

  it('keeps nonces, settings and sealed keys', async () => {
    expect(await store.nonces.take('key', 5n, 2)).toBe(5n);
    expect(await store.nonces.take('key', 5n, 1)).toBe(7n);
    await store.nonces.giveBack('key', 7n, 8n);
    expect(await store.nonces.next('key')).toBe(7n);
    await store.updatePageSettings(HOST, ALICE, { theme: 'light' });
    expect(await store.pageSettings(HOST)).toEqual({ accounts: { [ALICE]: { theme: 'light' } } });
    const wrapping = await store.sealedKeys.wrappingKey();
    expect((await store.sealedKeys.wrappingKey()).algorithm).toEqual(wrapping.algorithm);
    expect(wrapping.extractable).toBe(false);
    const sealed = { publicKey: 'p', encryptedData: 'd', iv: 'i' };
    await store.sealedKeys.put(TEMPORARY_LINKING_KEY, 1, sealed);
    expect(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, 1)).toEqual(sealed);
    expect(await store.sealedKeys.list('temp-')).toHaveLength(1);
    await store.sealedKeys.drop(TEMPORARY_LINKING_KEY, 1);
    expect(await store.sealedKeys.get(TEMPORARY_LINKING_KEY, 1)).toBeUndefined();
  });

  it('rolls back a transaction whose work fails, and never exposes a partial one to another', async () => {
    await store.storeDevice(entry(ALICE).records);
    const failing = store.updateUser(ALICE, 1, () => {
      throw new Error('no');
    });
    const beside = store.updateUser(ALICE, 1, ({ deviceNumber }) => ({ lastLogin: deviceNumber + 8 }));
    await expect(failing).rejects.toThrow();
    await beside;
    expect(await store.user(ALICE)).toMatchObject({ lastLogin: 9 });
  });

  it('still throws for a wallet that is not framed', async () => {
    const unframed = new WalletStore();
    await expect(unframed.users()).rejects.toMatchObject({ code: expect.stringMatching(/^STORAGE_/) });
    expect(unframed.isInMemory).toBe(false);
  });
});

it('a store that has been used stays on disk', async () => {
  await store.storeDevice(entry(BOB).records);
  await store.close();
  vi.stubGlobal('indexedDB', refusedFactory('SecurityError', 'The operation is insecure.'));
  await expect(store.users()).rejects.toMatchObject({ code: 'STORAGE_DENIED' });
  expect(onRefused).not.toHaveBeenCalled();
});

describe('a mutex that the browser refuses', () => {
  beforeEach(() => {
    vi.spyOn(navigator.locks, 'request').mockImplementation(async () => {
      throw new DOMException('Access to the Locks API is denied in this context.', 'SecurityError');
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it('is local to this page, with one holder at a time in request order', async () => {
    const order: string[] = [];
    const first = withMutex('a', {}, async () => {
      order.push('first begins');
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('first ends');
    });
    const second = withMutex('a', {}, async () => void order.push('second'));
    const third = withMutex('a', { ifAvailable: true }, async (held) => void order.push(`third: ${held}`));
    const other = withMutex('b', { ifAvailable: true }, async (held) => void order.push(`${held?.name}`));
    await Promise.all([first, second, third, other]);
    expect(order.slice(-2)).toEqual(['first ends', 'second']);
    expect(order.slice(0, -2).sort()).toEqual(['b', 'first begins', 'third: null']);
    expect(await withMutex('a', { ifAvailable: true }, async (held) => held !== null)).toBe(true);
  });

  it('is released by failing work, and its signal ends the wait', async () => {
    const ended = new AbortController();
    let fail: () => void = () => undefined;
    const first = withMutex(
      'a',
      {},
      () => new Promise((_, reject) => (fail = () => reject(new Error('no')))),
    );
    const waiting = withMutex('a', { signal: ended.signal }, async () => 'never');
    const last = withMutex('a', {}, async () => 'last');
    ended.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    fail();
    await expect(first).rejects.toThrow('no');
    expect(await last).toBe('last');
  });
});

it('an error of the work does not count as a refusal of the mutex', async () => {
  const work = vi.fn(async () => {
    throw new DOMException('of the work', 'SecurityError');
  });
  await expect(withMutex('a', {}, work)).rejects.toThrow('of the work');
  expect(work).toHaveBeenCalledTimes(1);
});
