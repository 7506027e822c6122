// Recovers an account from its passkey alone, in a browser without its data.
// Specification: core 1, core 3, core 5
import type { Page } from '@playwright/test';
import type { LocalStack } from '../support/local-stack.js';
import {
  forgetEverything,
  loggedInAs,
  logIn,
  loginMenu,
  loginProblem,
  logOut,
  recover,
  recoverExpectingError,
  register,
  setGreeting,
  startLogin,
  startRecovery,
  toastOf,
} from '../support/steps.js';
import { accountOf, homeOf, type WatchedWallet } from '../support/wallet.js';
import { expect, expectCalls, REQUEST_FAILED, test } from './fixtures.js';

const RECORDS = 'query:get_authenticators_by_user';
const KEY = 'query:view_access_key';
const NOT_ALLOWED = 'Touch ID was cancelled or timed out.';

/** How many records the wallet has stored: users, authenticators and keys. */
const storedRecords = async (page: Page): Promise<number> =>
  (await homeOf(page)).evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    let count = 0;
    for (const { name } of await indexedDB.databases()) {
      const db = await settled(indexedDB.open(name ?? ''));
      for (const store of ['users', 'authenticators', 'encryptedKeys'])
        if (db.objectStoreNames.contains(store))
          count += await settled(db.transaction(store).objectStore(store).count());
      db.close();
    }
    return count;
  });

/** Sends a transaction signed with the recovered key, which the chain accepts. */
async function expectItSigns(wallet: WatchedWallet, stack: LocalStack, greeting: string): Promise<void> {
  await setGreeting(wallet, greeting);
  expect(await stack.oracle.greeting()).toContain(greeting);
}

/** Registers and leaves a browser with the same passkey and no data. */
async function registered(wallet: WatchedWallet, username: string): Promise<void> {
  await register(wallet, username);
  await forgetEverything(wallet);
}

type ViewAnswer = { result?: { result?: number[] } };

/** Changes a registry view's answer at both chain addresses. */
function lieAbout(stack: LocalStack, change: (value: never) => unknown): void {
  const rewrite = (answer: ViewAnswer) => {
    const value = JSON.parse(Buffer.from(answer.result?.result ?? []).toString());
    const bytes = [...Buffer.from(JSON.stringify(change(value as never)))];
    return { ...answer, result: { ...answer.result, result: bytes } };
  };
  for (const node of stack.nodes) node.fail(RECORDS, { kind: 'rewrite-answer', rewrite });
}

test('recovery by name takes one prompt and two chain requests, makes a new lock, and the account then signs and logs in silently', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  const [key] = await stack.oracle.fullAccessKeys(accountOf(username));
  await forgetEverything(wallet);
  expect(await storedRecords(wallet.page)).toBe(0);

  const said = toastOf(wallet.page, `Account ${accountOf(username)} recovered successfully!`);
  const activity = await wallet.during(() => recover(wallet, username));
  expect(activity.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expectCalls(activity.rpc, [RECORDS, KEY]);
  expect(activity.relay).toEqual(['/shamir/key-info', '/vrf/apply-server-lock']);
  await said;
  await expectItSigns(wallet, stack, `by name, ${username}`);

  await wallet.page.reload();
  const login = await wallet.during(() => logIn(wallet, username));
  expect(login.prompts).toEqual([]);
  await expectItSigns(wallet, stack, `after the reload, ${username}`);
  expect(await stack.oracle.fullAccessKeys(accountOf(username))).toEqual([key]);
});

test('recovery with a blank field takes two prompts, the first only to choose the account', async ({
  wallet,
  stack,
  username,
}) => {
  await registered(wallet, username);
  const activity = await wallet.during(() => recover(wallet, username, ''));
  expect(activity.prompts).toEqual([
    { kind: 'get', userVerification: 'required', prf: false },
    { kind: 'get', userVerification: 'required', prf: true },
  ]);
  expectCalls(activity.rpc, [RECORDS, KEY]);
  await expectItSigns(wallet, stack, `discovered, ${username}`);
});

