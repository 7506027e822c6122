import axe from 'axe-core';
import type { LinkedDevices, PasskeyBackup, UserData } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { devicesOf } from '../testing/devices.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { BackupReminder } from './backup-reminder.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const WEEK_MS = 7 * 86_400_000;
const NAMELESS = '719b4e63edac30d60c93c5575586716744a1d376bd504b38185c76f7b889b415';
const alone = devicesOf(ALICE, 1);
const reminder = page.getByRole('status', { name: 'A second way in' });
const onLinkDevice = vi.fn();

/** The reminder over an account with these devices, whose passkey says this. */
function show(
  passkeyBackup: PasskeyBackup | undefined,
  list: LinkedDevices = alone,
  manager = managerOf(),
  accountId = ALICE,
) {
  const userData = {
    nearAccountId: accountId,
    deviceNumber: 1,
    preferences: { useRelayer: false, useNetwork: 'testnet' },
    ...(passkeyBackup && { passkeyBackup }),
  } as UserData;
  vi.spyOn(manager, 'getLoginState').mockImplementation(async () => ({
    isLoggedIn: true,
    nearAccountId: accountId,
    publicKey: KEY,
    vrfActive: true,
    userData,
  }));
  const getLinkedDevices = vi.fn(async () => list);
  Object.assign(manager, { getLinkedDevices });
  render(
    manager,
    <>
      <BackupReminder onLinkDevice={onLinkDevice} />
      <p>The page</p>
    </>,
  );
  return getLinkedDevices;
}

/** Expects no reminder once the login state has been read. */
async function showsNothing(getLinkedDevices: ReturnType<typeof show>, reads: boolean): Promise<void> {
  await expect.element(page.getByText('The page')).toBeVisible();
  if (reads) await expect.poll(() => getLinkedDevices.mock.calls.length).toBeGreaterThan(0);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(reminder.query()).toBeNull();
  if (!reads) expect(getLinkedDevices).not.toHaveBeenCalled();
}

beforeEach(() => {
  localStorage.clear();
  onLinkDevice.mockClear();
});
afterEach(() => {
  unmount();
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('the reminder of a second way into the account', () => {
  it.each([
    ['device-bound', /The passkey of alice\.w3a-v1\.testnet cannot leave this device/],
    ['not-backed-up', /The passkey of alice\.w3a-v1\.testnet is not backed up/],
  ] as const)(
    'says what a passkey that is %s means, that the account is safe, and what to do',
    async (said, text) => {
      show(said);
      await expect.element(reminder).toHaveTextContent(text);
      await expect.element(reminder).toHaveTextContent(/Your account is safe\. If this device is lost/);
      await reminder.getByRole('button', { name: 'Link another device' }).click();
      expect(onLinkDevice).toHaveBeenCalledOnce();
      const { violations } = await axe.run((reminder.element().getRootNode() as ShadowRoot).host, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
      });
      expect(violations.map(({ id }) => id)).toEqual([]);
    },
  );

  it('makes a recovery phrase where the wallet may show one, and then goes away', async () => {
    const manager = managerOf(ALICE, { keyExport: { sameOrigin: true } });
    const list = { ...alone };
    const add = vi.spyOn(manager, 'addRecoveryKey').mockImplementation(async () => {
      list.otherKeys = [`${KEY}2`];
      return { success: true, transactionId: null, result: null, publicKey: `${KEY}2` };
    });
    add.mockResolvedValueOnce({
      success: false,
      error: 'The words open nothing',
      errorCode: 'RECOVERY_KEY_NOT_ADDED',
      transactionId: null,
      result: null,
      publicKey: `${KEY}1`,
    });
    show('device-bound', list, manager);
    const make = reminder.getByRole('button', { name: 'Make a recovery phrase' });
    await make.click();
    await expect
      .element(reminder.getByRole('alert'))
      .toHaveTextContent('The words that you wrote down open nothing');
    await make.click();
    await expect.poll(() => reminder.query()).toBeNull();
    expect(add.mock.calls.map(([{ nearAccountId }]) => nearAccountId)).toEqual([ALICE, ALICE]);
  });

  it('has no phrase to offer in a page whose scripts could read it', async () => {
    show('device-bound');
    await expect.element(reminder).toBeVisible();
    expect(reminder.getByRole('button', { name: 'Make a recovery phrase' }).query()).toBeNull();
  });

  it('is not shown, and the chain not asked, for a passkey that is backed up or has not said', async () => {
    await showsNothing(show('backed-up'), false);
    unmount();
    await showsNothing(show(undefined), false);
  });

  it('is shown for an account without a name with money, although its passkey is backed up', async () => {
    const list = devicesOf(NAMELESS, 1);
    show('backed-up', list, managerOf(NAMELESS), NAMELESS);
    await expect.element(reminder).toHaveTextContent(/Nothing but its passkey opens 719b/);
    await expect.element(reminder).toHaveTextContent(/If the passkey is lost or deleted/);
    await expect.element(reminder.getByRole('button', { name: 'Link another device' })).toBeVisible();
    unmount();
    // Linking needs a record.
    const devices = list.devices.map((each) => ({ ...each, isUnrecorded: true }));
    show('backed-up', { ...list, devices }, managerOf(NAMELESS), NAMELESS);
    await expect.element(reminder).toBeVisible();
    expect(reminder.getByRole('button', { name: 'Link another device' }).query()).toBeNull();
    unmount();
    // Before its first money it has no key on the chain.
    const unfunded = { ...list, devices: devices.map((each) => ({ ...each, accessKey: null })) };
    await showsNothing(show('backed-up', unfunded, managerOf(NAMELESS), NAMELESS), true);
  });

  it('is not shown with a second device, nor with a key of another wallet', async () => {
    await showsNothing(show('device-bound', devicesOf(ALICE, 1, 2)), true);
    unmount();
    await showsNothing(show('device-bound', { ...alone, otherKeys: [`${KEY}2`] }), true);
  });

  it('is shown although a second device is listed whose key is off the account', async () => {
    const two = devicesOf(ALICE, 1, 2);
    const devices = two.devices.map((each) => (each.isCurrent ? each : { ...each, accessKey: null }));
    show('device-bound', { ...two, devices });
    await expect.element(reminder).toBeVisible();
  });

  it('stays away for a week after Later, also across a reload, and then comes back', async () => {
    show('device-bound');
    await reminder.getByRole('button', { name: 'Later' }).click();
    await expect.poll(() => reminder.query()).toBeNull();
    unmount();
    await showsNothing(show('device-bound'), false);
    unmount();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + WEEK_MS + 60_000);
    show('device-bound');
    await expect.element(reminder).toBeVisible();
  });
});
