// The wallet's own page, opened by its user, and what the user does there.
import type { Locator, Page } from '@playwright/test';
import { addVirtualPasskey, type VirtualPasskey } from '../support/browser.js';
import { approveUntil, loginMenu } from '../support/steps.js';
import { leaveOutBlur, test as withStack } from './fixtures.js';

export interface Home {
  page: Page;
  passkey: VirtualPasskey;
  origin: string;
  /** What the browser said against the page: its policy, its errors. */
  complaints: string[];
}

export const test = withStack.extend<{ home: Home }>({
  home: async ({ context, stack }, use) => {
    const origin = stack.walletOrigin ?? '';
    const page = await context.newPage();
    const complaints = complaintsAgainst(page);
    await leaveOutBlur(page);
    const passkey = await addVirtualPasskey(page);
    await page.goto(`${origin}/`);
    await use({ page, passkey, origin, complaints });
    for (const proxy of stack.proxies) proxy.heal();
  },
});

/** Notes what the browser says against the page from now on. */
export function complaintsAgainst(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });
export const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' });
export const goTo = (page: Page, name: string): Promise<void> =>
  sections(page).getByRole('link', { name, exact: true }).click();

/** Types the name into the menu that shows, and waits until the wallet is open. */
export async function useMenu(page: Page, mode: 'Register' | 'Recover', username: string): Promise<void> {
  await loginMenu(page).waitFor();
  await page.getByRole('radio', { name: mode }).check({ force: true });
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(page, sections(page));
}

export const register = (page: Page, username: string): Promise<void> => useMenu(page, 'Register', username);

/** Fills in the form and presses Send. */
export async function startSending(page: Page, receiver: string, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Receiver' }).fill(receiver);
  await page.getByRole('textbox', { name: 'Amount in NEAR' }).fill(amount);
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click();
}

/** A row of the screen Activity. */
export const row = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Transactions' }).getByRole('listitem').filter({ hasText: text });
