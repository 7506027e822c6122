// Device1's side of linking on a real chain: its transactions, its refusals, and the removal of a device's key.
import type { LinkDeviceResult } from 'latchkey';
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import { transactionsSent } from '../support/wallet.js';
import {
  DELAY_MS,
  devicesOf,
  errorOf,
  expectGoneInTime,
  expectSettled,
  FAILED,
  keysOf,
  lastSentAt,
  levelsOf,
  link,
  MARGIN_MS,
  mappingOf,
  otherDevice,
  pass,
  test,
} from './facade-page/device1.js';
import type { Facade } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, expectCalls, expectCallsOf, REQUEST_FAILED } from './fixtures.js';

declare const facade: FacadePage;

test('one prompt adds the key and the mapping; when no device joins, the key is deleted again', async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  let result: LinkDeviceResult | undefined;
  const activity = await wallet.during(async () => {
    result = await link(page, qr({ accountId }));
  });
  const mappedAt = lastSentAt(stack);
  expect(result).toMatchObject({
    success: true,
    device2PublicKey: publicKey,
    fundingAmount: '0.05',
    linkedToAccount: accountId,
    transactionId: expect.stringMatching(/^\w{43,44}$/),
    signedDeleteKeyTransaction: { transaction: { actions: [{ type: 'DeleteKey', publicKey }] } },
  });
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get']);
  expectCallsOf('send_tx', activity.rpc, 2);
  expectCalls(levelsOf(stack).slice(-2), ['INCLUDED_FINAL', 'INCLUDED_FINAL']);
  expect(activity.relay).toEqual([]);
  expect(await stack.oracle.transaction(result?.transactionId ?? '', accountId)).toMatchObject({
    receiverId: accountId,
    succeeded: true,
  });
  expect(await keysOf(stack, accountId)).toContain(publicKey);
  expect(await mappingOf(stack, publicKey)).toEqual([accountId, 1]);

  const [shown] = await page.evaluate(() => facade.shown.slice(-1));
  expect(shown).toMatchObject({
    kind: 'transactions',
    behavior: 'requireClick',
    device: { publicKey, checkCode: expect.stringMatching(/^[A-Z2-7]{16}$/) },
    transactions: [
      {
        receiverId: accountId,
        actions: [{ type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } }],
      },
      {
        receiverId: REGISTRY,
        actions: [{ methodName: 'store_device_linking_mapping', gas: '30000000000000', deposit: '1' }],
      },
      { receiverId: accountId, actions: [{ type: 'DeleteKey', publicKey }] },
    ],
  });
  const steps = await page.evaluate(() => [
    ...new Set(facade.events.map(({ step, phase }) => `${step} ${phase}`)),
  ]);
  expect(steps).toEqual(['2 scanning', '3 authorization', '6 registration', '7 linking-complete']);

  const listed = await devicesOf(wallet);
  expect(listed).toMatchObject({
    devices: [{ name: 'Device 1', isCurrent: true, deviceNumber: 1 }],
    temporaryKeys: [{ publicKey }],
    otherKeys: [],
  });
  const dueAt = listed.temporaryKeys[0]?.dueAt ?? 0;
  expect(dueAt - mappedAt).toBeGreaterThanOrEqual(DELAY_MS);
  const sent = transactionsSent(stack);
  await pass(page, DELAY_MS - MARGIN_MS);
  expect(transactionsSent(stack), 'its time is not over').toBe(sent);
  await expectGoneInTime(wallet, stack, publicKey);
  await expectSettled(page, stack);
  expect((await devicesOf(wallet)).temporaryKeys).toEqual([]);
});

