import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  filled,
  LatchkeyError,
  type LatchkeyErrorCode,
  STORAGE_BLOCKED,
  STORAGE_FAILED,
  STORAGE_FULL,
  STORAGE_NEWER,
  STORAGE_UNAVAILABLE,
} from '../errors/wallet.js';
import { storageError } from './failure.js';
import { WalletStore } from './store.js';
import { ALICE, deleteDatabases, describeRaw, entry, openRaw } from './testing/databases.js';

const BOB = 'bob.w3a-v1.testnet';
const WAITS = { blockedMs: 100, silentMs: 20_000, pausesMs: [1, 5] };
let store: WalletStore;

const OPERATIONS: Readonly<Record<string, (of: WalletStore) => Promise<unknown>>> = {
  user: (of) => of.user(ALICE),
  'user of a device': (of) => of.user(ALICE, 1),
  users: (of) => of.users(),
  usersOnDevice: (of) => of.usersOnDevice(),
  updateUser: (of) => of.updateUser(ALICE, 1, { lastLogin: 9 }),
  lastUser: (of) => of.lastUser(),
  setLastUser: (of) => of.setLastUser({ accountId: BOB, deviceNumber: 1 }),
  authenticators: (of) => of.authenticators(ALICE),
  userOnDevice: (of) => of.userOnDevice(ALICE),
  authenticatorsOnDevice: (of) => of.authenticatorsOnDevice(ALICE),
  isOfHost: (of) => of.isOfHost(ALICE),
  updateChosen: (of) => of.updateChosen(ALICE, { theme: 'light' }),
  encryptedKey: (of) => of.encryptedKey(ALICE, 1),
  'the wrapping key': (of) => of.sealedKeys.wrappingKey(),
  'a sealed key': (of) => of.sealedKeys.get('sealed', 1),
  'sealed keys': (of) => of.sealedKeys.list('sealed'),
  'put a sealed key': (of) => of.sealedKeys.put('sealed', 1, { publicKey: 'p', encryptedData: 'd', iv: 'i' }),
  'drop a sealed key': (of) => of.sealedKeys.drop('sealed', 1),
  pageSettings: (of) => of.pageSettings('https://app.example'),
  updatePageSettings: (of) => of.updatePageSettings('https://app.example', ALICE, { theme: 'light' }),
  'entries of the journal': (of) => of.journal.entries('registration'),
  'an entry of the journal': (of) => of.journal.entry('registration', ALICE),
  'open an entry': (of) => of.journal.open(entry(BOB)),
  'drop an entry': (of) => of.journal.drop(entry(ALICE)),
  'update an entry': (of) => of.journal.update(entry(ALICE), { createdAt: 9 }),
  commitEntry: (of) => of.commitEntry(entry(BOB)),
  replaceDevice: (of) => of.replaceDevice(entry(BOB).records),
  storeDevice: (of) => of.storeDevice(entry(BOB).records),
  metRecipients: (of) => of.metRecipients(ALICE),
  meetRecipients: (of) => of.meetRecipients(ALICE, [BOB], 9),
  activity: (of) => of.activity(ALICE),
  updateActivity: (of) => of.updateActivity(ALICE, () => ({})),
  allowedHosts: (of) => of.allowedHosts(),
  keepAllowedHosts: (of) => of.keepAllowedHosts({ origins: [], at: 1 }),
  scannedKey: (of) => of.scannedKey(),
  keepScannedKey: (of) => of.keepScannedKey({ publicKey: 'p', scannedAt: 1 }),
  'take nonces': (of) => of.nonces.take('a key', 1n, 2),
  'give nonces back': (of) => of.nonces.giveBack('a key', 1n, 3n),
  'the next nonce': (of) => of.nonces.next('a key'),
};
const EVERY = Object.entries(OPERATIONS);

async function failureOf(work: Promise<unknown>): Promise<LatchkeyError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LatchkeyError);
  return error as LatchkeyError;
}

const refusing = (name: string) => () => {
  throw new DOMException('the browser says no', name);
};

interface StorageBuckets {
  open(name: string, options: { quota: number }): Promise<{ readonly indexedDB: IDBFactory }>;
  delete(name: string): Promise<void>;
}

/** Runs `work` with a storage bucket of `quota` bytes, which the browser enforces. */
async function inBucketOf(quota: number, work: () => Promise<void>): Promise<void> {
  const { storageBuckets } = navigator as unknown as { storageBuckets: StorageBuckets };
  vi.stubGlobal('indexedDB', (await storageBuckets.open('full', { quota })).indexedDB);
  try {
    await work();
  } finally {
    await store.close();
    vi.unstubAllGlobals();
    await storageBuckets.delete('full');
  }
}

