// Device1's side of linking on a real chain: its transactions, its refusals, and the removal of a device's key.
// Specification: core 4, core 5, core 6, core 8
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import {
  DELAY_MS,
  devicesOf,
  errorOf,
  expectGoneInTime,
  expectSettled,
  FAILED,
  keysOf,
  link,
  mappingOf,
  otherDevice,
  pass,
  test,
} from './linking.js';
import { openDatabase } from './storage.js';
import { expect, expectCalls } from './wallet.js';

/** The last part of a temporary key's time, in which the page may need some real time. */
const MARGIN_MS = 8_000;
/** How long a code lives. */
const CODE_MS = 15 * 60_000;

test('one prompt adds the key and the mapping; when no device joins, the key is deleted again', async ({
  device1,
  stack,
}) => {
  const { accountId, facade } = device1;
  const { publicKey, qr } = otherDevice();
  const activity = await device1.during(async () => {
    const result = await link(device1, qr({ accountId }));
    expect(result).toMatchObject({
      success: true,
      device2PublicKey: publicKey,
      fundingAmount: '0.05',
      linkedToAccount: accountId,
      transactionId: expect.stringMatching(/^\w{43,44}$/),
      signedDeleteKeyTransaction: { transaction: { actions: [{ type: 'DeleteKey', publicKey }] } },
    });
    expect(await stack.oracle.transaction(result.transactionId ?? '', accountId)).toMatchObject({
      receiverId: accountId,
      succeeded: true,
    });
  });
  const mappedAt = device1.chain.calls.findLast(({ name }) => name === 'send_tx')?.at ?? 0;
  expect(activity.prompts).toEqual(['get']);
  expectCalls(
    device1.sent.map(({ wait_until }) => wait_until),
    ['INCLUDED_FINAL', 'INCLUDED_FINAL'],
  );
  expect(activity.relay).toEqual([]);
  expect(await keysOf(device1)).toContain(publicKey);
  expect(await mappingOf(stack, publicKey)).toEqual([accountId, 1]);

  expect(device1.shown.at(-1)).toMatchObject({
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
  const steps = new Set(facade.events.map(({ step, phase }) => `${step} ${phase}`));
  expect([...steps]).toEqual(['2 scanning', '3 authorization', '6 registration', '7 linking-complete']);

  const listed = await devicesOf(device1);
  expect(listed).toMatchObject({
    devices: [{ name: 'Device 1', isCurrent: true, deviceNumber: 1 }],
    temporaryKeys: [{ publicKey }],
    otherKeys: [],
  });
  const dueAt = listed.temporaryKeys[0]?.dueAt ?? 0;
  expect(dueAt - mappedAt).toBeGreaterThanOrEqual(DELAY_MS);
  const sent = device1.sent.length;
  await pass(device1, DELAY_MS - MARGIN_MS);
  expect(device1.sent.length, 'its time is not over').toBe(sent);
  await expectGoneInTime(device1, publicKey);
  await expectSettled(device1);
  expect((await devicesOf(device1)).temporaryKeys).toEqual([]);
});

test('every refusal is reported, and nothing is signed', async ({ device1 }) => {
  const { accountId, facade, manager } = device1;
  const { publicKey, qr } = otherDevice();
  const invalid = (error: string) => ({ error, errorCode: 'INVALID_QR_DATA' });
  expect(await errorOf(device1, 'https://example.com/a')).toEqual(
    invalid('QR code contains a URL, not device linking data'),
  );
  expect(await errorOf(device1, publicKey)).toEqual(
    invalid('QR code contains a NEAR key, not device linking data'),
  );
  expect(await errorOf(device1, 'hello')).toEqual(
    invalid('Invalid QR code format - expected JSON device linking data'),
  );
  expect(await errorOf(device1, '{"timestamp":1}')).toEqual(invalid('Missing device public key'));
  expect(await errorOf(device1, qr({ timestamp: undefined }))).toEqual(invalid('Missing timestamp'));
  expect(await errorOf(device1, qr({ device2PublicKey: 'secp256k1:abc' }))).toEqual(
    invalid('Invalid device public key format'),
  );
  expect(await errorOf(device1, qr({ accountId: 'noDot' }))).toMatchObject({ errorCode: 'INVALID_QR_DATA' });
  expect(await errorOf(device1, qr({ timestamp: Date.now() - CODE_MS - 1_000 }))).toEqual({
    error: 'QR code expired',
    errorCode: 'SESSION_EXPIRED',
  });
  expect(await errorOf(device1, qr({ accountId: 'bob.testnet' }))).toEqual({
    error: expect.stringContaining(
      `The other device asks for bob.testnet, but ${accountId} is logged in here.`,
    ),
    errorCode: 'ACCOUNT_NOT_OWNED',
  });
  for (const fundingAmount of ['', 'much', '-1', '0.05 NEAR', '1e3']) {
    expect(await errorOf(device1, qr(), { fundingAmount })).toEqual({
      error: `${FAILED}The funding amount must be a number of NEAR such as 0.05`,
      errorCode: 'AUTHORIZATION_TIMEOUT',
    });
  }
  const [own = ''] = await keysOf(device1);
  expect(await errorOf(device1, qr({ device2PublicKey: own }))).toEqual({
    error: expect.stringContaining(
      `${FAILED}This code was used already: its key is on the account ${accountId}`,
    ),
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  device1.decision = 'cancel';
  expect(await errorOf(device1, qr())).toMatchObject({ errorCode: 'CANCELLED' });
  expect(facade.events.at(-1)).toMatchObject({
    flow: 'linking',
    step: 0,
    phase: 'device-linking-error',
    status: 'error',
  });

  await manager.logoutAndClearVrfSession();
  expect(await errorOf(device1, qr())).toEqual({
    error: `${FAILED}Device1 must be logged in to authorize device linking`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  expect(device1.prompts).toEqual(['create']);
  expect(await keysOf(device1)).toEqual([own]);
});

test('a code that expires while the user decides is not linked', async ({ device1 }) => {
  const { publicKey, qr } = otherDevice();
  const timestamp = Date.now() - CODE_MS + DELAY_MS;
  device1.decision = 'wait';
  const linking = errorOf(device1, qr({ timestamp }));
  await expect.poll(() => device1.shown.length).toBe(2);
  device1.clock.pass(DELAY_MS);
  device1.decision = 'confirm';
  expect(await linking).toEqual({
    error: 'Device linking session expired',
    errorCode: 'SESSION_EXPIRED',
  });
  expect(device1.sent).toEqual([]);
  expect(await keysOf(device1)).not.toContain(publicKey);
});

test('a balance that does not cover the gas is reported before any prompt', async ({ device1, stack }) => {
  const balance = await stack.oracle.balance(device1.accountId);
  const amount = String(balance - 25n * 10n ** 21n);
  expect(await device1.execute(RELAYER, { type: 'Transfer', amount })).toMatchObject({ success: true });
  const prompts = device1.prompts.length;
  const { error, errorCode } = await errorOf(device1, otherDevice().qr());
  expect(errorCode).toBe('INSUFFICIENT_BALANCE');
  expect(error).toMatch(/^\S+ has 0\.02\d+ NEAR free, and this needs 0\.0311\d NEAR for gas and deposit\./);
  expect(device1.prompts).toHaveLength(prompts);
});

test('the error names a record without its key and an account missing from the chain', async ({
  device1,
}) => {
  const { accountId } = device1;
  await device1.execute(accountId, { type: 'DeleteAccount', beneficiaryId: RELAYER });
  expect(await errorOf(device1, otherDevice().qr())).toEqual({
    error: `${FAILED}Account ${accountId} does not exist onchain`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
  const database = await openDatabase(device1, 'PasskeyClientDB');
  const user = await database.get('users', [accountId, 1]);
  await database.put('users', { ...user, clientNearPublicKey: '' });
  database.close();
  expect(await errorOf(device1, otherDevice().qr())).toEqual({
    error: `${FAILED}Client NEAR public key not found in user data`,
    errorCode: 'AUTHORIZATION_TIMEOUT',
  });
});

test('a key is deleted on request; the last one and an unknown one are not', async ({ device1, stack }) => {
  const { accountId, manager } = device1;
  const deleteKey = (publicKey: string) => manager.deleteDeviceKey(accountId, publicKey);
  const [own = ''] = await keysOf(device1);
  expect(await deleteKey(own)).toMatchObject({
    success: false,
    error: 'Cannot delete the last access key from an account',
    errorCode: 'LAST_ACCESS_KEY',
  });
  const { publicKey, secret } = otherDevice();
  await device1.execute(accountId, {
    type: 'AddKey',
    publicKey,
    accessKey: { permission: 'FullAccess' },
  });
  expect((await devicesOf(device1)).otherKeys).toEqual([publicKey]);
  const unknown = otherDevice().publicKey;
  expect(await deleteKey(unknown)).toMatchObject({
    success: false,
    error: `Access key ${unknown} not found on account ${accountId}`,
    errorCode: 'ACCESS_KEY_NOT_FOUND',
  });
  expect(await deleteKey(own)).toMatchObject({ success: false, errorCode: 'LAST_DEVICE' });

  await stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'still signs' }, secret);
  expect(await deleteKey(publicKey)).toMatchObject({
    success: true,
    transactionId: expect.stringMatching(/^\w{43,44}$/),
  });
  expect(await keysOf(device1)).toEqual([own]);
  await expect(
    stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'no more' }, secret),
  ).rejects.toThrow();
  expect(await stack.oracle.greeting()).toBe('still signs');
});

test('an unreadable key list and an invalid account id are reported', async ({ device1 }) => {
  const { accountId, manager } = device1;
  device1.fail('query:get_authenticators_by_user', { kind: 'status', status: 500 });
  await expect(manager.getLinkedDevices(accountId)).rejects.toMatchObject({
    code: 'AUTHENTICATORS_FAILED',
    message: 'Failed to load authenticators',
  });
  await expect(manager.getLinkedDevices('nobody')).rejects.toMatchObject({ code: 'INVALID_ACCOUNT_ID' });
});
