// This device joins an account: with a code that another device scans, or as the first one of the account.
// Specification: core 4, core 9
import { describe } from 'vitest';
import { withinPassing } from '../faults/steps.js';
import { SHORT_BLOCK_AGE } from '../support/oracle.js';
import { authorize, expectDevices, expectEnd, linked, testJoining as test } from './linking.js';
import { keysOpenedByStorage, storedKeys } from './storage.js';
import { accountOf, expect, shortenBlockAge, type Wallet } from './wallet.js';

/** How long the registry shows which account has named a key. */
const MAPPING_LIFE_BLOCKS = 200;
const CODE_MS = 15 * 60_000;
const LOOK = 'query:get_device_linking_account';

/** Waits until the device has asked the registry, which then answers, once more. */
async function looksAgain({ nodes, clock }: Wallet): Promise<void> {
  const answered = () =>
    nodes.flatMap(({ calls }) => calls).filter(({ name, status }) => name === LOOK && status).length;
  const before = answered();
  expect(await withinPassing(clock, 30_000, async () => answered() > before), 'it looks again').toBe(true);
}

test.concurrent('a thief of the disk opens no key of a linking, while its code is shown or while its passkey waits [S5] [S38]', async ({
  device1,
  device2,
}) => {
  const { facade, manager } = device2;
  await facade.startLinking();
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
  await manager.stopDevice2LinkingFlow();
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 0, opened: [] });
  await facade.startLinking(device1.accountId);
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
});

test.concurrent('a new device shows a code, joins, swaps its key, signs as the first does, and admits a third', async ({
  device1,
  device2,
  open,
  stack,
}) => {
  const { accountId } = device1;
  const code = await device2.facade.startLinking();
  expect(code.qrData).toMatchObject({ version: '1.0' });
  expect(code.qrData.accountId).toBeUndefined();
  expect(code.checkCode).toMatch(/^[A-Z2-7]{16}$/);
  expect(code.expiresAt - code.qrData.timestamp).toBe(CODE_MS);
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
  await expectDevices(device1, 2);
  expect(await stack.oracle.fullAccessKeys(accountId)).not.toContain(code.qrData.device2PublicKey);

  const successes = device2.facade.events.filter(({ status }) => status === 'success');
  expect(successes.map(({ step }) => step)).toEqual([1, 5, 6, 7, 8]);
  expect(device2.prompts).toEqual(['create']);
  expect(device2.shown).toMatchObject([
    {
      kind: 'registration',
      accountId,
      deviceNumber: 2,
      behavior: 'requireClick',
      joining: { checkCode: code.checkCode },
    },
  ]);
  expect(await storedKeys(device2)).toEqual([`${accountId},2`]);

  await device2.greet('from the second', accountId);
  await device1.greet('from the first');
  device2.reload();
  await device2.logIn(accountId);
  expect(await device2.state(accountId)).toMatchObject({ isLoggedIn: true, userData: { deviceNumber: 2 } });

  const device3 = await open();
  await authorize(device2, await device3.facade.startLinking());
  expect(await linked(device3)).toMatchObject({ success: true, deviceNumber: 3 });
  await expectDevices(device1, 3);
});

test.concurrent('a device that knows the account creates its passkey first and puts its own key in the code, which stays [S94]', async ({
  device1,
  device2,
}) => {
  const { accountId } = device1;
  const code = await device2.facade.startLinking(accountId);
  expect(device2.prompts).toEqual(['create']);
  expect(code.qrData.accountId).toBe(accountId);
  await authorize(device1, code);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, deviceNumber: 2, publicKey: code.qrData.device2PublicKey });
  expect(result.transactionIds).toHaveLength(1);
  expect(device2.prompts).toHaveLength(1);
  await expectDevices(device1, 2);
  await device2.greet('option E', accountId);
});

test('a passkey too old for the registry is created again, and its key is swapped', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await device2.facade.startLinking(accountId);
  await shortenBlockAge(stack);
  // In two parts: after a gap of 200 blocks between two looks the code is over.
  await stack.oracle.fastForward(SHORT_BLOCK_AGE / 2);
  await looksAgain(device2);
  await stack.oracle.fastForward(SHORT_BLOCK_AGE / 2 + 1);
  device1.clock.pass(10_000);
  await authorize(device1, code);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
  expect(result.transactionIds).toHaveLength(2);
  expect(device2.prompts).toEqual(['create', 'create']);
  // The first one was never sent: the browser has forgotten it.
  expect(device2.passkeys).toHaveLength(1);
  await expectDevices(device1, 2);
  await device2.greet('made again', accountId);
});

test.concurrent('this device joins an account of another wallet as device 1: that wallet adds the key of the code', async ({
  device2,
  stack,
  username,
}) => {
  const { accountId, account } = await stack.oracle.makeAccountElsewhere(`alice-${username}`);
  const code = await device2.facade.startLinking(accountId);
  await account.addFullAccessKey(code.qrData.device2PublicKey);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 1 });
  const [[, record] = []] = await stack.oracle.authenticators(accountId);
  expect(record).toMatchObject({ device_number: 1, near_public_key: code.qrData.device2PublicKey });
  const detected = device2.facade.events.find(({ phase }) => phase === 'addkey-detected');
  expect(detected).toBeDefined();
  expect(detected?.data).not.toHaveProperty('deleteAt');
  await device2.greet('made elsewhere', accountId);
});

