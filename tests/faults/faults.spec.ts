// One flow of each family in a browser, reloaded midway: what the user reads, confirms, and finds afterwards.
// The other tests in this folder break every call of every flow without a browser.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openFacade, test, withAccount } from '../e2e/facade-page/fixture.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import { expect, REQUEST_FAILED, settle } from '../e2e/fixtures.js';
import type { FaultProxy } from '../support/fault-proxy.js';
import { APP } from '../support/oracle.js';
import { agree, confirmDialog, logIn, startRegistration, toastOf } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';

declare const facade: FacadePage;

const CREATE_ROUTE = '/create_account_and_register_user';
const AMOUNT = 10n ** 21n;
const SETTLED = { timeout: 60_000 };

test.describe.configure({ timeout: 120_000 });

/** Holds the next calls of this name. Resolves when one has arrived, with a function that releases them. */
async function heldAt(
  proxies: readonly FaultProxy[],
  name: string,
  begin: () => Promise<unknown>,
): Promise<() => void> {
  let hasMet = false;
  const onMet = (): void => {
    hasMet = true;
  };
  const releases = proxies.map((proxy) => proxy.hold(name, undefined, { onMet }));
  await begin();
  await expect.poll(() => hasMet, SETTLED).toBe(true);
  return () => {
    for (const release of releases) release();
  };
}

/** Reads the confirmation, agrees, and leaves the page before the call gets its answer. */
async function agreeAndReload(
  page: Page,
  proxies: readonly FaultProxy[],
  texts: readonly string[],
): Promise<void> {
  const release = await heldAt(proxies, 'send_tx', async () => {
    for (const text of texts) await expect(confirmDialog(page)).toContainText(text);
    await agree(confirmDialog(page), /^(Confirm|Create passkey)$/);
  });
  await page.reload();
  release();
}

const logInHere = (page: Page, accountId: string) =>
  page.evaluate((id) => facade.manager.loginPasskey(id), accountId);

test('the next visit finds a registration that a reload interrupted, and says so', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /relay/i);
  const { page } = wallet;
  stack.relay.fail(CREATE_ROUTE, { kind: 'drop-answer' });
  const release = await heldAt(stack.nodes, 'query:view_access_key_list', () =>
    startRegistration(wallet, username),
  );
  await expect.poll(() => stack.oracle.accountExists(accountOf(username)), SETTLED).toBe(true);
  await page.reload();
  const said = toastOf(page, `${accountOf(username)} is registered. You can log in.`);
  release();
  await said;
  await logIn(wallet, username);
  expect(wallet.prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
  expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(1);
});

test('a payment interrupted by a reload is made once, as the user confirmed it', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId, prompts } = wallet;
  const receiverId = randomBytes(32).toString('hex');
  const pay = () =>
    page.evaluate(
      ([nearAccountId, to, amount]) =>
        facade.manager.executeAction({
          nearAccountId,
          receiverId: to,
          actionArgs: { type: 'Transfer', amount },
          options: { waitUntil: 'FINAL', confirmationConfig: { behavior: 'requireClick' } },
        }),
      [accountId, receiverId, String(AMOUNT)] as const,
    );
  await page.evaluate(() => facade.useModal());
  const before = prompts.length;
  const left = pay().catch(() => 'left');
  await agreeAndReload(page, [stack.chain], [receiverId, '0.001 NEAR']);
  expect(await left).toBe('left');
  await expect.poll(() => stack.oracle.balance(receiverId), SETTLED).toBe(AMOUNT);

  expect(await logInHere(page, accountId)).toMatchObject({ success: true });
  expect(prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
  expect(await pay()).toMatchObject({ success: true });
  expect(await stack.oracle.balance(receiverId)).toBe(2n * AMOUNT);
});

test('an app key whose creation a reload interrupts exists once afterwards, and works', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId, prompts } = wallet;
  await stack.oracle.deployApp();
  await page.evaluate(() => facade.useModal());
  const before = prompts.length;
  const left = page
    .evaluate((args) => facade.manager.addAppKey(args), {
      nearAccountId: accountId,
      receiverId: APP,
      methodNames: ['set_greeting'],
      options: { confirmationConfig: { behavior: 'requireClick' as const } },
    })
    .catch(() => 'left');
  await agreeAndReload(page, [stack.chain], [APP, 'set_greeting']);
  expect(await left).toBe('left');

  await page.evaluate(() => facade.manager.init());
  const keys = () => page.evaluate((id) => facade.manager.getAppKeys(id), accountId);
  await expect.poll(keys, SETTLED).toMatchObject([{ isHere: true, isOnChain: true }]);
  expect(await logInHere(page, accountId)).toMatchObject({ success: true });
  const called = await page.evaluate((args) => facade.manager.callWithAppKey(args), {
    nearAccountId: accountId,
    receiverId: APP,
    methodName: 'set_greeting',
    args: { greeting: 'after a reload' },
    options: { waitUntil: 'FINAL' as const },
  });
  expect(called).toMatchObject({ success: true, fate: 'executed' });
  expect(prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
});

test('a device whose joining a reload interrupts belongs to the account afterwards, with one new passkey', async ({
  browser,
  context: context1,
  stack,
  facadeUrl,
  username,
}) => {
  // Device1 must not delete the key while a slow machine joins.
  const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: 10 * 60_000 } });
  const opened = await openFacade(context1, stack, `${facadeUrl}?${new URLSearchParams({ config })}`);
  const device1 = await withAccount(opened, username);
  const { accountId } = device1;
  const context = await browser.newContext();
  const device2 = await openFacade(context, stack, facadeUrl);
  const { page, prompts } = device2;
  await page.evaluate(() => facade.useModal());
  const { qrData, checkCode } = await page.evaluate(() => facade.startLinking());
  const linked = await device1.page.evaluate(
    (data) => facade.manager.linkDeviceWithScannedQRData(data),
    qrData,
  );
  expect(linked).toMatchObject({ success: true });
  await expect(confirmDialog(page)).toHaveAccessibleName('Link this device');
  await agreeAndReload(page, [stack.chain], [accountId, checkCode.replace(/.{4}(?=.)/g, '$& ')]);

  const { committed, unfinished } = await page.evaluate(() => facade.manager.init());
  if (unfinished?.includes(accountId))
    await page.evaluate((id) => facade.manager.finishDeviceLinking(id), accountId);
  else if (!committed.includes(accountId))
    await expect
      .poll(() => page.evaluate((id) => facade.manager.hasPasskeyCredential(id), accountId), SETTLED)
      .toBe(true);
  expect(await logInHere(page, accountId)).toMatchObject({ success: true });
  await expect
    .poll(async () => {
      const devices = await stack.oracle.authenticators(accountId);
      return devices.map(([, { near_public_key }]) => near_public_key).sort();
    }, SETTLED)
    .toEqual((await stack.oracle.fullAccessKeys(accountId)).sort());
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(2);
  expect(prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
  for (const device of [device1, device2]) settle(stack, device, []);
  await context.close();
});
