// The demo's pages: their addresses, the bar, and what each shows to a user who is logged in or not.
// Specification: demo 2, demo 4, demo 5, demo 9
import type { Page } from '@playwright/test';
import { APP } from '../support/oracle.js';
import {
  approveUntil,
  chooseInMenu,
  confirmDialog,
  loginMenu,
  register,
  setGreeting,
  toDemos,
  toHome,
  uncovered,
  userMenu,
} from '../support/steps.js';
import { expect, expectFinal, test } from './fixtures.js';

/** What a node answers where the contract holds this greeting. */
const greetingAnswer = (text: string) => ({
  jsonrpc: '2.0',
  id: 'get_greeting',
  result: { result: [...new TextEncoder().encode(JSON.stringify(text))], logs: [] },
});

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('each page has its own address, for the bar, a reload and Back, and an unknown one leads home', async ({
  wallet,
  stack,
}) => {
  const { page } = wallet;

  await test.step('the bar links to the pages, and its title leads home', async () => {
    for (const [name, path, heading] of [
      ['Demos', '/multitx', 'Log in to explore the transaction confirm demos'],
      ['Docs', '/docs', 'Latchkey'],
      ['Home', '/', 'Your device is the key.'],
    ] as const) {
      await link(page, name).click();
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
      await expect(page).toHaveURL((url) => url.pathname === path);
      await expect(link(page, name)).toHaveAttribute('aria-current', 'page');
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    }
    await link(page, 'Docs').click();
    await page.getByRole('link', { name: 'Latchkey, home' }).click();
    await expect(loginMenu(page)).toBeVisible();
  });

  await test.step('the demos ask for a login, and lead there', async () => {
    await toDemos(page);
    await expect(page.getByText('a login is required')).toBeVisible();
    await page.getByRole('link', { name: 'Log in or register' }).click();
    await expect(loginMenu(page)).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('the documentation opens its pages without loading the app again, and its headings have addresses', async () => {
    await link(page, 'Docs').click();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    const article = page.getByRole('article');
    await article.getByRole('link', { name: 'Install the packages' }).first().click();
    await expect(page).toHaveURL(/\/docs\/getting-started\/install/);
    await expect(page).toHaveTitle(/ · Latchkey$/);
    const shown = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current="page"]');
    await expect(shown).toHaveCount(1);
    await expect(article.getByRole('heading', { level: 1 })).toHaveText((await shown.textContent()) ?? '');
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);

    await page.goto(`${stack.appUrl}/docs/api/react-components#toasts`);
    await expect(article.getByRole('heading', { name: 'Toasts', exact: true })).toBeInViewport();
  });

  await test.step('an unknown page of the documentation leads to its overview, any other home, a missing file of the SDK to 404', async () => {
    await page.goto(`${stack.appUrl}/multitx`);
    await page.goto(`${stack.appUrl}/docs/no/such/page`);
    await expect(page).toHaveURL((url) => url.pathname === '/docs');
    await expect(page.getByRole('heading', { level: 1, name: 'Latchkey' })).toBeVisible();
    // The unknown address is replaced: back is the page before it.
    await page.goBack();
    await expect(page).toHaveURL((url) => url.pathname === '/multitx');
    await page.goto(`${stack.appUrl}/no-such-page`);
    await expect(loginMenu(page)).toBeVisible();
    await expect(page).toHaveURL((url) => url.pathname === '/');

    const missing = await page.request.get(`${stack.appUrl}/sdk/no-such-file.js`);
    expect(missing.status()).toBe(404);
    expect(await missing.text()).not.toContain('<');
  });
});

