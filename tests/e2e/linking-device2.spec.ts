// This device joins an account: with a code that another device scans, or as the first one of the account.
import type { LocalStack } from '../support/local-stack.js';
import { accountOf, type WatchedWallet } from '../support/wallet.js';
import {
  authorize,
  deleteKey,
  ended,
  eventsOf,
  expectDevices,
  keysOpenedByStorage,
  LINK_TIMEOUT,
  linked,
  phase,
  signs,
  start,
  storedKeys,
  test,
} from './facade-page/device2.js';
import { type Facade, registerHere } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, MAX_BLOCK_AGE, SHORT_BLOCK_AGE } from './fixtures.js';

declare const facade: FacadePage;

/** How long the registry shows which account has named a key. */
const MAPPING_LIFE_BLOCKS = 200;

/** Waits until the device has asked the registry, which then answers, once more. */
async function looksAgain({ chain }: LocalStack): Promise<void> {
  const answered = () =>
    chain.calls.filter(({ name, status }) => name === 'query:get_device_linking_account' && status).length;
  const before = answered();
  await expect.poll(answered).toBeGreaterThan(before);
}

test.describe.configure({ timeout: 120_000 });

test('a thief of the disk opens no key of a linking, while its code is shown or while its passkey waits [S5] [S38]', async ({
  device1,
  device2,
}) => {
  await start(device2);
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
  await device2.page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 0, opened: [] });
  await start(device2, device1.accountId);
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
});

test('a new device shows a code, joins, swaps its key, and both devices sign', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2);
  expect(code.qrData).toMatchObject({ version: '1.0' });
  expect(code.qrData.accountId).toBeUndefined();
  expect(code.checkCode).toMatch(/^[A-Z2-7]{16}$/);
  expect(code.qrCodeDataURL).toMatch(/^data:image\/png;base64,/);
  expect(code.expiresAt - code.qrData.timestamp).toBe(15 * 60_000);
  await authorize(device1, code);

  const result = await linked(device2);
  expect(result).toMatchObject({
    success: true,
    nearAccountId: accountId,
    deviceNumber: 2,
    isLoggedIn: true,
  });
  expect(result.publicKey).not.toBe(code.qrData.device2PublicKey);
  expect(result.transactionIds).toHaveLength(2);
  await expectDevices(stack, accountId, 2);
  expect(await stack.oracle.fullAccessKeys(accountId)).not.toContain(code.qrData.device2PublicKey);

  const events = (await eventsOf(device2)).filter(({ status }) => status === 'success');
  expect(events.map(({ step }) => step)).toEqual([1, 5, 6, 7, 8]);
  expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create']);
  const shown = await device2.page.evaluate(() => facade.shown);
  expect(shown).toMatchObject([
    {
      kind: 'registration',
      accountId,
      deviceNumber: 2,
      behavior: 'requireClick',
      joining: { checkCode: code.checkCode },
    },
  ]);
  expect(await storedKeys(device2)).toEqual([`${accountId},2`]);

  await signs(device2, accountId, 'from the second');
  await signs(device1, accountId, 'from the first');
  await device2.page.reload();
  expect(await device2.page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
    unlockedBy: 'server-lock',
  });
  expect(await device2.page.evaluate((id) => facade.manager.getLoginState(id), accountId)).toMatchObject({
    isLoggedIn: true,
    userData: { deviceNumber: 2 },
  });
});

test('a device that knows the account creates its passkey first and puts its key in the code', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2, accountId);
  expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(code.qrData.accountId).toBe(accountId);
  await authorize(device1, code);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, deviceNumber: 2, publicKey: code.qrData.device2PublicKey });
  expect(result.transactionIds).toHaveLength(1);
  expect(device2.prompts).toHaveLength(1);
  await expectDevices(stack, accountId, 2);
  await signs(device2, accountId, 'option E');
});

test('a passkey too old for the registry is created again, and its key is swapped', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2, accountId);
  await stack.oracle.setMaxBlockAge(SHORT_BLOCK_AGE);
  try {
    // In two parts: after a gap of 200 blocks between two looks the code is over.
    await stack.oracle.fastForward(SHORT_BLOCK_AGE / 2);
    await looksAgain(stack);
    await stack.oracle.fastForward(SHORT_BLOCK_AGE / 2 + 1);
    await authorize(device1, code);
    const result = await linked(device2);
    expect(result).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
    expect(result.transactionIds).toHaveLength(2);
    expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create', 'create']);
    // The first one was never sent: the browser has forgotten it.
    expect(await device2.passkey.credentialIds()).toHaveLength(1);
    await expectDevices(stack, accountId, 2);
    await signs(device2, accountId, 'made again');
  } finally {
    await stack.oracle.setMaxBlockAge(MAX_BLOCK_AGE);
  }
});

test('this device joins an account of another wallet as device 1: that wallet adds the key of the code', async ({
  device2,
  stack,
  username,
}) => {
  const { accountId, account } = await stack.oracle.makeAccountElsewhere(`alice-${username}`);
  const code = await start(device2, accountId);
  await account.addFullAccessKey(code.qrData.device2PublicKey);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 1 });
  const [[, record] = []] = await stack.oracle.authenticators(accountId);
  expect(record).toMatchObject({ device_number: 1, near_public_key: code.qrData.device2PublicKey });
  const detected = await phase(device2, 'addkey-detected');
  expect(detected.data).not.toHaveProperty('deleteAt');
  await signs(device2, accountId, 'made elsewhere');
});

