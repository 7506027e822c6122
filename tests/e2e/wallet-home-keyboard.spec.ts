// The wallet's own page with a keyboard and no pointer, from a new account to its removal from this browser. What a user does with
// an account in between is in wallet-home-tasks.spec.ts.

import { loginMenu } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { heading, sections, test } from './home-page.js';
import { answerUntil, changeOptionByKeyboard, pressEnterUntil, tabTo } from './keyboard.js';

test('an account is registered, changes its settings and is removed without a pointer, and the title of each screen gets the focus', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const { keyboard } = page;
  const accountId = accountOf(username);
  const main = page.getByRole('main');
  const visit = async (name: string) => {
    await tabTo(page, sections(page).getByRole('link', { name, exact: true }));
    await keyboard.press('Enter');
    await expect(heading(page, name)).toBeFocused();
    await expect(page).toHaveTitle(`${name} · Passkey wallet`);
    await expect(sections(page).getByRole('link', { name, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  };

  await loginMenu(page).waitFor();
  await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
  await keyboard.type(username);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await keyboard.press('Enter');
  await answerUntil(page, 'Create passkey', sections(page));
  expect(await stack.oracle.accountExists(accountId)).toBe(true);

  await visit('Settings');
  const change = main.getByRole('button', { name: 'Change' });
  await tabTo(page, change);
  await keyboard.press('Enter');
  const settings = page.getByRole('dialog', { name: 'Transaction Settings' });
  await changeOptionByKeyboard(page, settings);
  await expect(settings).toBeHidden();
  await expect(change).toBeFocused();

  await visit('Accounts');
  await page.goBack();
  await expect(heading(page, 'Settings')).toBeFocused();
  await visit('Accounts');
  await tabTo(page, main.getByRole('button', { name: /^Remove / }));
  await keyboard.press('Enter');
  const question = page.getByRole('dialog');
  const remove = question.getByRole('button', { name: /^Remove/ });
  await tabTo(page, remove);
  await pressEnterUntil(page, () => question.isHidden());
  await expect(heading(page, 'Your wallet')).toBeVisible();
  expect(await stack.oracle.accountExists(accountId)).toBe(true);
  expect(complaints).toEqual([]);
});
