// The bare facade on a page: open, and with an account.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { PrfSupport } from '../../../demo/stack/browser.js';
import type { LocalStack } from '../../../demo/stack/local-stack.js';
import { agreeButton, confirmDialog } from '../../../demo/stack/steps.js';
import { accountOf, isFramed, openWatchedWallet, type WatchedWallet } from '../../../demo/stack/wallet.js';
import { test as base, expect, settle } from '../fixtures.js';
import type { FacadePage } from './main.js';

declare const facade: FacadePage;

const POLL_MS = 25;
/** How long a press may take: its button may be gone. */
const PRESS_TIMEOUT_MS = 2_000;
/** How long looks at a reloading page may fail. */
const RELOAD_MS = 10_000;

/** A page of the facade. */
export interface OpenFacade extends WatchedWallet {
  /** How many confirmations were shown, reloads included. */
  confirmations(): number;
}

/** One whose account is logged in. */
export interface Facade extends OpenFacade {
  accountId: string;
}

export const test = base.extend<{ facade: Facade }, { facadeUrl: string }>({
  facadeUrl: [
    async ({ stack }, use) => {
      await use(await stack.addPage(fileURLToPath(new URL('./', import.meta.url)), 'facade'));
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
): Promise<OpenFacade> {
  let confirmations = 0;
  const count = (): void => {
    confirmations += 1;
  };
  await context.exposeBinding('__recordConfirmation', count);
  const wallet = await openWatchedWallet(context, stack, prf, url);
  if (isFramed(wallet.page)) void confirming(wallet.page, count);
  return { ...wallet, confirmations: () => confirmations };
}

/** Confirms what a wallet in a frame asks, as the page's own confirmer does, until the page is closed. */
async function confirming(page: Page, shown: () => void): Promise<void> {
  let failingSince: number | undefined;
  while (!page.isClosed()) {
    try {
      // In this order, every confirmation is counted before it is pressed.
      const canAgree = await agreeButton(page).isVisible();
      if (await isNew(confirmDialog(page))) shown();
      if (canAgree) await agreeButton(page).click({ timeout: PRESS_TIMEOUT_MS });
      failingSince = undefined;
    } catch (error) {
      // A reload fails looks and clicks, in a dozen wordings, for a short time.
      failingSince ??= Date.now();
      if (!page.isClosed() && Date.now() - failingSince > RELOAD_MS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether there is such an element, which this has not been asked of before. */
const isNew = (element: Locator): Promise<boolean> =>
  element.evaluateAll((found) => {
    const fresh = found.filter((one) => !(one as HTMLElement).dataset.counted);
    for (const one of fresh) (one as HTMLElement).dataset.counted = 'yes';
    return fresh.length > 0;
  });

/** The facade with an account that is registered there, and logged in with that. */
export async function withAccount(wallet: OpenFacade, username: string): Promise<Facade> {
  const accountId = accountOf(username);
  await registerHere(wallet.page, accountId);
  return { ...wallet, accountId };
}

export async function registerHere(page: Page, accountId: string): Promise<void> {
  const result = await page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId });
}
