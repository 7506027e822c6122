// The key that a linking adds for the other device: it is deleted when its time is over, unless the device replaced it.
// Specification: core 4
import { actions, KeyPair } from 'near-api-js';
import { describe } from 'vitest';
import { REGISTRY } from '../../dev/services/services.js';
import {
  DELAY_MS,
  devicesOf,
  errorOf,
  expectGone,
  expectGoneInTime,
  expectSettled,
  FAILED,
  keysOf,
  LONG_DELAY_MS,
  link,
  mappingOf,
  otherDevice,
  pass,
  test,
} from './linking.js';
import { openDeletions } from './storage.js';
import { accountOf, expect, greetingOf } from './wallet.js';

test('a device that has swapped in its own key keeps it, and nothing more is sent', async ({
  device1,
  stack,
}) => {
  const { accountId } = device1;
  const [temporary, own] = [otherDevice(), otherDevice()];
  expect(await link(device1, temporary.qr())).toMatchObject({ success: true });
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
  const sent = device1.sent.length;
  device1.clock.pass(DELAY_MS);
  await expectSettled(device1);
  expect(device1.sent).toHaveLength(sent);
  expect(await keysOf(device1)).toContain(own.publicKey);
  expect((await devicesOf(device1)).otherKeys).toEqual([own.publicKey]);
});

test('a key is not deleted while its owner is unknown', async ({ device1, expectedConsole }) => {
  expectedConsole.push(/could not be (looked up|read)/);
  const { publicKey, qr } = otherDevice();
  const heal = device1.fail('query:get_authenticators_by_user', { kind: 'status', status: 503 });
  expect(await link(device1, qr())).toMatchObject({ success: true });
  const sent = device1.sent.length;
  await pass(device1, DELAY_MS + 5_000);
  expect(device1.sent).toHaveLength(sent);
  expect(await keysOf(device1)).toContain(publicKey);
  heal();
  await expectGoneInTime(device1, publicKey);
});

test('a reload before the deletion does not lose it', async ({ device1 }) => {
  const { publicKey, qr } = otherDevice();
  expect(await link(device1, qr())).toMatchObject({ success: true });
  device1.reload();
  expect(await device1.manager.resume()).toMatchObject({ deletions: [device1.accountId] });
  expect(await keysOf(device1)).toContain(publicKey);
  await expectGoneInTime(device1, publicKey);
  await expectSettled(device1);
});

test("the user's next transaction overtakes the DeleteKey: that approval signs it again", async ({
  device1,
  stack,
}) => {
  const { accountId } = device1;
  const { publicKey, qr } = otherDevice();
  expect(await link(device1, qr())).toMatchObject({ success: true });
  await device1.greet('in between');
  expect(await stack.oracle.greeting()).toBe('in between');
  expect(device1.shown.at(-1)).toMatchObject({
    transactions: [
      { receiverId: REGISTRY },
      { receiverId: accountId, actions: [{ type: 'DeleteKey', publicKey }] },
    ],
  });
  expect(await keysOf(device1), 'its time is not over').toContain(publicKey);
  await expectGoneInTime(device1, publicKey);
  await expectSettled(device1);
});

test('a transaction that the page sends by itself overtakes the DeleteKey too: the key is listed, and the next confirmation removes it', async ({
  device1,
}) => {
  const { manager, accountId: nearAccountId } = device1;
  const { publicKey, qr } = otherDevice();
  expect(await link(device1, qr())).toMatchObject({ success: true });
  const transactions = [{ receiverId: REGISTRY, actions: [greetingOf('raw')] }];
  const [signed] = await manager.signTransactionsWithActions({ nearAccountId, transactions });
  if (signed) await manager.sendTransaction({ signedTransaction: signed.signedTransaction });
  await pass(device1, DELAY_MS + 2_000);
  expect(await keysOf(device1)).toContain(publicKey);
  expect((await devicesOf(device1)).temporaryKeys).toMatchObject([{ publicKey }]);
  await device1.greet('clears up');
  await expectGoneInTime(device1, publicKey);
  await expectSettled(device1);
  expect((await devicesOf(device1)).temporaryKeys).toEqual([]);
});

test('a second linking before the first deletion is due loses neither deletion', async ({ device1 }) => {
  const [first, second] = [otherDevice(), otherDevice()];
  expect(await link(device1, first.qr())).toMatchObject({ success: true });
  expect(await link(device1, second.qr())).toMatchObject({ success: true });
  expect((await devicesOf(device1)).temporaryKeys).toHaveLength(2);
  await expectGoneInTime(device1, first.publicKey);
  await expectGoneInTime(device1, second.publicKey);
});

describe('long before the deletion is due', () => {
  const testLongBefore = test.extend<{ delayMs: number }>({ delayMs: LONG_DELAY_MS });

  testLongBefore(
    'after a reload between the key and its mapping, the next start removes the key',
    async ({ device1, stack }) => {
      const { publicKey, qr } = otherDevice();
      // The wallet asks for the AddKey's block before it sends the mapping.
      const release = device1.chain.hold('block');
      void link(device1, qr());
      await expect.poll(() => keysOf(device1)).toContain(publicKey);
      device1.reload();
      release();
      await device1.manager.init();
      await expectGone(device1, publicKey);
      expect(await mappingOf(stack, publicKey)).toBeNull();
      await expect.poll(() => openDeletions(device1)).toEqual([]);
    },
  );

  testLongBefore(
    'when the registry refuses the mapping, the key is removed immediately, and the error says so',
    async ({ device1, stack, username }) => {
      const { accountId } = device1;
      const { publicKey, qr } = otherDevice();
      // Another account has claimed the key.
      const other = accountOf(`${username}-b`);
      await device1.register(other);
      expect(await link(device1, qr())).toMatchObject({ success: true, linkedToAccount: other });
      await device1.logIn(accountId);
      device1.accountId = accountId;
      const { error, errorCode } = await errorOf(device1, qr());
      expect(errorCode).toBe('AUTHORIZATION_TIMEOUT');
      expect(error).toContain(
        `${FAILED}The other device could not join, and its key was removed from the account.`,
      );
      expect(error).toContain('the key is being linked to another account');
      const again = await errorOf(device1, qr());
      expect(again.error, 'the same code can be tried again at once').toContain(
        'The other device could not join',
      );
      await expectGone(device1, publicKey);
      expect(await stack.oracle.fullAccessKeys(other), "the other account's link stands").toContain(
        publicKey,
      );
    },
  );
});
