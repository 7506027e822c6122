import type { LinkedDevice, LinkedDevices } from 'latchkey';
import { errorFrom } from 'latchkey/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { DEVICE_NAMES_KEY } from './device-names.js';
import { LinkedDevicesModal } from './linked-devices.js';

const OWN = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const OTHER = 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp';
const LEFTOVER = 'ed25519:GHpLRXN1sMpy4GE3rLHgUT5Y5JTAJrdTTfNEtLMY1Dpj';

const listed: LinkedDevices = {
  accountId: ALICE,
  devices: [
    {
      deviceNumber: 2,
      name: 'Device 2',
      credentialId: 'b',
      registeredAt: Date.UTC(2026, 4, 6, 12),
      accessKey: OWN,
      registeredKey: OWN,
      isCurrent: true,
    },
    {
      deviceNumber: 1,
      name: 'Device 1',
      credentialId: 'a',
      registeredAt: Date.UTC(2026, 3, 2, 9),
      accessKey: OTHER,
      registeredKey: OTHER,
      isCurrent: false,
    },
  ],
  temporaryKeys: [],
  otherKeys: [],
};

const getLinkedDevices = vi.fn(async (_accountId: string) => listed);
const deleteDeviceKey = vi.fn(async (_accountId: string, _key: string, _options: object) => ({
  success: true,
  transactionId: 'tx',
  result: null,
}));
const onClose = vi.fn();
const onAdd = vi.fn();
const dialog = page.getByRole('dialog', { name: 'Linked Devices' });
const rows = dialog.getByRole('listitem');
const copyable = dialog.getByRole('button', { name: 'Copy its key' });
const tooltip = dialog.getByText('Click to copy');
const shown = (locator: typeof tooltip) => () => getComputedStyle(locator.element()).opacity;

const removal = (name: string) => dialog.getByRole('button', { name: `Remove ${name}` });
const sure = dialog.getByRole('group', { name: /^Remove / });
async function remove(name: string) {
  await removal(name).click();
  await sure.getByRole('button', { name: 'Remove', exact: true }).click();
}

function show() {
  const manager = managerOf();
  Object.assign(manager, { getLinkedDevices, deleteDeviceKey });
  const registerDevice = vi.spyOn(manager, 'registerDevice');
  const modal = (isOpen: boolean) =>
    render(manager, <LinkedDevicesModal isOpen={isOpen} accountId={ALICE} onAdd={onAdd} onClose={onClose} />);
  onClose.mockImplementation(() => modal(false));
  modal(true);
  return registerDevice;
}

let outside: HTMLButtonElement;
beforeEach(() => {
  outside = document.createElement('button');
  outside.textContent = 'Outside';
  document.body.append(outside);
  outside.focus();
});
afterEach(() => {
  unmount();
  outside.remove();
  getLinkedDevices.mockReset().mockResolvedValue(listed);
  deleteDeviceKey.mockReset().mockResolvedValue({ success: true, transactionId: 'tx', result: null });
  onClose.mockReset();
  onAdd.mockReset();
  localStorage.removeItem(DEVICE_NAMES_KEY);
  vi.restoreAllMocks();
});

