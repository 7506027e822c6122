// The bare facade on a page: open, and with an account.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { buildSite } from '../../../demo/stack/app.js';
import type { PrfSupport } from '../../../demo/stack/browser.js';
import type { LocalStack } from '../../../demo/stack/local-stack.js';
import { accountOf, openWatchedWallet, type WatchedWallet } from '../../../demo/stack/wallet.js';
import { test as base, expect, settle } from '../fixtures.js';
import type { FacadePage } from './main.js';

declare const facade: FacadePage;

/** A page of the facade whose account is logged in. */
export interface Facade extends WatchedWallet {
  accountId: string;
}

export const test = base.extend<{ facade: Facade }, { facadeUrl: string }>({
  facadeUrl: [
    async ({ stack }, use) => {
      await buildSite(
        fileURLToPath(new URL('./', import.meta.url)),
        '/facade/',
        `${stack.siteFolder}/facade`,
      );
      await use(`${stack.appUrl}/facade/index.html`);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  /** The facade with an account of its own, registered and logged in. */
  facade: async ({ context, stack, facadeUrl, prf, username, expectedConsole }, use) => {
    const wallet = await openFacade(context, stack, facadeUrl, prf);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, expectedConsole);
  },
});

/** The facade in a browser of its own, with nothing in it yet. */
export async function openFacade(
  context: BrowserContext,
  stack: LocalStack,
  url: string,
  prf: PrfSupport = 'always',
): Promise<WatchedWallet> {
  const wallet = await openWatchedWallet(context, stack, prf);
  await wallet.page.goto(url);
  return wallet;
}

/** The facade with an account that is registered there, and logged in with that. */
export async function withAccount(wallet: WatchedWallet, username: string): Promise<Facade> {
  const accountId = accountOf(username);
  await registerHere(wallet.page, accountId);
  return { ...wallet, accountId };
}

export async function registerHere(page: Page, accountId: string): Promise<void> {
  const result = await page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId });
}
