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
import { expect, expectCalls, test } from './fixtures.js';

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
    { kind: 'get', userVerification: 'required', prf: true },
    { kind: 'get', userVerification: 'required', prf: true },
  ]);
  expectCalls(activity.rpc, [RECORDS, KEY]);
  await expectItSigns(wallet, stack, `discovered, ${username}`);
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
    await expect(loginProblem(wallet.page)).toContainText('Operation was cancelled.');
  });
  expect(activity.prompts).toHaveLength(1);
  await expect(wallet.page.getByRole('textbox', { name: 'Username' })).toHaveValue('');
  expect(await storedRecords(wallet.page)).toBe(0);
  await wallet.passkey.setPresence(true);
  await recover(wallet, username);
  await expectItSigns(wallet, stack, `again, ${username}`);
});

test('a browser without the passkey says what to do, with and without a name', async ({
  wallet,
  username,
}) => {
  await registered(wallet, username);
  await wallet.passkey.renew();
  const isOffered = async (typed: string) => {
    const said = await recoverExpectingError(wallet, typed);
    expect(said).toContain('Operation was cancelled.');
    const menu = loginMenu(wallet.page);
    await expect(menu).toContainText('No passkey offered? It may have been deleted here.');
    await expect(menu.getByRole('button', { name: 'Use a linked device' })).toBeVisible();
    // What the browser said.
    await menu.getByText('Details').click();
    await expect(menu).toContainText(NOT_ALLOWED);
    await expect(menu).toContainText('this browser has none for this site');
  };
  await isOffered(username);
  // Chromium looks on this device first.
  expect(await recoverExpectingError(wallet, '')).toContain('This device has no passkey for this wallet.');
  await expect(wallet.page.getByRole('radio', { name: 'Register' })).toBeChecked();
  await isOffered('');
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
