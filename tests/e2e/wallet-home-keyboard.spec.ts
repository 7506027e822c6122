// The wallet's own page with a keyboard and no pointer, from a new account to its removal from this browser.

import { REGISTRY } from '../../dev/services/services.js';
import { AGREE, loginMenu } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { heading, row, sections, test } from './home-page.js';
import { answerUntil, changeOptionByKeyboard, pressEnterUntil, tabTo } from './keyboard.js';

test('an account is registered, pays, changes its settings and is removed without a pointer', async ({
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
  };

  await loginMenu(page).waitFor();
  await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
  await keyboard.type(username);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await keyboard.press('Enter');
  await answerUntil(page, 'Create passkey', sections(page));
  expect(await stack.oracle.accountExists(accountId)).toBe(true);

  const before = await stack.oracle.balance(REGISTRY);
  await tabTo(page, page.getByRole('link', { name: 'Send', exact: true }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('textbox', { name: 'Receiver' }));
  await keyboard.type(REGISTRY);
  await tabTo(page, page.getByRole('textbox', { name: 'Amount in NEAR' }));
  await keyboard.type('0.01');
  await keyboard.press('Enter');
  await answerUntil(page, AGREE, page.getByRole('heading', { name: 'Done', exact: true }));
  expect((await stack.oracle.balance(REGISTRY)) - before).toBe(10n ** 22n);
  await visit('Activity');
  await expect(row(page, 'Sent 0.01 NEAR')).toContainText(`to ${REGISTRY}`);

  await visit('Settings');
  const change = main.getByRole('button', { name: 'Change' });
  await tabTo(page, change);
  await keyboard.press('Enter');
  const settings = page.getByRole('dialog', { name: 'Transaction Settings' });
  await changeOptionByKeyboard(page, settings);
  await expect(settings).toBeHidden();
  await expect(change).toBeFocused();

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
