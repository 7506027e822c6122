// The demo's pages: their addresses, the bar, and what each shows to a user who is logged in or not.
// Specification: demo 2, demo 4, demo 5, demo 9
import type { Page } from '@playwright/test';
import { REGISTRY } from '../../dev/services/services.js';
import { APP } from '../support/oracle.js';
import {
  AGREE,
  agree,
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
import { accountOf } from '../support/wallet.js';
import { expect, expectFinal, FRAMED, test } from './fixtures.js';

/** What a node answers where the contract holds this greeting. */
const greetingAnswer = (text: string) => ({
  jsonrpc: '2.0',
  id: 'get_greeting',
  result: { result: [...new TextEncoder().encode(JSON.stringify(text))], logs: [] },
});

const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const results = (page: Page, name: string) => card(page, name).getByRole('listitem');

test('the bar links to the pages, each at its own address, and the title leads home', async ({ wallet }) => {
  const { page } = wallet;
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

test('an unknown path leads home, an unknown page of the documentation to its overview, and a missing file of the SDK to 404', async ({
  wallet,
  stack,
}) => {
  const { page } = wallet;
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

test('the documentation opens its pages without loading the app again, and its headings have addresses', async ({
  wallet,
  stack,
}) => {
  const { page } = wallet;
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

test('only a user who is logged in has the menu, whose Lock Wallet leads home and to the login', async ({
  wallet,
  username,
}) => {
  const { page } = wallet;
  await expect(loginMenu(page)).toBeVisible();
  await expect(userMenu(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Dark|Light) Mode$/ })).toBeVisible();

  await register(wallet, username);
  await expect(userMenu(page)).toHaveAccessibleName(username);
  await toDemos(page);
  await chooseInMenu(page, 'Lock Wallet');
  await expect(page.getByRole('heading', { level: 2, name: 'Login' })).toBeFocused();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect(userMenu(page)).toHaveCount(0);
});

test('the latest transaction stays while the user visits another page, and its card has one width on every page', async ({
  wallet,
  username,
}) => {
  const { page } = wallet;
  const widthOf = async (name: string) => (await card(page, name).boundingBox())?.width;
  await register(wallet, username);
  const before = await widthOf('Latest transaction');
  const id = await setGreeting(wallet, `seen again, ${username}`);
  expect(await widthOf('Latest transaction')).toBe(before);
  await toDemos(page);
  expect(await widthOf('Send to several')).toBe(before);
  await toHome(page);
  await expect(page.getByTestId('transaction-id')).toHaveText(id);
});

test('the greeting is read without arguments when its card appears, and again when the user asks', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  const reads = () => stack.chain.calls.filter(({ name }) => name === 'query:get_greeting');
  const before = reads().length;
  await register(wallet, username);
  const greeting = card(page, 'Greeting on the chain').getByLabel('Current greeting');
  const isRead = () => expect(greeting).toHaveAttribute('aria-busy', 'false');
  await expect.poll(() => reads().length).toBe(before + 1);
  await isRead();
  const text = 'set by another page';
  stack.chain.fail('query:get_greeting', { kind: 'rewrite-answer', rewrite: () => greetingAnswer(text) });
  // A second after the first read at the earliest.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh greeting' }).click();
    expect(reads().length).toBeGreaterThan(before + 1);
  }).toPass();
  await expect(greeting).toHaveText(text);
  for (const { body } of reads().slice(before)) expect(JSON.parse(body).params.args_base64).toBe('');
});

test('a greeting needs text that is not blank', async ({ wallet, username }) => {
  const { page } = wallet;
  await register(wallet, username);
  const greeting = card(page, 'Greeting on the chain');
  await greeting.getByRole('textbox', { name: 'New greeting' }).fill('   ');
  await expect(greeting.getByRole('button', { name: 'Set greeting' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(confirmDialog(page)).toHaveCount(0);
  await greeting.getByRole('textbox', { name: 'New greeting' }).fill('hi');
  await expect(greeting.getByRole('button', { name: 'Set greeting' })).toBeEnabled();
});

test(
  'the embedded button shows its two transfers before a click, and the click sends them with one prompt',
  FRAMED,
  async ({ wallet, stack, username, framed }) => {
    const { page } = wallet;
    await register(wallet, username);
    const sending = card(page, 'Two transfers, one button');
    const frame = sending.frameLocator('iframe');
    const button = frame.getByRole('button', { name: 'Send two transfers' });
    // The tooltip's side follows the place of the button in the window.
    await sending.scrollIntoViewIfNeeded();
    await button.hover();
    const tooltip = frame.getByRole('region', { name: 'What this signs' });
    await expect(tooltip).toContainText('You send 0.0003 NEAR');
    for (const near of ['0.0001 NEAR', '0.0002 NEAR']) await expect(tooltip).toContainText(near);
    await expect(confirmDialog(page)).toHaveCount(0);

    const { prompts } = await wallet.during(() =>
      expectFinal(stack, async () => {
        // A click that comes before the tooltip was seen for half a second does not count, and starts that time again.
        await expect(async () => {
          await button.click();
          await expect(button).toHaveAttribute('aria-busy', 'true', { timeout: 700 });
        }).toPass();
        if (framed) await agree(confirmDialog(page), AGREE);
        await expect(results(page, 'Two transfers, one button')).toHaveText([
          /0\.0001 NEAR.*Final/,
          /0\.0002 NEAR.*Final/,
        ]);
      }),
    );
    expect(prompts).toHaveLength(1);
    const latest = page.getByTestId('transaction-id');
    await expect(latest).toBeVisible();
    const id = ((await latest.textContent()) ?? '').trim();
    expect((await stack.oracle.transaction(id, accountOf(username))).succeeded).toBe(true);
  },
);

test('the demos ask for a login, and say so', async ({ wallet }) => {
  const { page } = wallet;
  await toDemos(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Log in to explore the transaction confirm demos',
  );
  await expect(page.getByText('a login is required')).toBeVisible();
  await page.getByRole('link', { name: 'Log in or register' }).click();
  await expect(loginMenu(page)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a combined transaction signs the filled fields with one prompt, and a stake that the chain refuses fails alone', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);
  await toDemos(page);
  const combined = card(page, 'Combined transaction');
  const [transfer, stake] = ['Transfer in NEAR', 'Stake in NEAR'].map((name) =>
    combined.getByRole('spinbutton', { name }),
  );
  for (const [field, amount] of [
    [transfer!, '0.001'],
    [stake!, '0.1'],
  ] as const) {
    await expect(field).toHaveValue(amount);
    await expect(field).toHaveAttribute('step', '0.001');
    await expect(field).toHaveAttribute('min', '0');
    await field.fill('0');
  }
  const send = combined.getByRole('button', { name: 'Sign combined transaction' });
  await send.click();
  await expect(combined.getByRole('alert')).toHaveText('No valid actions to execute');

  await combined.getByRole('textbox', { name: 'Greeting to set' }).fill(`combined, ${username}`);
  await transfer!.fill('0.002');
  await stake!.fill('0.001');
  const before = await stack.oracle.balance(REGISTRY);
  const { prompts } = await wallet.during(async () => {
    await send.click();
    await approveUntil(page, results(page, 'Combined transaction').nth(1));
  });
  expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
  const [first, second] = await results(page, 'Combined transaction').allInnerTexts();
  expect(first).toMatch(new RegExp(`^Greeting and 0.002 NEAR to ${REGISTRY}\\s+Final`));
  expect(second).toMatch(new RegExp(`^Stake of 0.001 NEAR to ${accountOf(username)}\\s+Failed`));
  expect(second).toContain('InsufficientStake');
  expect(await stack.oracle.greeting()).toContain(`combined, ${username}`);
  expect(await stack.oracle.balance(REGISTRY)).toBeGreaterThanOrEqual(before + 2n * 10n ** 21n);
  await toHome(page);
  await expect(page.getByTestId('greeting')).toContainText(`combined, ${username}`);
});

test('a batch of three signs three transfers with one prompt, and refuses an amount of 0', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);
  await toDemos(page);
  const three = card(page, 'Batch of three');
  const amount = three.getByRole('spinbutton', { name: 'NEAR for each transfer' });
  await expect(amount).toHaveValue('0.001');
  const send = three.getByRole('button', { name: 'Sign three transfers' });
  await amount.fill('0');
  await send.click();
  await expect(three.getByRole('alert')).toHaveText('Invalid transfer amount');

  await amount.fill('0.002');
  // The wallet runs in this page: the pauses before its sends are timers of the page.
  await page.evaluate(() => {
    const { setTimeout: start } = window;
    const pauses: unknown[] = [];
    Object.assign(window, { pauses });
    window.setTimeout = ((work: () => void, ms?: number) => {
      pauses.push(ms);
      return start(work, ms);
    }) as typeof window.setTimeout;
  });
  // None of them waits for the answer of another.
  const release = stack.chain.hold('send_tx');
  const before = stack.chain.calls.length;
  const leaving = () => stack.chain.calls.slice(before).filter(({ name }) => name === 'send_tx');
  const { prompts } = await wallet.during(async () => {
    await send.click();
    await agree(confirmDialog(page), AGREE);
    await expect.poll(() => leaving().length).toBe(3);
    release();
    await expect(results(page, 'Batch of three')).toHaveCount(3);
  });
  expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
  const pauses = await page.evaluate(() => (window as unknown as { pauses: unknown[] }).pauses);
  expect(` ${pauses.join(' ')} `).toContain(' 0 500 1000 ');
  for (const text of await results(page, 'Batch of three').allInnerTexts())
    expect(text).toMatch(new RegExp(`^0.002 NEAR to ${REGISTRY}\\s+Final`));
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
  await keys.getByRole('button', { name: 'Show app keys' }).click();
  await expect(keys.getByText('This account has no app key.')).toBeVisible();
  await keys.getByRole('textbox', { name: 'Contract' }).fill(APP);
  await keys.getByRole('textbox', { name: 'Methods' }).fill('set_greeting, get_greeting');
  await keys.getByRole('button', { name: 'Add app key' }).click();
  await approveUntil(page, results(page, 'App keys'));
  await expect(results(page, 'App keys')).toContainText(`${APP}`);
  await expect(results(page, 'App keys')).toContainText('set_greeting, get_greeting');

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
  await approveUntil(page, results(page, 'App keys'));
  await expect(results(page, 'App keys')).toContainText(
    'Every method. 0.05 NEAR left on the key, which pays for its calls in 4 lanes.',
  );
});