beforeEach(() => {
  store = new WalletStore(WAITS, 'https://app.example');
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await store.close();
  await deleteDatabases();
});

describe('every storage operation reports in words', () => {
  it('is in this list, for every method of the store', () => {
    const named = new Set(EVERY.map(([name]) => name.split(' ')[0]));
    const methods = Object.getOwnPropertyNames(WalletStore.prototype);
    expect(
      methods.filter((name) => !['constructor', 'close', 'isInMemory'].includes(name) && !named.has(name)),
    ).toEqual([]);
  });

  it.each(EVERY)('that there is no IndexedDB (%s)', async (_, operation) => {
    vi.stubGlobal('indexedDB', undefined);
    const error = await failureOf(operation(store));
    expect([error.code, error.message]).toEqual(['STORAGE_UNAVAILABLE', STORAGE_UNAVAILABLE.text]);
  });

  it.each(EVERY)('that the browser refuses it (%s)', async (_, operation) => {
    // Older Firefox refuses a private window with InvalidStateError.
    for (const name of ['SecurityError', 'InvalidStateError']) {
      const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(refusing(name));
      expect((await failureOf(operation(store))).code).toBe('STORAGE_DENIED');
      open.mockRestore();
    }
  });

  it.each(EVERY)('the failures of an open database (%s)', async (_, operation) => {
    await store.users();
    await store.encryptedKey(ALICE, 1);
    const codes: Record<string, LatchkeyErrorCode> = {
      QuotaExceededError: 'STORAGE_FULL',
      SecurityError: 'STORAGE_DENIED',
      AbortError: 'STORAGE_INTERRUPTED',
      UnknownError: 'STORAGE_FAILED',
    };
    for (const [name, code] of Object.entries(codes)) {
      const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(refusing(name));
      const error = await failureOf(operation(store));
      expect([error.code, (error.cause as DOMException).name]).toEqual([code, name]);
      spy.mockRestore();
    }
  });

  it("the refusal of a frame without an origin, under this browser's error name", async () => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    const told = new Promise<string>((resolve) => {
      addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow) resolve(data);
      });
    });
    frame.srcdoc = `<script>
      try { indexedDB.open('PasskeyClientDB', 13); parent.postMessage('opened', '*'); }
      catch (error) { parent.postMessage(error.name, '*'); }
    </script>`;
    document.body.append(frame);
    const name = await told;
    frame.remove();
    expect(storageError(new DOMException('', name)).code).toBe('STORAGE_DENIED');
  });
});

describe('a full disk', () => {
  it("is reported from the browser's real error, and the stored records stay", async () => {
    await inBucketOf(300_000, async () => {
      await store.journal.open(entry(ALICE));
      await store.commitEntry(entry(ALICE));
      const large = { ...entry(BOB), request: { large: 'x'.repeat(1 << 20) } };
      const error = await failureOf(store.journal.open(large));
      expect([error.code, error.message]).toEqual(['STORAGE_FULL', STORAGE_FULL.text]);
      expect(await store.journal.entries('registration')).toEqual([]);
      expect(await store.users()).toHaveLength(1);
      await store.journal.open(entry(BOB));
      expect(await store.journal.entries('registration')).toHaveLength(1);
    });
  });

  it('is reported when the database itself cannot be created', async () => {
    await inBucketOf(1_000, async () => {
      expect((await failureOf(store.users())).code).toBe('STORAGE_FULL');
    });
  });

  it('is reported when the commit fails, although each request reports an abort', async () => {
    await store.journal.open(entry(ALICE));
    await store.commitEntry(entry(ALICE));
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, value) {
      const request = put.call(this, value);
      Object.defineProperty(this.transaction, 'error', { value: new DOMException('', 'QuotaExceededError') });
      this.transaction.abort();
      return request;
    });
    expect((await failureOf(store.updateUser(ALICE, 1, { lastLogin: 9 }))).code).toBe('STORAGE_FULL');
    expect((await store.user(ALICE, 1))?.lastLogin).toBeNull();
  });
});

