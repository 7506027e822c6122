// The whole way of a wallet on the registry that testnet has. A build of Latchkey's own registry speaks its dialect.
import type { BrowserContext } from '@playwright/test';
import type { LinkedAccount } from 'latchkey';
import { startLocalStack } from '../support/local-stack.js';
import { accountOf } from '../support/wallet.js';
import { test as base, openFacade, registerHere } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { BLOCK_TIME_MS, expect, MAX_BLOCK_AGE, settle, type WorkerFixtures } from './fixtures.js';

declare const facade: FacadePage;

const OTHER_REGISTRY = /is not a Latchkey registry/;

const test = base.extend<object, WorkerFixtures>({
  stack: [
    async ({ framed }, use) => {
      const stack = await startLocalStack({
        blockTimeMs: BLOCK_TIME_MS,
        maxBlockAge: MAX_BLOCK_AGE,
        registry: 'registry-dialect.wasm',
        isAlsoHttps: true,
        framed,
      });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** Serves the page at its https address: that registry accepts passkeys of https pages only. */
async function overHttps(context: BrowserContext, url: string): Promise<string> {
  const { origin } = new URL(url);
  const secure = origin.replace('http:', 'https:');
  await context.route(`${secure}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(secure, origin) });
    await route.fulfill({ response });
  });
  // Chain and relay are on this machine.
  await context.grantPermissions(['local-network-access'], { origin: secure });
  return url.replace(origin, secure);
}

test('on the other registry of testnet a user registers, logs in, pays and links, and the log names once what it does not protect', async ({
  browser,
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const accountId = accountOf(username);
  const plain = await openFacade(await browser.newContext(), stack, facadeUrl);
  const refused = await plain.page.evaluate((id) => facade.manager.registerPasskey(id), accountId);
  expect(refused).toMatchObject({ success: false, errorCode: 'REGISTRY_LACKS' });
  expect(refused.error).toContain('lacks passkeys of http pages. Serve this page over https');
  expect(plain.prompts).toEqual([]);

  const device1 = await openFacade(context, stack, await overHttps(context, facadeUrl));
  await registerHere(device1.page, accountId);
  const session = await device1.page.evaluate(async (id) => {
    await facade.manager.logoutAndClearVrfSession();
    return facade.manager.loginPasskey(id);
  }, accountId);
  expect(session).toMatchObject({ success: true, loggedInNearAccountId: accountId });
  const paid = await device1.page.evaluate(
    (id) =>
      facade.manager.executeAction({
        nearAccountId: id,
        receiverId: 'testnet',
        actionArgs: { type: 'Transfer', amount: '1' },
      }),
    accountId,
  );
  expect(paid).toMatchObject({ success: true, fate: 'executed' });

  const other = await browser.newContext();
  const device2 = await openFacade(other, stack, await overHttps(other, facadeUrl));
  const { qrData } = await device2.page.evaluate((id) => facade.startLinking(id), accountId);
  const authorized = await device1.page.evaluate(
    (data) => facade.manager.linkDeviceWithScannedQRData(data),
    qrData,
  );
  expect(authorized).toMatchObject({ success: true });
  await device2.page.waitForFunction(() => facade.linked !== undefined);
  const linked = await device2.page.evaluate(() => facade.linked as LinkedAccount | string);
  expect(linked).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(2);

  for (const { consoleLines } of [device1, device2]) {
    const said = consoleLines.filter((line) => OTHER_REGISTRY.test(line));
    expect(said).toEqual([
      expect.stringMatching(/less protection: it keeps the deposit .* lets any account/),
    ]);
  }
  for (const wallet of [plain, device1, device2]) settle(stack, wallet, [OTHER_REGISTRY]);
  // The page may still load a part ahead, which then has no context to be fetched in.
  for (const each of [context, other]) await each.unrouteAll({ behavior: 'ignoreErrors' });
  await other.close();
  await plain.page.context().close();
});
