// Device1's side of linking on a real chain: its refusals, its transactions, and that no key stays behind.
import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import type { FlowEvent, LinkDeviceResult } from 'latchkey';
import { Account, actions, KeyPair, KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../demo/stack/keys.js';
import type { LocalStack } from '../../demo/stack/local-stack.js';
import { REGISTRY, RELAYER } from '../../demo/stack/services.js';
import { accountOf, transactionsSent } from '../../demo/stack/wallet.js';
import { test as base, type Facade, openFacade, registerHere, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, REQUEST_FAILED, settle } from './fixtures.js';

declare const facade: FacadePage;

/**
 * A temporary key's lifetime on the page's clock, which the test sets forward: long enough for a reload or a transaction
 * within it, and shorter than the page waits for an answer.
 */
const DELAY_MS = 20_000;
/** The last part of it, in which the page may need some real time. */
const MARGIN_MS = 8_000;
/** How far each poll of the chain sets the page's clock forward. */
const LOOK_MS = 1_000;
/** Time for a page to send a pending transaction. */
const QUIET_MS = 500;
const FAILED = 'Failed to scan and link device: ';

const test = base.extend<{ device1: Facade; delayMs: number }>({
  delayMs: [DELAY_MS, { option: true }],
  /** The test's own account, registered and logged in. */
  device1: async ({ context, stack, facadeUrl, username, expectedConsole, delayMs }, use) => {
    const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: delayMs } });
    await context.clock.install();
    const wallet = await openFacade(context, stack, `${facadeUrl}?${new URLSearchParams({ config })}`);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, expectedConsole);
  },
});

/** The other device: a key and its QR code's content. */
function otherDevice() {
  const secret = secretKeyText(randomBytes(32));
  const publicKey = KeyPair.fromString(secret).getPublicKey().toString();
  const qr = (more: object = {}): string =>
    JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0', ...more });
  const signingOn = (stack: LocalStack, accountId: string) =>
    new Account(accountId, stack.oracle.provider, KeyPairSigner.fromSecretKey(secret));
  return { secret, publicKey, qr, signingOn };
}

const link = (page: Page, qr: string, options: { fundingAmount?: string } = {}): Promise<LinkDeviceResult> =>
  page.evaluate(
    ({ text, given }) =>
      facade.manager.linkDeviceWithScannedQRData(text, {
        ...given,
        onEvent: (event) => facade.events.push(event as FlowEvent),
      }),
    { text: qr, given: options },
  );

const errorOf = async (page: Page, qr: string, options: { fundingAmount?: string } = {}) => {
  const { success, error, errorCode } = await link(page, qr, options);
  expect(success).toBe(false);
  return { error, errorCode };
};

const devicesOf = (wallet: Facade) =>
  wallet.page.evaluate((id) => facade.manager.getLinkedDevices(id), wallet.accountId);

const greet = (wallet: Facade, greeting: string) =>
  wallet.page.evaluate(
    ({ nearAccountId, text, receiverId }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId,
        actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: text } },
      }),
    { nearAccountId: wallet.accountId, text: greeting, receiverId: REGISTRY },
  );

const keysOf = (stack: LocalStack, accountId: string) => stack.oracle.fullAccessKeys(accountId);
/** When the latest transaction left, in milliseconds since the epoch. */
const lastSentAt = (stack: LocalStack): number =>
  stack.chain.calls.findLast(({ name }) => name === 'send_tx')?.at ?? 0;

/** Lets this time pass in every tab, and then waits a moment in which a tab could act. */
async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms);
  await page.waitForTimeout(QUIET_MS);
}

/** The wait level of each transaction. */
const levelsOf = (stack: LocalStack): string[] =>
  stack.chain.calls
    .filter(({ name }) => name === 'send_tx')
    .map(({ body }) => JSON.parse(body).params.wait_until);

/** Waits until the account has no such key. */
const expectGone = (stack: LocalStack, accountId: string, publicKey: string): Promise<void> =>
  expect
    .poll(async () => (await keysOf(stack, accountId)).includes(publicKey), { timeout: 30_000 })
    .toBe(false);

/** Lets the time of a temporary key pass, and waits until the account has no such key. */
async function expectGoneInTime(
  { page, accountId }: Facade,
  stack: LocalStack,
  publicKey: string,
): Promise<void> {
  await page.clock.fastForward(DELAY_MS);
  const isThere = async () => {
    await page.clock.fastForward(LOOK_MS);
    return (await keysOf(stack, accountId)).includes(publicKey);
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
}

/** Lets time pass until the journal has no open deletion. */
async function expectSettled(page: Page): Promise<void> {
  const open = async () => {
    await page.clock.fastForward(LOOK_MS);
    return waiting(page);
  };
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
}

const mappingOf = (stack: LocalStack, publicKey: string) =>
  stack.oracle.provider.callFunction({
    contractId: REGISTRY,
    method: 'get_device_linking_account',
    args: { device_public_key: publicKey },
  });

/** The journal's open deletions. */
const waiting = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open('PasskeyClientDB');
    const db = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    const keys = db.transaction('appState').objectStore('appState').getAllKeys();
    const found = await new Promise<IDBValidKey[]>((resolve) => {
      keys.onsuccess = () => resolve(keys.result);
    });
    db.close();
    return found.filter((key) => String(key).startsWith('journal:deletion:'));
  });

/** Opens the same page again, as after a reload or in another tab. */
async function startAgain(page: Page): Promise<void> {
  await page.evaluate(() => facade.manager.init());
}

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
  expect(activity.rpc.filter((name) => name === 'send_tx')).toHaveLength(2);
  expect(levelsOf(stack).slice(-2)).toEqual(['INCLUDED_FINAL', 'INCLUDED_FINAL']);
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
    device: { publicKey, checkCode: expect.stringMatching(/^[A-Z2-7]{8}$/) },
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
  await expectSettled(page);
  expect((await devicesOf(wallet)).temporaryKeys).toEqual([]);
});

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
  const sent = transactionsSent(stack);
  await page.clock.fastForward(DELAY_MS);
  await expectSettled(page);
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
  const heal = [stack.chain, stack.spareChain].map((proxy) =>
    proxy.fail('query:get_authenticators_by_user', { kind: 'status', status: 503 }),
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
  await expectSettled(page);
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
  await expectSettled(third);
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
  await expectSettled(page);
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
  await expectSettled(page);
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
      `${FAILED}The other device was not let in, and its key was taken off the account again.`,
    );
    expect(error).toContain('the key is being linked to another account');
    const again = await errorOf(page, qr());
    expect(again.error, 'the same code can be tried again at once').toContain(
      'The other device was not let in',
    );
    await expectGone(stack, accountId, publicKey);
    expect(await keysOf(stack, other), "the other account's link stands").toContain(publicKey);
  });
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
  for (const proxy of [stack.chain, stack.spareChain]) {
    proxy.fail('query:get_authenticators_by_user', { kind: 'status', status: 500 });
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