describe('the list of devices (kit 2)', () => {
  it('lists this device first, by its browser, and says when each was added', async () => {
    vi.spyOn(Date.prototype, 'getFullYear').mockReturnValue(2026);
    show();
    await expect.element(rows.first().getByRole('heading')).toHaveTextContent(/Chrome on \w+ This device/);
    await expect.element(rows.first().getByText(/^Device 2 · Added /)).toBeVisible();
    await expect.element(rows.nth(1).getByRole('heading')).toHaveTextContent('Device 1');
    await expect.element(rows.nth(1).getByText(/^Added (Apr 2|2 Apr)$/)).toBeVisible();
    await expect
      .element(rows.nth(1).getByText('This browser doesn’t know which device it is.'))
      .toBeVisible();
    expect(getLinkedDevices).toHaveBeenCalledWith(ALICE);
  });

  it('has the number, the time and the key of each under Details', async () => {
    show();
    const key = rows.first().getByText(OWN);
    await expect.element(key).toBeInTheDocument();
    expect(key.element().checkVisibility()).toBe(false);
    await rows.first().getByText('Details').click();
    await expect.element(key).toBeVisible();
    await expect.element(rows.first().getByText('Device 2 (current device)')).toBeVisible();
    await rows.nth(1).getByText('Details').click();
    await expect.element(rows.nth(1).getByText(/^Registered: .*2026/)).toBeVisible();
    await expect.element(rows.nth(1).getByText(OTHER)).toBeVisible();
  });

  it('keeps the name of a passkey that this browser used, and believes no other', async () => {
    const [own, other] = listed.devices as [LinkedDevice, LinkedDevice];
    show();
    await expect.element(rows.first().getByRole('heading')).toHaveTextContent(/Chrome on/);
    unmount();
    getLinkedDevices.mockResolvedValue({
      ...listed,
      devices: [
        { ...other, isCurrent: true },
        { ...own, isCurrent: false },
        { ...other, deviceNumber: 3, credentialId: 'toString' },
      ],
    });
    show();
    await expect.element(rows.nth(1).getByRole('heading')).toHaveTextContent(/^Chrome on \w+$/);
    await expect.element(rows.nth(2).getByRole('heading')).toHaveTextContent(/^Device 3$/);
  });

  it('offers to add a device, and says calmly why where there is only one', async () => {
    show();
    const only = dialog.getByText('This is your only device');
    await expect.element(rows.first()).toBeVisible();
    expect(only.query()).toBeNull();
    unmount();
    getLinkedDevices.mockResolvedValue({ ...listed, devices: listed.devices.slice(0, 1) });
    show();
    await expect.element(only).toBeVisible();
    await dialog.getByRole('button', { name: 'Add a device' }).click();
    expect(onAdd).toHaveBeenCalledTimes(1);
  });

  it('copies the access key on click and shows that for 3 seconds', async () => {
    const write = vi.spyOn(Clipboard.prototype, 'writeText').mockResolvedValue();
    show();
    let clickedAt = 0;
    addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), { capture: true, once: true });
    await copyable.click();
    expect(write).toHaveBeenCalledWith(OWN);
    const copied = dialog.getByRole('status').filter({ hasText: 'Copied' });
    await expect.element(copied).toBeInTheDocument();
    await expect.poll(shown(tooltip)).toBe('0');
    await expect.element(copied, { timeout: 6000 }).not.toBeInTheDocument();
    expect(performance.now() - clickedAt).toBeGreaterThan(2500);
  });

  it('shows for 2 seconds that a click copies', async () => {
    show();
    await expect.element(copyable).toBeVisible();
    await userEvent.hover(dialog.getByRole('heading', { name: 'Linked Devices' }));
    await userEvent.hover(copyable);
    await expect.poll(shown(tooltip)).toBe('1');
    await expect.poll(shown(tooltip), { timeout: 5000 }).toBe('0');
  });

  it('says that a key could not be copied', async () => {
    vi.spyOn(Clipboard.prototype, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    show();
    await copyable.click();
    await expect.element(rows.first().getByRole('status')).toHaveTextContent('does not allow copying');
  });

  it('says that there are no devices', async () => {
    getLinkedDevices.mockResolvedValue({ ...listed, devices: [] });
    show();
    await expect.element(dialog.getByText('No authenticators found.')).toBeVisible();
  });

  it.each([
    [
      errorFrom({ code: 'AUTHENTICATORS_FAILED', message: 'Failed to load authenticators' }),
      'Your devices couldn’t be loaded.',
    ],
    [new Error('The chain is away'), 'Something went wrong.'],
  ])('shows why it could not be read (%s) and tries again', async (error, text) => {
    getLinkedDevices.mockRejectedValue(error);
    show();
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(text);
    getLinkedDevices.mockResolvedValue(listed);
    await dialog.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(rows.first()).toBeVisible();
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
  });

  it('removes another device, never this one, and reads the list again', async () => {
    show();
    await expect.element(rows.nth(1)).toBeVisible();
    expect(dialog.getByRole('button', { name: /^Remove/ }).elements()).toHaveLength(1);
    getLinkedDevices.mockResolvedValue({ ...listed, devices: listed.devices.slice(0, 1) });
    await removal('Device 1').click();
    await expect.element(sure).toHaveTextContent(/^Remove Device 1\? It can no longer open this account\./);
    const keep = sure.getByRole('button', { name: 'Keep it' });
    await expect.poll(() => keep.element().matches(':focus')).toBe(true);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => removal('Device 1').element().matches(':focus')).toBe(true);
    expect(deleteDeviceKey).not.toHaveBeenCalled();
    await remove('Device 1');
    await expect.poll(() => rows.elements().length).toBe(1);
    expect(deleteDeviceKey.mock.calls[0]?.slice(0, 2)).toEqual([ALICE, OTHER]);
    const said = dialog.getByRole('status').getByRole('heading', { name: 'Device 1 was removed.' });
    await expect.poll(() => said.element().matches(':focus')).toBe(true);
  });

  it('shows why a device was not removed', async () => {
    deleteDeviceKey.mockResolvedValue({
      success: false,
      error: 'Cannot delete the last access key from an account',
      errorCode: 'LAST_ACCESS_KEY',
    } as never);
    show();
    await remove('Device 1');
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('This is the last key of your account.');
    await expect.poll(() => rows.elements().length).toBe(2);
    expect(dialog.getByText('was removed').query()).toBeNull();
  });

  it('shows keys that belong to no device, and removes a temporary one', async () => {
    getLinkedDevices.mockResolvedValue({
      ...listed,
      temporaryKeys: [{ publicKey: LEFTOVER, dueAt: null }],
      otherKeys: [`${OTHER.slice(0, -1)}q`],
    });
    show();
    await expect.element(rows.nth(2)).toHaveTextContent('Left over from linking');
    await expect.element(rows.nth(3)).toHaveTextContent('Other key');
    await remove('Temporary key');
    await expect.poll(() => deleteDeviceKey.mock.calls[0]?.[1]).toBe(LEFTOVER);
  });

  it('shows a linking in progress with nothing to press, until its time is over', async () => {
    const linking = (dueAt: number): LinkedDevices => ({
      ...listed,
      temporaryKeys: [{ publicKey: LEFTOVER, dueAt }],
    });
    getLinkedDevices.mockImplementation(async () => linking(dueAt));
    const dueAt = Date.now() + 3000;
    show();
    await expect.element(rows.nth(2)).toHaveTextContent(/^A device is being added/);
    expect(rows.nth(2).getByRole('button').elements()).toEqual([]);
    await expect.element(rows.nth(2)).toHaveTextContent('Left over from linking');
    await expect.element(removal('Temporary key')).toBeVisible();
  });

  it('names the key of a recovery phrase that this device made', async () => {
    getLinkedDevices.mockResolvedValue({ ...listed, otherKeys: [LEFTOVER, OTHER], recoveryKeys: [LEFTOVER] });
    show();
    await expect.element(rows.nth(2)).toHaveTextContent(/Recovery key.*twelve words open the account/);
    await expect.element(rows.nth(3)).toHaveTextContent('Other key');
    await remove('Recovery key');
    await expect.poll(() => deleteDeviceKey.mock.calls[0]?.[1]).toBe(LEFTOVER);
  });

  it('says what a gas key holds, and offers no removal of a key by its hash', async () => {
    const hash = 'ml-dsa-65-hash:4ymxdgK8bpfAoDB4Ei2rwLdL3hqnMvC7eJ1pTgWzZ5Y9';
    const gasKey = {
      publicKey: LEFTOVER,
      balanceYocto: `5${'0'.repeat(23)}`,
      lanes: 4,
      receiverId: null,
    };
    getLinkedDevices.mockResolvedValue({ ...listed, otherKeys: [LEFTOVER, hash], gasKeys: [gasKey] });
    show();
    await expect
      .element(rows.nth(2))
      .toHaveTextContent(/Pays network fees with 0\.5 NEAR of its own\. Lanes: 4/);
    await expect.element(rows.nth(3)).toHaveTextContent('Post-quantum key');
    expect(
      rows
        .nth(3)
        .getByRole('button', { name: /^Remove / })
        .elements(),
    ).toEqual([]);
    await remove('Other key');
    await expect.poll(() => deleteDeviceKey.mock.calls[0]?.[1]).toBe(LEFTOVER);
  });

  it('says that no contract checks a passkey without a record, and has it registered instead of linking another', async () => {
    const [current, ...others] = listed.devices;
    if (!current) throw new Error('there is no current device');
    const list = { ...listed, devices: [{ ...current, isUnrecorded: true }, ...others] };
    getLinkedDevices.mockResolvedValue(list);
    const registerDevice = show();
    await expect.element(rows.nth(0)).toHaveTextContent('No contract checks this passkey yet');
    await expect.element(dialog.getByRole('button', { name: 'Add a device' })).not.toBeInTheDocument();
    const register = rows.nth(0).getByRole('button', { name: 'Register this passkey' });
    const failed = { success: false, error: 'x', transactionId: null };
    registerDevice.mockResolvedValueOnce({
      ...failed,
      errorCode: 'INSUFFICIENT_BALANCE',
      result: null,
      deviceNumber: null,
    });
    await register.click();
    await expect.element(rows.nth(0).getByRole('alert')).toBeVisible();
    getLinkedDevices.mockResolvedValue(listed);
    registerDevice.mockResolvedValueOnce({
      success: true,
      transactionId: null,
      result: null,
      deviceNumber: 1,
    });
    await register.click();
    await expect.element(rows.nth(0)).not.toHaveTextContent('No contract checks');
    expect(registerDevice.mock.calls.map(([id]) => id)).toEqual([ALICE, ALICE]);
    await expect.element(dialog.getByRole('button', { name: 'Add a device' })).toBeVisible();
  });

  it('lists a gas key for calls with its contract and what is left, and removes it', async () => {
    const gasKey = { publicKey: LEFTOVER, balanceYocto: `5${'0'.repeat(23)}`, lanes: 4 };
    getLinkedDevices.mockResolvedValue({ ...listed, gasKeys: [{ ...gasKey, receiverId: 'game.testnet' }] });
    show();
    const row = rows.nth(2);
    await expect.element(row).toHaveTextContent('App access, paid in advance');
    // It has no full access, and stands under no heading that says so.
    await expect.element(dialog.getByText('Other keys with full access')).not.toBeInTheDocument();
    await expect.element(row).toHaveTextContent(/Calls game\.testnet, and nothing else\./);
    await expect.element(row).toHaveTextContent(/Pays network fees with 0\.5 NEAR of its own/);
    await remove('App access, paid in advance');
    await expect.poll(() => deleteDeviceKey.mock.calls[0]?.[1]).toBe(LEFTOVER);
  });

  it('traps the focus, closes on Escape and returns the focus', async () => {
    show();
    await expect.element(rows.first()).toBeVisible();
    for (let press = 0; press < 10; press++) {
      await userEvent.tab();
      expect(document.activeElement?.localName).toBe('latchkey-devices');
    }
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.querySelector('latchkey-devices')).toBeNull();
    expect(document.activeElement).toBe(outside);
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