describe('a commit that fails at any of its writes', () => {
  const { put, delete: remove } = IDBObjectStore.prototype;
  // The last three: the overall last user, the host's accounts, and the closed journal entry.
  const WRITES = ['encryptedKeys', 'users', 'authenticators', 'appState', 'appState', 'appState'];

  /** Calls `fault` instead of write number `wanted`, counted from 0; returns the names of the stores written to. */
  function atWrite(wanted: number, fault: (store: IDBObjectStore, write: () => IDBRequest) => IDBRequest) {
    const written: string[] = [];
    const wrapped = <A extends unknown[]>(write: (this: IDBObjectStore, ...args: A) => IDBRequest) =>
      function (this: IDBObjectStore, ...args: A) {
        const doIt = () => write.apply(this, args);
        return written.push(this.name) - 1 === wanted ? fault(this, doIt) : doIt();
      };
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(wrapped(put));
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(wrapped(remove));
    return written;
  }

  const FAULTS = {
    'a full disk': () => refusing('QuotaExceededError')(),
    'an abort': ({ transaction }: IDBObjectStore, write: () => IDBRequest) => {
      const request = write();
      transaction.abort();
      return request;
    },
  };

  it('makes these writes', async () => {
    await store.journal.open(entry(ALICE));
    const written = atWrite(-1, (_, write) => write());
    await store.commitEntry(entry(ALICE));
    expect(written).toEqual(WRITES);
  });

  it.each(Object.keys(FAULTS).flatMap((fault) => WRITES.map((name, at) => [fault, at, name] as const)))(
    'stores none of it and keeps the entry (%s at write %i, to %s)',
    async (fault, at) => {
      await store.journal.open(entry(BOB));
      await store.commitEntry(entry(BOB));
      const made = entry(ALICE);
      await store.journal.open(made);
      atWrite(at, FAULTS[fault as keyof typeof FAULTS]);
      const { code } = await failureOf(store.commitEntry(made));
      expect(code).toBe(fault === 'an abort' ? 'STORAGE_INTERRUPTED' : 'STORAGE_FULL');
      vi.restoreAllMocks();

      expect(await store.user(ALICE)).toBeUndefined();
      expect(await store.authenticators(ALICE)).toEqual([]);
      expect(await store.lastUser()).toEqual({ accountId: BOB, deviceNumber: 1 });
      expect(await store.journal.entries('registration')).toEqual([made]);

      await store.close();
      const next = new WalletStore();
      await next.commitEntry(made);
      expect(await next.user(ALICE)).toMatchObject({ clientNearPublicKey: 'ed25519:key' });
      expect(await next.authenticators(ALICE)).toEqual([made.records.authenticator]);
      expect(await next.encryptedKey(ALICE, 1)).toEqual(made.records.encryptedKey);
      expect(await next.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 1 });
      expect(await next.journal.entries('registration')).toEqual([]);
      await next.close();
    },
  );
});

describe("a frame's storage that does not open", () => {
  const onRefused = vi.fn();
  const FAILURES = [
    ['UnknownError', 'Internal error opening backing store for indexedDB.open.'],
    ['InvalidStateError', 'An attempt was made to use an object that is not usable.'],
  ] as const;

  beforeEach(async () => {
    onRefused.mockReset();
    await store.storeDevice(entry(ALICE).records);
    await store.close();
    store = new WalletStore(WAITS, 'https://app.example', onRefused);
  });

  it.each(FAILURES)('for the moment is opened again, and shows the account (%s)', async (name, message) => {
    const open = vi.spyOn(IDBFactory.prototype, 'open');
    for (let failures = 0; failures < WAITS.pausesMs.length; failures += 1) {
      open.mockImplementationOnce(() => {
        throw new DOMException(message, name);
      });
    }
    expect(await store.user(ALICE)).toMatchObject({ nearAccountId: ALICE });
    expect(onRefused).not.toHaveBeenCalled();
    expect(store.isInMemory).toBe(false);
  });

  it('at all is reported as that, and never as a browser that knows no account', async () => {
    const [[name, message]] = FAILURES;
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException(message, name);
    });
    const error = await failureOf(store.user(ALICE));
    expect([error.code, error.message]).toEqual([
      'STORAGE_FAILED',
      filled(STORAGE_FAILED.text, { reason: message }),
    ]);
    expect(onRefused).not.toHaveBeenCalled();
    open.mockRestore();
    expect(await store.user(ALICE)).toMatchObject({ nearAccountId: ALICE });
  });
});

