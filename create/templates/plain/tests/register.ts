import type { Page } from '@playwright/test';

/** Asks for a new account of this name. */
export async function register(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Register' }).click();
}
