// The accounts that the wallet's home page lists, opens and removes, and the ways into one whose passkey is missing.
import { addVirtualPasskey } from '../support/browser.js';
import { approveUntil, closeKeyViewer, keyViewer, loginMenu } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, heading, register, sections, test, useMenu } from './home-page.js';

test('an account is removed from this browser alone, which locks it in another tab, and recovered with its passkey', async ({
  home,
  context,
  stack,
  username,
}) => {
  const { page, origin, complaints } = home;
  const account = accountOf(username);
  await register(page, username);
  const other = await context.newPage();
  await addVirtualPasskey(other);
  await other.goto(`${origin}/`);
  await other.getByRole('button', { name: `Open ${account}` }).click();
  await expect(sections(other)).toBeVisible();
  await page.bringToFront();
  await goTo(page, 'Accounts');
  await page.getByRole('button', { name: `Remove ${account} from this browser` }).click();
  const question = page.getByRole('dialog', { name: 'Remove from this browser?' });
  await expect(question).toContainText('It does not delete the account, its money or its passkey.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(loginMenu(page)).toBeVisible();
  await expect(heading(other, 'Your wallet')).toBeVisible();
  const left = await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const found: unknown[] = [];
    for (const [name, stores] of [
      ['PasskeyClientDB', ['users', 'authenticators', 'appState']],
      ['PasskeyNearKeys', ['encryptedKeys']],
    ] as const) {
      const database = await settled(indexedDB.open(name));
      for (const store of stores)
        found.push(...(await settled(database.transaction(store).objectStore(store).getAll())));
      database.close();
    }
    return JSON.stringify(found);
  });
  expect(left).not.toContain(username);
  expect(await stack.oracle.accountExists(account)).toBe(true);

  await useMenu(page, 'Recover', username);
  await expect(page.getByRole('main')).toContainText(account);
  expect(complaints).toEqual([]);
});

test('an account whose passkey was not offered opens by a recovery phrase or a linked device', async ({
  home,
  stack,
  username,
}) => {
  const { page, passkey } = home;
  const account = accountOf(username);
  await register(page, username);
  // Its server would open it without the passkey.
  stack.relay.fail('*', { kind: 'refuse' });
  await passkey.refuse();
  await page.reload();
  await page.getByRole('button', { name: `Open ${account}` }).click();
  await expect(page.getByText(/^No passkey offered\?/)).toBeVisible();
  stack.relay.heal();

  await page.getByRole('button', { name: 'Use a recovery phrase' }).click();
  await expect(keyViewer(page).getByRole('textbox', { name: 'Word 12', exact: true })).toBeVisible();
  await expect(keyViewer(page).getByText(account)).toBeVisible();
  await closeKeyViewer(page, 'Cancel');

  await passkey.renew();
  await page.getByRole('button', { name: 'Use a linked device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link this device' });
  const code = dialog.getByRole('img', { name: 'QR code that links this device' });
  const [asked] = await approveUntil(page, code);
  expect(asked).toContain(account);
});
