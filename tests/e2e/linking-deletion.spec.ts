// The key that a linking adds for the other device: it is deleted when its time is over, unless the device replaced it.
import type { BrowserContext, Page } from '@playwright/test';
import { actions, KeyPair } from 'near-api-js';
import { REGISTRY } from '../../dev/services/services.js';
import { accountOf, transactionsSent } from '../support/wallet.js';
import {
  DELAY_MS,
  devicesOf,
  errorOf,
  expectGone,
  expectGoneInTime,
  expectSettled,
  FAILED,
  greet,
  keysOf,
  link,
  mappingOf,
  otherDevice,
  pass,
  startAgain,
  test,
  waiting,
} from './facade-page/device1.js';
import { registerHere } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, REQUEST_FAILED } from './fixtures.js';

declare const facade: FacadePage;

test('a device that has swapped in its own key keeps it, and nothing more is sent', async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const [temporary, own] = [otherDevice(), otherDevice()];
  expect(await link(page, temporary.qr())).toMatchObject({ success: true });
  await temporary.signingOn(stack, accountId).signAndSendTransaction({
    receiverId: accountId,
    actions: [
      actions.addFullAccessKey(KeyPair.fromString(own.secret).getPublicKey()),
      actions.deleteKey(KeyPair.fromString(temporary.secret).getPublicKey()),
    ],
    waitUntil: 'FINAL',
  });
  // The nodes that lag show the swap too: from one that does not, the wallet would delete a key that is gone.
  const swapped = await stack.oracle.height();
  await expect.poll(() => stack.oracle.height()).toBeGreaterThan(swapped + 10);
  const sent = transactionsSent(stack);
  await page.clock.fastForward(DELAY_MS);
  await expectSettled(page, stack);
  expect(transactionsSent(stack)).toBe(sent);
  expect(await keysOf(stack, accountId)).toContain(own.publicKey);
  expect((await devicesOf(wallet)).otherKeys).toEqual([own.publicKey]);
});

test('a key is not deleted while its owner is unknown', async ({
  device1: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /could not be (looked up|read)/);
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  const heal = stack.nodes.map((node) =>
    node.fail('query:get_authenticators_by_user', { kind: 'status', status: 503 }),
  );
  expect(await link(page, qr())).toMatchObject({ success: true });
  const sent = transactionsSent(stack);
  await pass(page, DELAY_MS + 5_000);
  expect(transactionsSent(stack)).toBe(sent);
  expect(await keysOf(stack, accountId)).toContain(publicKey);
  for (const end of heal) end();
  await expectGoneInTime(wallet, stack, publicKey);
});

test('a reload before the deletion does not lose it', async ({ device1: wallet, stack }) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  expect(await link(page, qr())).toMatchObject({ success: true });
  await page.reload();
  expect(await page.evaluate(() => facade.manager.resume())).toMatchObject({ deletions: [accountId] });
  expect(await keysOf(stack, accountId)).toContain(publicKey);
  await expectGoneInTime(wallet, stack, publicKey);
  await expectSettled(page, stack);
});

async function anotherTab(context: BrowserContext, page: Page): Promise<Page> {
  const other = await context.newPage();
  await other.goto(page.url());
  await startAgain(other);
  return other;
}

test('of two tabs, the one that stays open sends the only DeleteKey', async ({
  device1: wallet,
  stack,
  context,
}) => {
  const { page } = wallet;
  const { publicKey, qr } = otherDevice();
  expect(await link(page, qr())).toMatchObject({ success: true });
  const sent = transactionsSent(stack);
  const [second, third] = [await anotherTab(context, page), await anotherTab(context, page)];
  await page.goto('about:blank');
  await expectGoneInTime(wallet, stack, publicKey);
  await expectSettled(third, stack);
  await pass(second, 10_000);
  expect(transactionsSent(stack)).toBe(sent + 1);
});

