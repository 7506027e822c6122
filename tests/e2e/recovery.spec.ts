// Recovers an account from its passkey alone, in a browser without its data.
// Specification: core 1, core 3, core 5
import type { Page } from '@playwright/test';
import {
  forgetEverything,
  loggedInAs,
  logIn,
  loginMenu,
  loginProblem,
  logOut,
  recoverExpectingError,
  register,
  setGreeting,
  startLogin,
  toastOf,
} from '../support/steps.js';
import { accountOf, homeOf } from '../support/wallet.js';
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

test('a login whose data is gone leads to recovery by one prompt and two chain requests, and the account then signs and logs in silently', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The page was reading when its data was deleted.
  expectedConsole.push(/A background refresh failed/);
  const { page } = wallet;
  const accountId = accountOf(username);
  const field = page.getByRole('textbox', { name: 'Username' });
  await register(wallet, username);
  const [key] = await stack.oracle.fullAccessKeys(accountId);
  await logOut(wallet);
  await page.getByRole('radio', { name: 'Login' }).check();
  await expect(field).toHaveValue(username);
  await wallet.passkey.clearSiteData(stack.appUrl);
  await startLogin(wallet, username);
  await expect(page.getByRole('radio', { name: 'Recover' })).toBeChecked();
  await expect(field).toHaveValue(username);
  await expect(loginProblem(page)).toContainText(`This browser does not know ${accountId}`);
  expect(await storedRecords(page)).toBe(0);

  const said = toastOf(page, `Account ${accountId} recovered successfully!`);
  const activity = await wallet.during(async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await loggedInAs(page, username).waitFor();
  });
  expect(activity.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expectCalls(activity.rpc, [RECORDS, KEY]);
  expect(activity.relay).toEqual(['/shamir/key-info', '/vrf/apply-server-lock']);
  await said;

  await page.reload();
  const login = await wallet.during(() => logIn(wallet, username));
  expect(login.prompts).toEqual([]);
  await setGreeting(wallet, `recovered, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`recovered, ${username}`);
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual([key]);
});

test('a browser without the passkey says what to do, with and without a name', async ({
  wallet,
  username,
}) => {
  await register(wallet, username);
  await forgetEverything(wallet);
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