test.concurrent('the current account stays logged in until this device joins, and a linking that ends earlier changes nothing', async ({
  device1,
  device2,
  username,
}) => {
  const { facade, manager } = device2;
  const before = accountOf(`${username}-before`);
  await device2.register(before);

  await facade.startLinking(device1.accountId);
  expect(device2.prompts).toHaveLength(2);
  expect(await device2.state()).toMatchObject({ isLoggedIn: true, nearAccountId: before });
  await manager.stopDevice2LinkingFlow();
  await expectEnd(device2, 'CANCELLED');
  await device2.greet('still logged in');

  await authorize(device1, await facade.startLinking());
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: true });
  expect(await device2.state()).toMatchObject({ isLoggedIn: true, nearAccountId: device1.accountId });
  await device2.greet('let in', device1.accountId);
});

test.concurrent('a device that logs out while it shows its code still joins, but stays logged out', async ({
  device1,
  device2,
}) => {
  const code = await device2.facade.startLinking(device1.accountId);
  await device2.manager.logoutAndClearVrfSession();
  await authorize(device1, code);
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: false });
  expect(await device2.state()).toMatchObject({ isLoggedIn: false });
  await expectDevices(device1, 2);
});

test.concurrent('an account that is not on the chain is refused before any prompt', async ({ device2 }) => {
  await expect(device2.facade.startLinking('nobody.testnet')).rejects.toThrow(
    'Account nobody.testnet does not exist onchain',
  );
  expect(device2.prompts).toEqual([]);
});

describe('an unfinished linking', () => {
  /** Expects no trace of it here, and a new code that works. */
  async function startsAgain(device1: Wallet, device2: Wallet): Promise<void> {
    expect(await storedKeys(device2)).toEqual([]);
    expect((await device2.state()).isLoggedIn).toBe(false);
    await authorize(device1, await device2.facade.startLinking());
    expect(await linked(device2)).toMatchObject({ success: true, deviceNumber: 2 });
    expect(device2.passkeys).toHaveLength(1);
    await expectDevices(device1, 2);
  }

  const deleteKey = (device1: Wallet, publicKey: string) =>
    device1.execute(device1.accountId, { type: 'DeleteKey', publicKey });

  test.concurrent('is cancelled while the code is shown', async ({ device1, device2 }) => {
    await device2.facade.startLinking();
    await device2.manager.stopDevice2LinkingFlow();
    await expectEnd(device2, 'CANCELLED');
    const activity = await device2.during(async () => device2.clock.pass(10_000));
    expect(activity.rpc).not.toContain(LOOK);
    await startsAgain(device1, device2);
  });

  test.concurrent('is cancelled in the confirmation, which names the account', async ({
    device1,
    device2,
  }) => {
    device2.decision = 'cancel';
    const { facade } = device2;
    const code = await facade.startLinking();
    await authorize(device1, code);
    await expectEnd(device2, 'CANCELLED');
    expect(facade.events.at(-1)).toMatchObject({
      phase: 'device-linking-error',
      message: 'User cancelled link-device confirmation (Option F)',
    });
    expect(device2.prompts).toEqual([]);
    device2.decision = 'confirm';
    await deleteKey(device1, code.qrData.device2PublicKey);
    await startsAgain(device1, device2);
  });

  test.concurrent('reports a key that is deleted during the prompt, and leaves no passkey in the way', async ({
    device1,
    device2,
    expect,
  }) => {
    device2.authenticator.isPresent = false;
    const code = await device2.facade.startLinking();
    await authorize(device1, code);
    await expect.poll(() => device2.prompts.length).toBe(1);
    await deleteKey(device1, code.qrData.device2PublicKey);
    await expectEnd(device2, 'LINK_KEY_GONE');
    device2.authenticator.isPresent = true;
    await startsAgain(device1, device2);
  });

  test.concurrent('reports a synced passkey of the account, and offers recovery', async ({ device1 }) => {
    const { accountId } = device1;
    device1.clearSiteData();
    await expect(device1.facade.startLinking(accountId)).rejects.toMatchObject({ code: 'PASSKEY_SYNCED' });
    expect(await storedKeys(device1)).toEqual([]);
  });

  test('ends at the first look after a sleep in which a scan may have come and gone', async ({
    device2,
    stack,
  }) => {
    await device2.facade.startLinking();
    await looksAgain(device2);
    await stack.oracle.fastForward(MAPPING_LIFE_BLOCKS + 1);
    await expectEnd(device2, 'SESSION_EXPIRED');
    expect(device2.facade.events.at(-1)?.message).toContain('asleep or offline');
    expect(await storedKeys(device2)).toEqual([]);
  });

  test.concurrent('ends after 15 minutes', async ({ device2 }) => {
    await device2.facade.startLinking();
    device2.clock.pass(CODE_MS);
    await expectEnd(device2, 'SESSION_EXPIRED');
    expect(device2.facade.events.at(-1)?.message).toBe('Device linking session expired');
    expect(await storedKeys(device2)).toEqual([]);
  });
});