test('recovery works with the relay down, and a later login makes the lock', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /server lock/i);
  await registered(wallet, username);
  stack.relay.fail('*', { kind: 'refuse' });
  const activity = await wallet.during(() => recover(wallet, username));
  expect(activity.prompts).toHaveLength(1);
  await expectItSigns(wallet, stack, `no relay, ${username}`);

  stack.relay.heal();
  await logOut(wallet);
  const first = await wallet.during(() => logIn(wallet, username));
  expect(first.prompts).toHaveLength(1);
  await logOut(wallet);
  const second = await wallet.during(() => logIn(wallet, username));
  expect(second.prompts).toEqual([]);
});

test('a recovery cancelled at its prompt stores nothing, and the next one completes', async ({
  wallet,
  stack,
  username,
}) => {
  await registered(wallet, username);
  await wallet.passkey.setPresence(false);
  const activity = await wallet.during(async () => {
    await startRecovery(wallet, username);
    await expect.poll(() => wallet.prompts.length).toBe(2);
    await expect(wallet.page.getByText('Waiting for Passkey…')).toBeVisible();
    await wallet.page.getByRole('button', { name: 'Back' }).click();
    await expect(loginProblem(wallet.page)).toContainText('Authentication was cancelled.');
  });
  expect(activity.prompts).toHaveLength(1);
  await expect(wallet.page.getByRole('textbox', { name: 'Username' })).toHaveValue('');
  expect(await storedRecords(wallet.page)).toBe(0);
  await wallet.passkey.setPresence(true);
  await recover(wallet, username);
  await expectItSigns(wallet, stack, `again, ${username}`);
});

test('a recovery that a reload interrupts while it compares keys stores nothing, and the next one completes', async ({
  wallet,
  stack,
  username,
}) => {
  await registered(wallet, username);
  const release = stack.chain.hold(KEY, 1);
  const before = stack.chain.calls.length;
  await startRecovery(wallet, username);
  await expect.poll(() => stack.chain.calls.slice(before).some(({ name }) => name === KEY)).toBe(true);
  await wallet.page.reload();
  release();
  await loginMenu(wallet.page).waitFor();
  expect(await storedRecords(wallet.page)).toBe(0);
  const activity = await wallet.during(() => recover(wallet, username));
  expect(activity.prompts).toHaveLength(1);
  await expectItSigns(wallet, stack, `after the reload, ${username}`);
});

test('a browser without the passkey says what to do, with and without a name', async ({
  wallet,
  username,
}) => {
  await registered(wallet, username);
  await wallet.passkey.renew();
  const isOffered = async (typed: string) => {
    const said = await recoverExpectingError(wallet, typed);
    expect(said).toContain(NOT_ALLOWED);
    expect(said).toContain('this browser has none for this site');
  };
  await isOffered(username);
  // Chromium looks on this device first.
  expect(await recoverExpectingError(wallet, '')).toContain('This device has no passkey for this wallet.');
  await expect(wallet.page.getByRole('radio', { name: 'Register' })).toBeChecked();
  await isOffered('');
  expect(await storedRecords(wallet.page)).toBe(0);
});

test('two accounts on one authenticator are each recovered as themselves', async ({
  wallet,
  stack,
  username,
}) => {
  const names = [`${username}-a`, `${username}-b`];
  for (const name of names) {
    await register(wallet, name);
    await logOut(wallet);
  }
  await forgetEverything(wallet);
  for (const name of names) {
    await recover(wallet, name);
    await expectItSigns(wallet, stack, `I am ${name}`);
    await logOut(wallet);
  }
});

type Pairs = [string, Record<string, unknown>][];
const withRecord = (change: Record<string, unknown>) => (pairs: Pairs) =>
  pairs.map(([id, record]) => [id, { ...record, ...change }]);
