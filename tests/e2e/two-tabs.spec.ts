// Two tabs of one browser: each has its own session, and a logout ends all of them.
// Specification: core 4
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { LoginState } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { logIn, loginMenu, logOut, register, userMenu } from '../support/steps.js';
import { accountOf, transactionsSent } from '../support/wallet.js';
import { openFacade, test, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED } from './fixtures.js';

declare const facade: FacadePage;

/** Records every login state that a facade page reports from now on. */
async function listen(page: Page): Promise<() => Promise<LoginState[]>> {
  await page.evaluate(async () => {
    const heard: LoginState[] = [];
    Object.assign(globalThis, { heard });
    facade.manager.onLoginStateChange((state) => heard.push(state));
    await facade.manager.init();
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: LoginState[] }).heard);
}

test(
  'a logout in one tab locks the other, which a login in the first does not unlock',
  FRAMED,
  async ({ wallet: first, context, stack, username }) => {
    await register(first, username);
    const second = { ...first, page: await context.newPage() };
    await second.page.goto(stack.appUrl);
    // A login in one tab does not log in another: each tab logs in itself.
    await expect(loginMenu(second.page)).toBeVisible();
    await logIn(second, username);
    await expect(userMenu(first.page)).toBeVisible();

    await logOut(second);
    await expect(loginMenu(first.page)).toBeVisible();
    await logIn(second, username);
    await expect(userMenu(second.page)).toBeVisible();
    await expect(loginMenu(first.page)).toBeVisible();
  },
);

test("a tab hears of another's registration and logout, and a logout ends what it is doing", async ({
  facade: first,
  context,
  facadeUrl,
  stack,
  username,
}) => {
  const second = await context.newPage();
  await second.goto(facadeUrl);
  const heardByFirst = await listen(first.page);
  const heardBySecond = await listen(second);
  const lastOf = (heard: typeof heardByFirst) => async () => (await heard()).at(-1);
  const accountId = accountOf(`${username}-b`);
  const greeting = {
    nearAccountId: accountId,
    receiverId: 'w3a-v1.testnet',
    actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: 'no' } },
  } as const;
  const logInSilently = async (page: Page) =>
    expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });

  await test.step('a registration logs in no other tab', async () => {
    expect(await second.evaluate(() => facade.manager.getLoginState())).toMatchObject({ isLoggedIn: false });
    expect(await heardBySecond()).toEqual([]);
    await first.page.bringToFront();
    const registered = await first.page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
    expect(registered).toMatchObject({ success: true });
    await expect.poll(lastOf(heardBySecond)).toMatchObject({ isLoggedIn: false, nearAccountId: accountId });
  });

  await test.step('a logout clears both sessions', async () => {
    await logInSilently(second);
    await expect.poll(lastOf(heardBySecond)).toMatchObject({ isLoggedIn: true, nearAccountId: accountId });
    await first.page.evaluate(() => facade.manager.logoutAndClearVrfSession());
    for (const [heard, page] of [
      [heardByFirst, first.page],
      [heardBySecond, second],
    ] as const) {
      await expect
        .poll(lastOf(heard))
        .toMatchObject({ isLoggedIn: false, vrfActive: false, nearAccountId: accountId });
      const state = await page.evaluate(() => facade.manager.getLoginState());
      expect(state).not.toHaveProperty('vrfSessionDuration');
      expect(await page.evaluate((call) => facade.manager.executeAction(call), greeting)).toMatchObject({
        success: false,
        error: 'User not authenticated. Please login first.',
      });
    }
  });

  await test.step('a logout ends a confirmation in progress', async () => {
    await logInSilently(first.page);
    await first.page.evaluate(() => {
      facade.decision = 'wait';
      // The registrations' own.
      facade.shown.length = 0;
    });
    const signing = first.page.evaluate(
      (call) =>
        facade.manager.executeAction({
          ...call,
          options: { confirmationConfig: { behavior: 'requireClick' } },
        }),
      greeting,
    );
    await expect.poll(() => first.page.evaluate(() => facade.shown.length)).toBe(1);
    await second.evaluate(() => facade.manager.logoutAndClearVrfSession());
    expect(await signing).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  });

  await test.step('a logout ends a login in progress', async () => {
    const before = stack.relay.calls.length;
    const release = stack.relay.hold('/vrf/remove-server-lock');
    const login = first.page.evaluate((id) => facade.manager.loginPasskey(id), accountId);
    const asked = () => stack.relay.calls.slice(before).map(({ name }) => name);
    await expect.poll(asked).toContain('/vrf/remove-server-lock');
    await second.evaluate(() => facade.manager.logoutAndClearVrfSession());
    expect(await login).toMatchObject({
      success: false,
      error: "Login was cancelled. Please try again when you're ready to authenticate.",
    });
    release();
    expect(await first.page.evaluate(() => facade.manager.getLoginState())).toMatchObject({
      isLoggedIn: false,
    });
    expect(first.prompts.map(({ kind }) => kind)).toEqual(['create', 'create']);
  });
});