describe('a connection', () => {
  it('that was closed underneath the store is reopened once', async () => {
    const opened: IDBDatabase[] = [];
    const { transaction } = IDBDatabase.prototype;
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    spy.mockImplementation(function (this: IDBDatabase, ...args) {
      opened.push(this);
      return transaction.apply(this, args);
    });
    await store.journal.open(entry(ALICE));
    opened.at(-1)?.close();
    await store.journal.update(entry(ALICE), { createdAt: 9 });
    expect(await store.journal.entries('registration')).toEqual([{ ...entry(ALICE), createdAt: 9 }]);

    spy.mockClear();
    spy.mockImplementation(refusing('InvalidStateError'));
    expect((await failureOf(store.setLastUser({ accountId: BOB, deviceNumber: 1 }))).code).toBe(
      'STORAGE_FAILED',
    );
    expect(spy).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['UnknownError', 'Connection to Indexed Database server lost. Refresh the page to try again'],
    ['InvalidStateError', 'The database connection is closing.'],
  ])('that is dead is reopened once (%s)', async (name, message) => {
    await store.journal.open(entry(ALICE));
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    spy.mockImplementationOnce(() => {
      throw new DOMException(message, name);
    });
    expect(await store.journal.entries('registration')).toEqual([entry(ALICE)]);
    expect(new Set(spy.mock.contexts).size).toBe(2);
  });

  it.each([
    ['writes again what a page that was left did not store, when the page is back', true, 2],
    ['goes on in a page that is left for good', false, 1],
  ])('%s', async (_name, persisted, times) => {
    await store.commitEntry(entry(ALICE));
    let changes = 0;
    await store.updateUser(ALICE, 1, () => {
      changes += 1;
      if (changes === 1) dispatchEvent(new PageTransitionEvent('pagehide', { persisted }));
      return { lastLogin: changes };
    });
    expect(changes).toBe(times);
    expect((await store.user(ALICE))?.lastLogin).toBe(times);
  });

  it('that an older version blocks is reported in time, and the opening continues when that version closes', async () => {
    const waits = { ...WAITS };
    store = new WalletStore(waits, 'https://app.example');
    const older = await openRaw('PasskeyClientDB', 12);
    const error = await failureOf(store.users());
    expect([error.code, error.message]).toEqual(['STORAGE_BLOCKED', STORAGE_BLOCKED.text]);
    expect((await failureOf(store.journal.open(entry(ALICE)))).code).toBe('STORAGE_BLOCKED');
    waits.blockedMs = 20_000;
    older.close();
    await store.journal.open(entry(ALICE));
    expect(await store.journal.entries('registration')).toEqual([entry(ALICE)]);
  });

  it('that an older version blocks only briefly is awaited', async () => {
    const patient = new WalletStore({ ...WAITS, blockedMs: 20_000 });
    const older = await openRaw('PasskeyClientDB', 12);
    const users = patient.users();
    setTimeout(() => older.close(), 200);
    expect(await users).toEqual([]);
    await patient.close();
  });

  it('that neither opens nor fails is not awaited forever', async () => {
    await store.users();
    await store.close();
    const held = await openRaw('PasskeyClientDB');
    // The opening queues behind a deletion that waits for `held`, and receives no event.
    const deleting = indexedDB.deleteDatabase('PasskeyClientDB');
    const waits = { ...WAITS, silentMs: 200 };
    const hasty = new WalletStore(waits);
    const error = await failureOf(hasty.users());
    expect([error.code, error.message]).toEqual([
      'STORAGE_FAILED',
      filled(STORAGE_FAILED.text, { reason: 'it did not open within 0.2 s' }),
    ]);
    waits.silentMs = 20_000;
    held.close();
    expect(await hasty.users()).toEqual([]);
    expect(deleting.readyState).toBe('done');
    await hasty.close();
  });

  it('closed while its opening is blocked is given up, and blocks no later opening', async () => {
    const older = await openRaw('PasskeyClientDB', 12);
    await failureOf(store.users());
    await store.close();
    older.close();
    await vi.waitFor(async () => expect((await describeRaw('PasskeyClientDB')).version).toBe(13), {
      timeout: 10_000,
    });
  });

  it("to a newer version's database is refused with advice, and changes nothing", async () => {
    (await openRaw('PasskeyClientDB', 14, (database) => database.createObjectStore('new'))).close();
    const error = await failureOf(store.users());
    expect([error.code, error.message]).toEqual(['STORAGE_NEWER', STORAGE_NEWER.text]);
    expect(await describeRaw('PasskeyClientDB')).toMatchObject({ version: 14, stores: [{ name: 'new' }] });
  });
});