const someBytes = (length: number) => Array.from({ length }, (_, index) => index);

const lies = [
  [
    'another access key',
    withRecord({ near_public_key: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2' }),
    'another access key is recorded',
  ],
  [
    'other VRF keys',
    withRecord({ vrf_public_keys: [someBytes(32), someBytes(32)] }),
    'other VRF keys are recorded',
  ],
  ['another device', withRecord({ device_number: 9 }), 'it is of device 1, the record of device 9'],
  [
    'another public key of the passkey',
    (pairs: Pairs) => {
      const flipped = (key: number[]) =>
        key.map((byte, index) => (index === key.length - 1 ? byte ^ 1 : byte));
      return pairs.map(([id, record]) => [
        id,
        { ...record, credential_public_key: flipped(record.credential_public_key as number[]) },
      ]);
    },
    'its signature was not made with the public key recorded',
  ],
  ['no passkey at all', () => [], 'No recoverable accounts found'],
  [
    'another passkey',
    (pairs: Pairs) => pairs.map(([, record]) => ['AAAAAAAAAAAAAAAAAAAAAA', record]),
    'Could not find authenticator for credential',
  ],
] as const;

test('nothing is stored when a node reports other keys, another device or another passkey', async ({
  wallet,
  stack,
  username,
}) => {
  await registered(wallet, username);
  for (const [what, change, said] of lies) {
    await test.step(what, async () => {
      lieAbout(stack, change);
      expect(await recoverExpectingError(wallet, '')).toContain(said);
      expect(await storedRecords(wallet.page)).toBe(0);
      stack.chain.heal();
      stack.spareChain.heal();
    });
  }
  await recover(wallet, username);
});

test("nothing is stored when a node passes another account's passkey off as this one's", async ({
  wallet,
  stack,
  username,
}) => {
  const [victim, own] = [`${username}-a`, `${username}-b`];
  for (const name of [victim, own]) {
    await register(wallet, name);
    await logOut(wallet);
  }
  await forgetEverything(wallet);
  const records = await stack.oracle.authenticators(accountOf(own));
  lieAbout(stack, () => records);
  expect(await recoverExpectingError(wallet, victim)).toContain(
    `Selected passkey belongs to ${accountOf(own)}, not ${accountOf(victim)}`,
  );
  expect(await storedRecords(wallet.page)).toBe(0);
});

test('nothing is stored when a node does not know the key', async ({ wallet, stack, username }) => {
  await registered(wallet, username);
  const rewrite = ({ id }: { id: string }) => ({
    jsonrpc: '2.0',
    id,
    error: {
      name: 'HANDLER_ERROR',
      cause: { name: 'UNKNOWN_ACCESS_KEY' },
      code: -32000,
      message: '',
      data: '',
    },
  });
  for (const node of stack.nodes) node.fail(KEY, { kind: 'rewrite-answer', rewrite });
  expect(await recoverExpectingError(wallet, username)).toContain(
    `The key of this device was removed from ${accountOf(username)}`,
  );
  expect(await storedRecords(wallet.page)).toBe(0);
});

test('a login that finds its account gone leads to recovery, with the name filled in', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The page was reading when its data was deleted.
  expectedConsole.push(/A background refresh failed/);
  await register(wallet, username);
  await logOut(wallet);
  await wallet.page.getByRole('radio', { name: 'Login' }).check();
  await expect(wallet.page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await wallet.passkey.clearSiteData(stack.appUrl);
  await startLogin(wallet, username);
  await expect(wallet.page.getByRole('radio', { name: 'Recover' })).toBeChecked();
  await expect(wallet.page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await expect(loginProblem(wallet.page)).toContainText(`This browser does not know ${accountOf(username)}`);
  const activity = await wallet.during(async () => {
    await wallet.page.getByRole('button', { name: 'Continue' }).click();
    await loggedInAs(wallet.page, username).waitFor();
  });
  expect(activity.prompts).toHaveLength(1);
});