test("the user's next transaction overtakes the DeleteKey: that approval signs it again", async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  expect(await link(page, qr())).toMatchObject({ success: true });
  expect(await greet(wallet, 'in between')).toMatchObject({ success: true });
  expect(await stack.oracle.greeting()).toBe('in between');
  const [shown] = await page.evaluate(() => facade.shown.slice(-1));
  expect(shown).toMatchObject({
    transactions: [
      { receiverId: REGISTRY },
      { receiverId: accountId, actions: [{ type: 'DeleteKey', publicKey }] },
    ],
  });
  expect(await keysOf(stack, accountId), 'its time is not over').toContain(publicKey);
  await expectGoneInTime(wallet, stack, publicKey);
  await expectSettled(page, stack);
});

test('a transaction that the page sends by itself overtakes the DeleteKey too: the key is listed, and the next confirmation removes it', async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  expect(await link(page, qr())).toMatchObject({ success: true });
  await page.evaluate(
    async ({ nearAccountId, receiverId }) => {
      const actionArgs = {
        type: 'FunctionCall',
        methodName: 'set_greeting',
        args: { greeting: 'raw' },
      } as const;
      const transactions = [{ receiverId, actions: [actionArgs] }];
      const [signed] = await facade.manager.signTransactionsWithActions({ nearAccountId, transactions });
      if (signed) await facade.manager.sendTransaction({ signedTransaction: signed.signedTransaction });
    },
    { nearAccountId: accountId, receiverId: REGISTRY },
  );
  await pass(page, DELAY_MS + 2_000);
  expect(await keysOf(stack, accountId)).toContain(publicKey);
  expect((await devicesOf(wallet)).temporaryKeys).toMatchObject([{ publicKey }]);
  expect(await greet(wallet, 'clears up')).toMatchObject({ success: true });
  await expectGoneInTime(wallet, stack, publicKey);
  await expectSettled(page, stack);
  expect((await devicesOf(wallet)).temporaryKeys).toEqual([]);
});

test('a second linking before the first deletion is due loses neither deletion', async ({
  device1: wallet,
  stack,
}) => {
  const { page } = wallet;
  const [first, second] = [otherDevice(), otherDevice()];
  expect(await link(page, first.qr())).toMatchObject({ success: true });
  expect(await link(page, second.qr())).toMatchObject({ success: true });
  expect((await devicesOf(wallet)).temporaryKeys).toHaveLength(2);
  await expectGoneInTime(wallet, stack, first.publicKey);
  await expectGoneInTime(wallet, stack, second.publicKey);
});

test.describe('long before the deletion is due', () => {
  test.use({ delayMs: 10 * 60_000 });

  test('after a reload between the key and its mapping, the next start removes the key', async ({
    device1: wallet,
    stack,
  }) => {
    const { page, accountId } = wallet;
    const { publicKey, qr } = otherDevice();
    // The wallet asks for the AddKey's block before it sends the mapping.
    const release = stack.chain.hold('block');
    const linking = link(page, qr()).catch(() => undefined);
    await expect.poll(async () => (await keysOf(stack, accountId)).includes(publicKey)).toBe(true);
    await page.reload();
    await linking;
    release();
    await startAgain(page);
    await expectGone(stack, accountId, publicKey);
    expect(await mappingOf(stack, publicKey)).toBeNull();
    await expect.poll(() => waiting(page)).toEqual([]);
  });

  test('when the registry refuses the mapping, the key is removed immediately, and the error says so', async ({
    device1: wallet,
    stack,
    username,
  }) => {
    const { page, accountId } = wallet;
    const { publicKey, qr } = otherDevice();
    // Another account has claimed the key.
    const other = accountOf(`${username}-b`);
    await registerHere(page, other);
    expect(await link(page, qr())).toMatchObject({ success: true, linkedToAccount: other });
    await page.evaluate((id) => facade.manager.loginPasskey(id), accountId);
    const { error, errorCode } = await errorOf(page, qr());
    expect(errorCode).toBe('AUTHORIZATION_TIMEOUT');
    expect(error).toContain(
      `${FAILED}The other device could not join, and its key was removed from the account.`,
    );
    expect(error).toContain('the key is being linked to another account');
    const again = await errorOf(page, qr());
    expect(again.error, 'the same code can be tried again at once').toContain(
      'The other device could not join',
    );
    await expectGone(stack, accountId, publicKey);
    expect(await keysOf(stack, other), "the other account's link stands").toContain(publicKey);
  });
});
