// A browser may give a framed wallet no storage, or separate storage for each site. The passkey recovers the account.
// Specification: frame 6
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath, NO_FRAME_STORAGE } from '../../scripts/chromium.mjs';
import { IN_MEMORY_TEXT } from '../../ts/src/errors/in-memory.js';
import {
  cancel,
  confirmDialog,
  loggedInAs,
  logIn,
  loginProblem,
  logOut,
  recover,
  register,
  setGreeting,
  startGreeting,
  startLogin,
  startRecovery,
} from '../support/steps.js';
import { accountOf, drawnIn, homeOf, openWatchedWallet } from '../support/wallet.js';
import { test as base, expect, settle } from './fixtures.js';

const test = base.extend<{ refusing: Browser }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  refusing: async ({}, use) => {
    const executablePath: string | undefined = await chromiumPath();
    const browser = await chromium.launch({
      args: [...CHROMIUM_FLAGS, NO_FRAME_STORAGE],
      ...(executablePath && { executablePath }),
    });
    await use(browser);
    await browser.close();
  },
});

/** Starts a login that this browser cannot know, and follows the app to recovery, with the name filled in. */
async function expectRecoveryOffered(page: Page, username: string): Promise<void> {
  await expect(page.getByRole('radio', { name: 'Recover' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);
  await expect(loginProblem(page)).toContainText(`This browser does not know ${accountOf(username)}`);
}

test('with all storage blocked the wallet says so, and the passkey recovers the account for signing', async ({
  refusing,
  stack,
  username,
}, testInfo) => {
  const context = await refusing.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1100, height: 860 },
  });
  const wallet = await openWatchedWallet(context, stack);
  const { page } = wallet;
  const refused = await (await homeOf(page)).evaluate(() =>
    navigator.locks.request('any', () => '').catch((error: Error) => error.name),
  );
  expect(refused).toBe('SecurityError');
  await register(wallet, username);

  await page.reload();
  await startLogin(wallet, username);
  await expectRecoveryOffered(page, username);

  await test.step('a notice appears next to the passkey prompt', async () => {
    await wallet.passkey.setPresence(false);
    await startRecovery(wallet, username);
    const notice = drawnIn(page).getByRole('status').filter({ hasText: IN_MEMORY_TEXT });
    await expect(notice).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('beside-the-prompt.png') });
    await page.setViewportSize({ width: 360, height: 740 });
    const toast = page.locator('[data-sonner-toast][data-type="loading"]');
    await expect(toast).toHaveAttribute('data-y-position', 'top');
    await page.screenshot({ path: testInfo.outputPath('on-a-phone.png'), animations: 'disabled' });
    const [ofPage, ofWallet] = await Promise.all([toast.boundingBox(), notice.boundingBox()]);
    expect(ofWallet?.y).toBeGreaterThanOrEqual((ofPage?.y ?? 0) + (ofPage?.height ?? 0));
    await page.setViewportSize({ width: 1100, height: 860 });
    // An authenticator's unanswered prompt ends with its page.
    await wallet.passkey.setPresence(true);
    await page.reload();
  });

  await recover(wallet, username);
  await test.step('the confirmation shows it too', async () => {
    await startGreeting(wallet, 'not sent');
    await expect(confirmDialog(page)).toContainText(IN_MEMORY_TEXT);
    await page.screenshot({ path: testInfo.outputPath('in-the-confirmation.png') });
    await cancel(wallet);
  });
  await setGreeting(wallet, `kept nowhere, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`kept nowhere, ${username}`);
  settle(stack, wallet, [new RegExp(`^warning: .*${IN_MEMORY_TEXT.slice(0, 40)}`)]);
});

test('a user recovers the account on another site with one prompt, and both sites then know it', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);
  const elsewhere = stack.appUrl.replace('//', '//other.');
  await stack.oracle.allowHost(elsewhere);

  await page.goto(elsewhere);
  const login = await wallet.during(async () => {
    await startLogin(wallet, username);
    await expectRecoveryOffered(page, username);
  });
  expect(login.prompts).toEqual([]);
  const recovery = await wallet.during(async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await loggedInAs(page, username).waitFor();
  });
  expect(recovery.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  await setGreeting(wallet, `from another site, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`from another site, ${username}`);

  await page.goto(stack.appUrl);
  await logIn(wallet, username);
  await logOut(wallet);
});