test('every refusal is reported, and nothing is signed', async ({ device1: wallet, stack }) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  const invalid = (error: string) => ({ error, errorCode: 'INVALID_QR_DATA' });
  expect(await errorOf(page, 'https://example.com/a')).toEqual(
    invalid('QR code contains a URL, not device linking data'),
  );
  expect(await errorOf(page, publicKey)).toEqual(
    invalid('QR code contains a NEAR key, not device linking data'),
  );
  expect(await errorOf(page, 'hello')).toEqual(
    invalid('Invalid QR code format - expected JSON device linking data'),
  );
  expect(await errorOf(page, '{"timestamp":1}')).toEqual(invalid('Missing device public key'));
  expect(await errorOf(page, qr({ timestamp: undefined }))).toEqual(invalid('Missing timestamp'));
  expect(await errorOf(page, qr({ device2PublicKey: 'secp256k1:abc' }))).toEqual(
    invalid('Invalid device public key format'),
  );
  expect(await errorOf(page, qr({ accountId: 'noDot' }))).toMatchObject({ errorCode: 'INVALID_QR_DATA' });
  expect(await errorOf(page, qr({ timestamp: Date.now() - 15 * 60_000 - 1_000 }))).toEqual({
    error: 'QR code expired',
    errorCode: 'SESSION_EXPIRED',
  });
  expect(await errorOf(page, qr({ accountId: 'bob.testnet' }))).toEqual({
    error: expect.stringContaining(
      `The other device asks for bob.testnet, but ${accountId} is logged in here.`,
    ),
    errorCode: 'ACCOUNT_NOT_OWNED',
  });
  for (const fundingAmount of ['', 'much', '-1', '0.05 NEAR', '1e3']) {
    expect(await errorOf(page, qr(), { fundingAmount })).toEqual({
      error: `${FAILED}The funding amount must be a number of NEAR such as 0.05`,
      errorCode: 'AUTHORIZATION_TIMEOUT',
    });
  }
  const [own = ''] = await keysOf(stack, accountId);
  expect(await errorOf(page, qr({ device2PublicKey: own }))).toEqual({
    error: expect.stringContaining(
      `${FAILED}This code was used already: its key is on the account ${accountId}`,
    ),
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  await page.evaluate(() => {
    facade.decision = 'cancel';
  });
  expect(await errorOf(page, qr())).toMatchObject({ errorCode: 'CANCELLED' });
  const last = await page.evaluate(() => facade.events.at(-1));
  expect(last).toMatchObject({ flow: 'linking', step: 0, phase: 'device-linking-error', status: 'error' });

  await page.evaluate(() => facade.manager.logoutAndClearVrfSession());
  expect(await errorOf(page, qr())).toEqual({
    error: `${FAILED}Device1 must be logged in to authorize device linking`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(await keysOf(stack, accountId)).toEqual([own]);
});

test('a code that expires while the user decides is not linked', async ({ device1: wallet, stack }) => {
  const { page, accountId } = wallet;
  const { publicKey, qr } = otherDevice();
  const timestamp = Date.now() - 15 * 60_000 + DELAY_MS;
  await page.evaluate(() => {
    facade.decision = 'wait';
  });
  const sent = transactionsSent(stack);
  const linking = errorOf(page, qr({ timestamp }));
  await expect.poll(() => page.evaluate(() => facade.shown.length)).toBe(2);
  await page.clock.fastForward(DELAY_MS);
  await page.evaluate(() => {
    facade.decision = 'confirm';
  });
  expect(await linking).toEqual({
    error: 'Device linking session expired',
    errorCode: 'SESSION_EXPIRED',
  });
  expect(transactionsSent(stack)).toBe(sent);
  expect(await keysOf(stack, accountId)).not.toContain(publicKey);
});

test('a balance that does not cover the gas is reported before any prompt', async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const { amount } = await stack.oracle.provider.viewAccount({ accountId });
  const allBut = String(BigInt(amount) - 25n * 10n ** 21n);
  const spent = await page.evaluate(
    ({ nearAccountId, receiverId, yocto }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId,
        actionArgs: { type: 'Transfer', amount: yocto },
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: accountId, receiverId: RELAYER, yocto: allBut },
  );
  expect(spent).toMatchObject({ success: true });
  const prompts = wallet.prompts.length;
  const { error, errorCode } = await errorOf(page, otherDevice().qr());
  expect(errorCode).toBe('INSUFFICIENT_BALANCE');
  expect(error).toMatch(/^\S+ has 0\.02\d+ NEAR free, and this needs 0\.0311\d NEAR for gas and deposit\./);
  expect(wallet.prompts).toHaveLength(prompts);
});

test('the error names a record without its key and an account missing from the chain', async ({
  device1: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(/./);
  const { page, accountId } = wallet;
  await stack.resetChain();
  expect(await errorOf(page, otherDevice().qr())).toEqual({
    error: `${FAILED}Account ${accountId} does not exist onchain`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  await page.evaluate(async () => {
    const request = indexedDB.open('PasskeyClientDB');
    const db = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    const users = db.transaction('users', 'readwrite').objectStore('users');
    const all = users.getAll();
    await new Promise<void>((resolve) => {
      all.onsuccess = () => {
        for (const user of all.result) users.put({ ...user, clientNearPublicKey: '' });
        users.transaction.oncomplete = () => resolve();
      };
    });
    db.close();
  });
  expect(await errorOf(page, otherDevice().qr())).toEqual({
    error: `${FAILED}Client NEAR public key not found in user data`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
});

const deleteKey = (wallet: Facade, publicKey: string) =>
  wallet.page.evaluate(({ accountId, key }) => facade.manager.deleteDeviceKey(accountId, key), {
    accountId: wallet.accountId,
    key: publicKey,
  });

test('a key is deleted on request; the last one and an unknown one are not', async ({
  device1: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const [own = ''] = await keysOf(stack, accountId);
  expect(await deleteKey(wallet, own)).toMatchObject({
    success: false,
    error: 'Cannot delete the last access key from an account',
    errorCode: 'LAST_ACCESS_KEY',
  });
  const other = otherDevice();
  await page.evaluate(
    ({ nearAccountId, publicKey }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: nearAccountId,
        actionArgs: { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } },
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: accountId, publicKey: other.publicKey },
  );
  expect((await devicesOf(wallet)).otherKeys).toEqual([other.publicKey]);
  const unknown = otherDevice().publicKey;
  expect(await deleteKey(wallet, unknown)).toMatchObject({
    success: false,
    error: `Access key ${unknown} not found on account ${accountId}`,
    errorCode: 'ACCESS_KEY_NOT_FOUND',
  });
  expect(await deleteKey(wallet, own)).toMatchObject({ success: false, errorCode: 'LAST_DEVICE' });

  const secret = other.secret;
  await stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'still signs' }, secret);
  const result = await deleteKey(wallet, other.publicKey);
  expect(result).toMatchObject({ success: true, transactionId: expect.stringMatching(/^\w{43,44}$/) });
  expect(await keysOf(stack, accountId)).toEqual([own]);
  await expect(
    stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'no more' }, secret),
  ).rejects.toThrow();
  expect(await stack.oracle.greeting()).toBe('still signs');
});

test('an unreadable key list and an invalid account id are reported', async ({
  device1: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  for (const node of stack.nodes) {
    node.fail('query:get_authenticators_by_user', { kind: 'status', status: 500 });
  }
  const message = (id: string) =>
    wallet.page.evaluate(
      (accountId) =>
        facade.manager.getLinkedDevices(accountId).then(
          () => 'no error',
          (error: { code: string; message: string }) => `${error.code} ${error.message}`,
        ),
      id,
    );
  expect(await message(wallet.accountId)).toBe('AUTHENTICATORS_FAILED Failed to load authenticators');
  expect(await message('nobody')).toContain('INVALID_ACCOUNT_ID');
});
