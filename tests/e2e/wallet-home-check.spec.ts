// The page on which a user tries an authenticator: /check of the wallet's origin.
import type { Page } from '@playwright/test';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { addVirtualPasskey, type VirtualPasskey } from '../support/browser.js';
import { expect, leaveOutBlur, test as withStack } from './fixtures.js';
import { complaintsAgainst } from './home-page.js';
import { pasted } from './keyboard.js';

interface CheckPage {
  page: Page;
  passkey: VirtualPasskey;
  complaints: string[];
}

const test = withStack.extend<{ check: CheckPage }>({
  check: async ({ context, stack }, use) => {
    const page = await context.newPage();
    const complaints = complaintsAgainst(page);
    await leaveOutBlur(page);
    const passkey = await addVirtualPasskey(page);
    await page.goto(`${stack.walletOrigin}/check`);
    await use({ page, passkey, complaints });
  },
});

const STEPS = [
  ['Make a passkey', 'Make the passkey'],
  ['Ask it', 'Ask the passkey'],
  ['Ask it again', 'Ask again'],
  ['Ask without naming it', 'Show my passkeys'],
] as const;

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const report = (page: Page) => page.locator('pre.report');

/** Expects no violation and no text beyond the edge, in the narrowest window. */
async function expectAccessible(page: Page, screen: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme);
    expect(await violations(page), `${screen}, ${theme}`).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth), screen).toBe(320);
}

test('four presses try a passkey, which the browser then forgets, and the report is copied', async ({
  check,
  context,
}) => {
  const { page, passkey, complaints } = check;
  await context.grantPermissions(['clipboard-write']);
  await expect(page.getByRole('heading', { level: 1, name: 'Check your passkey' })).toBeVisible();
  for (const [at, [title, act]] of STEPS.entries()) {
    await expect(step(page, title)).toBeVisible();
    await expect(page.getByText(`Step ${at + 1} of 5`)).toBeVisible();
    if (at === 0) await expectAccessible(page, title);
    if (at > 0) {
      await expect(step(page, title)).toBeFocused();
      expect(await passkey.credentialIds()).toHaveLength(1);
    }
    await press(page, act);
  }
  const verdict = step(page, 'This passkey works with one prompt.');
  await expect(verdict).toBeFocused();
  await expect.poll(() => passkey.credentialIds()).toEqual([]);
  await expect(page.getByText('Your browser was told to delete “Passkey check”')).toBeVisible();
  const text = await report(page).innerText();
  for (const line of [
    'verdict: works with one prompt',
    'navigator.credentials.create: the browser’s own',
    'credential: native; toJSON: the browser’s own',
    'credProps.rk: true',
    'prf: results (ArrayBuffer)',
    'flags: UP 1, UV 1, BE 0, BS 0',
    'passkey: the new one',
    'compared with get again: first same, second same',
    'browser told to forget the passkey: yes',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/^latchkey: \d+\.\d+\.\d+$/m);
  expect(text).toMatch(/^capabilities: .*extension:prf/m);
  await expectAccessible(page, 'result');
  await press(page, 'Copy the report');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  expect(await pasted(context)).toBe(`\`\`\`text\n${text}\n\`\`\`\n`);

  await press(page, 'Check another passkey');
  await expect(step(page, 'Make a passkey')).toBeFocused();
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(complaints).toEqual([]);
});

test('a step without an answer is in the report; the user tries it again, goes on, or stops', async ({
  check,
}) => {
  const { page, passkey } = check;
  await passkey.setPresence(false);
  await press(page, 'Make the passkey');
  await expect(page.getByText('Your browser is asking you now.')).toBeVisible();
  await press(page, 'Cancel');
  await expect(page.getByRole('alert')).toContainText('This step ended without an answer.');
  await expect(page.getByRole('button', { name: 'Go on without it' })).toHaveCount(0);
  await passkey.setPresence(true);
  await press(page, 'Try again');
  await expect(step(page, 'Ask it')).toBeFocused();

  await passkey.refuse();
  await press(page, 'Ask the passkey');
  await expect(page.getByRole('alert')).toContainText('This step ended without an answer.');
  await expectAccessible(page, 'failed');
  await press(page, 'Go on without it');
  await expect(step(page, 'Ask it again')).toBeFocused();
  await press(page, 'Stop here');
  await expect(
    step(page, 'The check did not get far enough to say whether this passkey works.'),
  ).toBeFocused();
  await expect.poll(() => passkey.credentialIds()).toEqual([]);
  const text = await report(page).innerText();
  expect(text).toContain('1. create\n   time:');
  expect(text).toContain('wallet: CANCELLED');
  expect(text).toContain('3. get\n');
  expect(text).toContain('error: NotAllowedError');
});

test('by keyboard alone, a passkey without PRF outputs is refused in words', async ({ context, stack }) => {
  const page = await context.newPage();
  await addVirtualPasskey(page, 'none');
  await page.goto(`${stack.walletOrigin}/check/`);
  for (const [at, [title, act]] of STEPS.entries()) {
    if (at > 0) await expect(step(page, title)).toBeFocused();
    else await step(page, title).waitFor();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: act, exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(
    page.getByRole('heading', { name: /^This passkey cannot be used: it gives no secret/ }),
  ).toBeVisible();
  expect(await report(page).innerText()).toContain('verdict: refused: PRF_MISSING');
});
