// What an account without a name, and without a record in the registry, does by its own keys: before its first money and after.
import type { KeyToAdd } from 'latchkey';
import { APP } from '../support/oracle.js';
import { expect, fund, prove, send, someone, test } from './nameless.js';
import { greetingOf, type Wallet } from './wallet.js';

const options = { waitUntil: 'FINAL' } as const;

const addAppKey = ({ manager, accountId: nearAccountId }: Wallet) =>
  manager.addAppKey({ nearAccountId, receiverId: APP, methodNames: ['set_greeting'], options });

const addPhrase = ({ manager, accountId: nearAccountId }: Wallet) =>
  manager.addRecoveryKey({ nearAccountId, options });

/** The other browser makes a passkey for the account, and the wallet's own key adds it. */
const adopt = (other: Wallet, wallet: Wallet) =>
  other.manager.adoptAccount({
    accountId: wallet.accountId,
    addKey: async ({ receiverId, publicKey }: KeyToAdd) => {
      const { success, error } = await wallet.execute(receiverId, {
        type: 'AddKey',
        publicKey,
        accessKey: { permission: 'FullAccess' },
      });
      if (!success) throw new Error(error);
    },
  });

test('before its first money each says what it needs, without a prompt', async ({ wallet, open }) => {
  await prove(wallet);
  const prompts = wallet.prompts.length;
  const unfunded = { success: false, errorCode: 'ACCOUNT_UNFUNDED' };
  expect(await addAppKey(wallet)).toMatchObject(unfunded);
  expect(await addPhrase(wallet)).toMatchObject(unfunded);
  expect(wallet.facade.paper.written).toEqual([]);
  expect(wallet.prompts).toHaveLength(prompts);
  const other = await open();
  expect(await adopt(other, wallet)).toMatchObject(unfunded);
  expect(other.prompts).toEqual([]);
  expect(await wallet.manager.getAppKeys(wallet.accountId)).toEqual([]);
});

test('its own device is listed before and after its first money, as one that the registry does not have', async ({
  wallet,
  stack,
}) => {
  await prove(wallet);
  const devices = async () => wallet.manager.getLinkedDevices(wallet.accountId);
  const own = { deviceNumber: 1, isCurrent: true, isUnrecorded: true };
  expect(await devices()).toMatchObject({ devices: [{ ...own, accessKey: null }], otherKeys: [] });
  await fund(wallet, stack);
  const [accessKey] = await stack.oracle.fullAccessKeys(wallet.accountId);
  expect(await devices()).toMatchObject({ devices: [{ ...own, accessKey }], otherKeys: [] });
  expect(await wallet.manager.registerDevice(wallet.accountId)).toMatchObject({ success: true });
  const { devices: recorded, otherKeys } = await devices();
  expect(recorded).toMatchObject([{ deviceNumber: 1, isCurrent: true, accessKey }]);
  expect(recorded[0]).not.toHaveProperty('isUnrecorded');
  expect(otherKeys).toEqual([]);
});

test('with money, an app key works without a record', async ({ wallet, stack }) => {
  await stack.oracle.deployApp();
  await fund(wallet, stack);
  const { success, publicKey } = await addAppKey(wallet);
  expect(success).toBe(true);
  const { manager, accountId: nearAccountId } = wallet;
  const call = {
    nearAccountId,
    receiverId: APP,
    methodName: 'set_greeting',
    args: { greeting: 'hi' },
    options,
  };
  expect(await manager.callWithAppKey(call)).toMatchObject({ success: true });
  expect(await manager.getAppKeys(nearAccountId)).toMatchObject([{ publicKey }]);
  expect(await manager.revokeAppKey({ nearAccountId, publicKey: publicKey ?? '', options })).toMatchObject({
    success: true,
  });
});

test('with money, a phrase is added without a record, and opens the account for another passkey', async ({
  wallet,
  stack,
  open,
}) => {
  await fund(wallet, stack);
  expect(await addPhrase(wallet)).toMatchObject({ success: true });
  const [words = ''] = wallet.facade.paper.written;
  const other = await open();
  other.facade.paper.typed = words;
  expect(await other.manager.recoverWithPhrase({ nearAccountId: wallet.accountId })).toMatchObject({
    success: true,
    nearAccountId: wallet.accountId,
    deviceNumber: 1,
  });
  other.accountId = wallet.accountId;
  expect(await send(other, someone())).toMatchObject({ success: true });
  // Now the account has a record, and not of the first passkey: what that one approves counts when it has its own.
  const before = wallet.calls('send_tx');
  expect(await send(wallet, someone())).toMatchObject({ success: false, errorCode: 'PASSKEY_NOT_RECORDED' });
  expect(wallet.calls('send_tx')).toBe(before);
  expect(await wallet.manager.registerDevice(wallet.accountId)).toMatchObject({
    success: true,
    deviceNumber: 2,
  });
  expect(await send(wallet, someone())).toMatchObject({ success: true });
});

test('with money, a new passkey is added by the account itself, and that passkey recovers the account', async ({
  wallet,
  stack,
  open,
}) => {
  await fund(wallet, stack);
  const other = await open();
  expect(await adopt(other, wallet)).toMatchObject({
    success: true,
    nearAccountId: wallet.accountId,
    deviceNumber: 1,
    isLoggedIn: true,
  });
  other.accountId = wallet.accountId;
  expect(await send(other, someone())).toMatchObject({ success: true });
  other.clearSiteData();
  expect(await other.manager.recoverAccount()).toMatchObject({ success: true, accountId: wallet.accountId });
  expect(await send(other, someone())).toMatchObject({ success: true });
  expect(await wallet.manager.registerDevice(wallet.accountId)).toMatchObject({
    success: true,
    deviceNumber: 2,
  });
});

test('a delegate is signed with money alone; a list of devices names the key of no device', async ({
  wallet,
  stack,
}) => {
  const { accountId: nearAccountId, manager } = wallet;
  const delegate = () =>
    manager.signDelegateAction({ nearAccountId, receiverId: APP, actions: greetingOf('hello') });
  expect(await delegate()).toMatchObject({ success: false, errorCode: 'ACCOUNT_UNFUNDED' });
  await fund(wallet, stack);
  expect(await delegate()).toMatchObject({ success: true });
  expect(await manager.getLinkedDevices(nearAccountId)).toMatchObject({
    devices: [{ isUnrecorded: true }],
    otherKeys: [],
  });
});