test('the current account stays logged in until this device joins, and a linking that ends earlier changes nothing', async ({
  device1,
  device2,
  username,
}) => {
  const { page } = device2;
  const before = accountOf(`${username}-before`);
  await registerHere(page, before);
  const state = () => page.evaluate(() => facade.manager.getLoginState());

  await start(device2, device1.accountId);
  expect(device2.prompts).toHaveLength(2);
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: before });
  await page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
  expect(await ended(device2)).toBe('CANCELLED');
  await signs(device2, before, 'still logged in');

  await authorize(device1, await start(device2));
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: true });
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: device1.accountId });
  await signs(device2, device1.accountId, 'let in');
});

test('a device that logs out while it shows its code still joins, but stays logged out', async ({
  device1,
  device2,
  stack,
}) => {
  const { page } = device2;
  const code = await start(device2, device1.accountId);
  await page.evaluate(() => facade.manager.logoutAndClearVrfSession());
  await authorize(device1, code);
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: false });
  expect(await page.evaluate(() => facade.manager.getLoginState())).toMatchObject({ isLoggedIn: false });
  await expectDevices(stack, device1.accountId, 2);
});

test('an account that is not on the chain is refused before any prompt', async ({ device2 }) => {
  const code = await device2.page.evaluate(() =>
    facade.manager.startDevice2LinkingFlow({ accountId: 'nobody.testnet' }).then(
      () => 'started',
      (error: Error) => error.message,
    ),
  );
  expect(code).toBe('Account nobody.testnet does not exist onchain');
  expect(device2.prompts).toEqual([]);
});

test.describe('an unfinished linking', () => {
  /** Expects no trace of it here, and a new code that works. */
  async function startsAgain(stack: LocalStack, device1: Facade, device2: WatchedWallet): Promise<void> {
    expect(await storedKeys(device2)).toEqual([]);
    expect((await device2.page.evaluate(() => facade.manager.getLoginState())).isLoggedIn).toBe(false);
    const code = await start(device2);
    await authorize(device1, code);
    expect(await linked(device2)).toMatchObject({ success: true, deviceNumber: 2 });
    expect(await device2.passkey.credentialIds()).toHaveLength(1);
    await expectDevices(stack, device1.accountId, 2);
  }

  test('is cancelled while the code is shown', async ({ device1, device2, stack }) => {
    await device2.page.clock.install();
    const code = await start(device2);
    await device2.page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
    expect(await ended(device2)).toBe('CANCELLED');
    const calls = stack.chain.calls.length;
    await device2.page.clock.runFor(10_000);
    const asked = stack.chain.calls.slice(calls).map(({ name }) => name);
    expect(asked).not.toContain('query:get_device_linking_account');
    expect(code.qrData.device2PublicKey).not.toBe('');
    await startsAgain(stack, device1, device2);
  });

  test('is cancelled in the confirmation, which names the account', async ({ device1, device2, stack }) => {
    await device2.page.evaluate(() => {
      facade.decision = 'cancel';
    });
    const code = await start(device2);
    await authorize(device1, code);
    expect(await ended(device2)).toBe('CANCELLED');
    expect((await eventsOf(device2)).at(-1)).toMatchObject({
      phase: 'device-linking-error',
      message: 'User cancelled link-device confirmation (Option F)',
    });
    expect(device2.prompts).toEqual([]);
    await device2.page.evaluate(() => {
      facade.decision = 'confirm';
    });
    await deleteKey(device1, code.qrData.device2PublicKey);
    await startsAgain(stack, device1, device2);
  });

  test('reports a key that is deleted during the prompt, and leaves no passkey in the way', async ({
    device1,
    device2,
    stack,
  }) => {
    await device2.passkey.setPresence(false);
    const code = await start(device2);
    await authorize(device1, code);
    await expect.poll(() => device2.prompts.length, { timeout: LINK_TIMEOUT }).toBe(1);
    await deleteKey(device1, code.qrData.device2PublicKey);
    expect(await ended(device2)).toBe('LINK_KEY_GONE');
    await device2.passkey.setPresence(true);
    await startsAgain(stack, device1, device2);
  });

  test('reports a synced passkey of the account, and offers recovery', async ({ device1 }) => {
    const { page, accountId } = device1;
    const url = page.url();
    // Leave the page first: an open one may be reading what is cleared.
    await page.goto('about:blank');
    await device1.passkey.clearSiteData(new URL(url).origin);
    await page.goto(url);
    const code = await page.evaluate(
      (id) => facade.codeOf(() => facade.manager.startDevice2LinkingFlow({ accountId: id })),
      accountId,
    );
    expect(code).toBe('PASSKEY_SYNCED');
    expect(await storedKeys(device1)).toEqual([]);
  });

  test('ends at the first look after a sleep in which a scan may have come and gone', async ({
    device2,
    stack,
  }) => {
    await start(device2);
    await looksAgain(stack);
    await stack.oracle.fastForward(MAPPING_LIFE_BLOCKS + 1);
    expect(await ended(device2)).toBe('SESSION_EXPIRED');
    expect((await eventsOf(device2)).at(-1)?.message).toContain('asleep or offline');
    expect(await storedKeys(device2)).toEqual([]);
  });

  test('ends after 15 minutes', async ({ device2 }) => {
    await device2.page.clock.install();
    await start(device2);
    await device2.page.clock.fastForward(15 * 60_000);
    expect(await ended(device2)).toBe('SESSION_EXPIRED');
    expect((await eventsOf(device2)).at(-1)?.message).toBe('Device linking session expired');
    expect(await storedKeys(device2)).toEqual([]);
  });
});
