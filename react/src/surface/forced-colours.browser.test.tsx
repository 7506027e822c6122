import type { LinkedDevices } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { createReactConfirmer } from '../confirm/react-confirmer.js';
import { LinkedDevicesModal } from '../linked-devices/linked-devices.js';
import { LoginMenu } from '../login-menu/login-menu.js';
import { ProfileButton } from '../profile/profile-button.js';
import { TransactionSettings } from '../settings/transaction-settings.js';
import { asking, dialog, flow, gone, KEY, transfer } from '../testing/confirmation.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';

const emulate = (value: 'active' | 'none') =>
  (cdp() as unknown as { send(method: string, params: unknown): Promise<void> }).send(
    'Emulation.setEmulatedMedia',
    { features: [{ name: 'forced-colors', value }] },
  );
const nothing = (): void => undefined;

beforeEach(() => emulate('active'));
afterEach(async () => {
  unmount();
  vi.restoreAllMocks();
  await emulate('none');
});

/** The element that has the focus, in whatever shadow tree it is. */
function focused(): Element | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found === document.body ? null : found;
}

/** Whether an outline is drawn around it, or around the part that stands for it. Shadows are not drawn in forced colours. */
function hasRing(element: Element): boolean {
  const parts = [element, element.nextElementSibling, element.closest('.field')];
  return parts.some((part) => {
    if (!part) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  });
}

/** Presses the key so often; returns the names of the controls that it came to, and of those that showed no ring. */
async function walk(key: string, times: number) {
  const reached = new Set<Element>();
  const ringless = new Set<string>();
  for (let presses = 0; presses < times; presses += 1) {
    await userEvent.keyboard(`{${key}}`);
    const at = focused();
    if (!at) continue;
    reached.add(at);
    if (!hasRing(at))
      ringless.add(`<${at.localName} class="${at.className}"> ${at.textContent?.slice(0, 40)}`);
  }
  return { reached: reached.size, ringless: [...ringless] };
}

describe('in forced colours, the keyboard’s place is drawn', () => {
  it('in the login menu', async () => {
    render(managerOf(null), <LoginMenu />);
    await expect.element(page.getByRole('textbox')).toBeVisible();
    const { reached, ringless } = await walk('Tab', 8);
    expect(reached).toBeGreaterThan(3);
    expect(ringless).toEqual([]);
  });

  it('in the profile menu', async () => {
    render(managerOf(ALICE), <ProfileButton />);
    await expect.element(page.getByRole('button', { name: 'alice' })).toBeVisible();
    (page.getByRole('button', { name: 'alice' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('menuitem').first()).toBeVisible();
    const { reached, ringless } = await walk('ArrowDown', 6);
    expect(reached).toBe(6);
    expect(ringless).toEqual([]);
  });

  it('in a confirmation, whose buttons have an edge', async () => {
    await createReactConfirmer().preload();
    const { show, end } = flow();
    const decision = show(asking([transfer('1')]));
    await expect.element(dialog).toBeVisible();
    const { reached, ringless } = await walk('Tab', 6);
    expect(reached).toBeGreaterThan(2);
    expect(ringless).toEqual([]);
    const edges = dialog
      .getByRole('button')
      .elements()
      .filter((button) => button.classList.contains('button'))
      .map((button) => getComputedStyle(button).borderTopStyle);
    expect(new Set(edges)).toEqual(new Set(['solid']));
    end();
    expect(await decision).toBe('cancel');
    await gone();
  });

  it('in the settings', async () => {
    const manager = managerOf(ALICE);
    const preferences = { useRelayer: true, useNetwork: 'testnet' as const };
    vi.spyOn(manager, 'getUserPreferences').mockResolvedValue(preferences);
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue({
      uiMode: 'modal',
      behavior: 'autoProceed',
      autoProceedDelayMs: 500,
      theme: 'dark',
    });
    render(manager, <TransactionSettings isOpen onClose={nothing} />);
    await expect.element(page.getByLabelText('Theme')).toBeEnabled();
    const { reached, ringless } = await walk('Tab', 8);
    expect(reached).toBeGreaterThan(3);
    expect(ringless).toEqual([]);
  });

  it('in the linked devices', async () => {
    const manager = managerOf(ALICE);
    const list: LinkedDevices = {
      accountId: ALICE,
      devices: [1, 2].map((deviceNumber) => ({
        deviceNumber,
        name: `Device ${deviceNumber}`,
        credentialId: String(deviceNumber),
        registeredAt: 1,
        accessKey: KEY,
        registeredKey: KEY,
        isCurrent: deviceNumber === 1,
      })),
      temporaryKeys: [],
      otherKeys: [],
    };
    vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(list);
    render(manager, <LinkedDevicesModal isOpen accountId={ALICE} onClose={nothing} />);
    await expect.element(page.getByText('Device 2')).toBeVisible();
    const { reached, ringless } = await walk('Tab', 6);
    expect(reached).toBeGreaterThan(2);
    expect(ringless).toEqual([]);
  });
});