test("clearing the site's data logs out in every tab", async ({
  facade: wallet,
  context,
  facadeUrl,
  stack,
  expectedConsole,
}) => {
  // A read of the login state that the deletion interrupts; the state is read again.
  expectedConsole.push(/background refresh failed The browser interrupted/);
  const second = await context.newPage();
  await second.goto(facadeUrl);
  const pages = [wallet.page, second];
  const heard = await Promise.all(pages.map(listen));
  const login = second.evaluate(async () => {
    const { accountIds } = await facade.manager.getRecentLogins();
    return facade.manager.loginPasskey(accountIds[0] ?? '');
  });
  expect(await login).toMatchObject({ success: true });
  const session = await wallet.page.context().newCDPSession(wallet.page);
  const origin = new URL(stack.appUrl).origin;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  for (const [index, page] of pages.entries()) {
    // The notification of the registration or the login may arrive first.
    const last = async () => (await heard[index]?.())?.at(-1);
    await expect.poll(last).toMatchObject({ isLoggedIn: false, nearAccountId: null, vrfActive: false });
    expect(await page.evaluate(() => facade.manager.getRecentLogins())).toMatchObject({ accountIds: [] });
  }
});

test('of two tabs, the one that stays open sends the only DeleteKey', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const delayMs = 20_000;
  const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: delayMs } });
  await context.clock.install();
  const url = `${facadeUrl}?${new URLSearchParams({ config })}`;
  const { page, accountId } = await withAccount(await openFacade(context, stack, url), username);
  const publicKey = KeyPair.fromString(secretKeyText(randomBytes(32)))
    .getPublicKey()
    .toString();
  const code = JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0' });
  const linking = await page.evaluate((text) => facade.manager.linkDeviceWithScannedQRData(text), code);
  expect(linking).toMatchObject({ success: true });
  const sent = transactionsSent(stack);
  const openTab = async () => {
    const tab = await context.newPage();
    await tab.goto(url);
    await tab.evaluate(() => facade.manager.init());
    return tab;
  };
  const [second, third] = [await openTab(), await openTab()];
  await page.goto('about:blank');

  await second.clock.fastForward(delayMs);
  const keys = async () => {
    // After new blocks: a wallet whose clock outruns them gives up on nodes that show none.
    const height = await stack.oracle.height();
    await expect.poll(() => stack.oracle.height()).toBeGreaterThan(height + 1);
    await second.clock.fastForward(1_000);
    return stack.oracle.fullAccessKeys(accountId);
  };
  await expect.poll(keys, { timeout: 30_000 }).not.toContain(publicKey);
  await expect
    .poll(
      async () => {
        await keys();
        return (await third.evaluate(() => facade.manager.resume())).deletions ?? [];
      },
      { timeout: 30_000 },
    )
    .toEqual([]);
  await second.clock.fastForward(10_000);
  await keys();
  expect(transactionsSent(stack)).toBe(sent + 1);
});
