// The bare facade on a page: open, and with an account.
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { LocalStack } from '../../support/local-stack.js';
import { agreeButton, confirmationOf, confirmDialog, reach, seeAll } from '../../support/steps.js';
import { accountOf, isFramed, openWatchedWallet, type WatchedWallet } from '../../support/wallet.js';
import { test as base, expect, leaveOutBlur, settle } from '../fixtures.js';
import type { FacadePage } from './main.js';

declare const facade: FacadePage;

const POLL_MS = 100;
/** Time limit of a press, whose button may be gone. */
const PRESS_TIMEOUT_MS = 2_000;
/** How long queries to a reloading page may fail. */
const RELOAD_MS = 10_000;

/** A page of the facade. */
export interface OpenFacade extends WatchedWallet {
  /** The number of confirmations shown so far, across reloads. */
  confirmations(): number;
}

/** One whose account is logged in. */
export interface Facade extends OpenFacade {
  accountId: string;
}

export const test = base.extend<{ facade: Facade }>({
  /** The facade with its own account, registered and logged in. */
  facade: async ({ context, stack, facadeUrl, username, expectedConsole }, use) => {
    const wallet = await openFacade(context, stack, facadeUrl);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, expectedConsole);
  },
});

/** The facade in a separate, empty browser. */
export async function openFacade(
  context: BrowserContext,
  stack: LocalStack,
  url: string,
): Promise<OpenFacade> {
  let confirmations = 0;
  const count = (): void => {
    confirmations += 1;
  };
  await context.exposeBinding('__recordConfirmation', count);
  const wallet = await openWatchedWallet(context, stack, 'always', url);
  await leaveOutBlur(wallet.page);
  if (isFramed(wallet.page)) void confirming(wallet.page, count);
  return { ...wallet, confirmations: () => confirmations };
}

/** The account pays 1 yoctoNEAR, which shows that its wallet signs and that the chain accepts it. */
export async function payOneYocto({ page }: Pick<OpenFacade, 'page'>, accountId: string): Promise<void> {
  const paid = await page.evaluate(
    (nearAccountId) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: 'relayer.testnet',
        actionArgs: { type: 'Transfer', amount: '1' },
      }),
    accountId,
  );
  expect(paid).toMatchObject({ success: true });
}

/** Agrees to every confirmation of a framed wallet, as the page's own confirmer does, until the page closes. */
async function confirming(page: Page, shown: () => void): Promise<void> {
  let failingSince: number | undefined;
  while (!page.isClosed()) {
    try {
      if ((await confirmationOf(page).count()) > 0) {
        // This order counts every confirmation before pressing it.
        const canAgree = await agreeButton(page).isVisible();
        if (await isNew(confirmDialog(page))) {
          shown();
          await reach(page);
        }
        await seeAll(confirmDialog(page));
        if (canAgree) await agreeButton(page).click({ timeout: PRESS_TIMEOUT_MS });
      }
      failingSince = undefined;
    } catch (error) {
      // During a reload, queries and clicks fail for a short time, with a dozen different errors.
      failingSince ??= Date.now();
      if (!page.isClosed() && Date.now() - failingSince > RELOAD_MS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether there is such an element that no earlier call has seen. */
const isNew = (element: Locator): Promise<boolean> =>
  element.evaluateAll((found) => {
    const fresh = found.filter((one) => !(one as HTMLElement).dataset.counted);
    for (const one of fresh) (one as HTMLElement).dataset.counted = 'yes';
    return fresh.length > 0;
  });

/** The facade with an account registered there, which also logs it in. */
export async function withAccount(wallet: OpenFacade, username: string): Promise<Facade> {
  const accountId = accountOf(username);
  const result = await wallet.page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId });
  return { ...wallet, accountId };
}