test('a session has the menu, the greeting of the chain and the latest transaction on every page, until Lock Wallet', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  const greetingCard = card(page, 'Greeting on the chain');
  const reads = () => stack.chain.calls.filter(({ name }) => name === 'query:get_greeting');
  const widthOf = async (name: string) => (await card(page, name).boundingBox())?.width;
  const before = reads().length;
  let width: number | undefined;

  await test.step('only a user who is logged in has the menu', async () => {
    await expect(loginMenu(page)).toBeVisible();
    await expect(userMenu(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^(Dark|Light) Mode$/ })).toBeVisible();
    await register(wallet, username);
    await expect(userMenu(page)).toHaveAccessibleName(username);
    width = await widthOf('Latest transaction');
  });

  await test.step('the greeting is read without arguments when its card appears, and again when the user asks', async () => {
    const greeting = greetingCard.getByLabel('Current greeting');
    await expect.poll(() => reads().length).toBe(before + 1);
    await expect(greeting).toHaveAttribute('aria-busy', 'false');
    const text = 'set by another page';
    stack.chain.fail('query:get_greeting', { kind: 'rewrite-answer', rewrite: () => greetingAnswer(text) });
    // A second after the first read at the earliest.
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh greeting' }).click();
      expect(reads().length).toBeGreaterThan(before + 1);
    }).toPass();
    await expect(greeting).toHaveText(text);
    for (const { body } of reads().slice(before)) expect(JSON.parse(body).params.args_base64).toBe('');
    stack.chain.heal();
  });

  await test.step('a greeting needs text that is not blank', async () => {
    await greetingCard.getByRole('textbox', { name: 'New greeting' }).fill('   ');
    await expect(greetingCard.getByRole('button', { name: 'Set greeting' })).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(confirmDialog(page)).toHaveCount(0);
  });

  await test.step('the latest transaction stays on every page, and its card has one width', async () => {
    const id = await setGreeting(wallet, `seen again, ${username}`);
    expect(await widthOf('Latest transaction')).toBe(width);
    await toDemos(page);
    expect(await widthOf('Send to several')).toBe(width);
    await toHome(page);
    await expect(page.getByTestId('transaction-id')).toHaveText(id);
  });

  await test.step('Lock Wallet leads home and to the login', async () => {
    await toDemos(page);
    await chooseInMenu(page, 'Lock Wallet');
    await expect(page.getByRole('heading', { level: 2, name: 'Login' })).toBeFocused();
    await expect(page).toHaveURL((url) => url.pathname === '/');
    await expect(userMenu(page)).toHaveCount(0);
  });
});

test('an app key is confirmed once, calls its contract without a prompt, is revoked, and may be prepaid', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await stack.oracle.deployApp();
  await register(wallet, username);
  await toDemos(page);
  const keys = card(page, 'App keys');
  const added = keys.getByRole('listitem');
  await keys.getByRole('button', { name: 'Show app keys' }).click();
  await expect(keys.getByText('This account has no app key.')).toBeVisible();
  await keys.getByRole('textbox', { name: 'Contract' }).fill(APP);
  await keys.getByRole('textbox', { name: 'Methods' }).fill('set_greeting, get_greeting');
  await keys.getByRole('button', { name: 'Add app key' }).click();
  await approveUntil(page, added);
  await expect(added).toContainText(`${APP}`);
  await expect(added).toContainText('set_greeting, get_greeting');

  await uncovered(page);
  const calling = await wallet.during(() =>
    expectFinal(stack, async () => {
      await keys.getByRole('button', { name: 'Call get_greeting' }).click();
      await expect(keys.getByRole('status')).toHaveText('get_greeting was called without a prompt.');
    }),
  );
  expect(calling.prompts).toEqual([]);
  expect(calling.rpc).toContain('send_tx');

  await keys.getByRole('button', { name: `Revoke the key for ${APP}` }).click();
  await approveUntil(page, keys.getByText('This account has no app key.'));

  await keys.getByRole('textbox', { name: 'Contract' }).fill(APP);
  await keys.getByRole('spinbutton', { name: 'NEAR for gas' }).fill('0.05');
  await keys.getByRole('button', { name: 'Add app key' }).click();
  await approveUntil(page, added);
  await expect(added).toContainText(
    'Every method. 0.05 NEAR left on the key, which pays for its calls in 4 lanes.',
  );
});
