import { DEFAULT_CONFIRMATION } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createReactConfirmer } from '../confirm/react-confirmer.js';
import { LinkDeviceQr } from '../link-device/link-device-qr.js';
import { LinkedDevicesModal } from '../linked-devices/linked-devices.js';
import { LoginMenu } from '../login-menu/login-menu.js';
import { ProfileButton } from '../profile/profile-button.js';
import { QRCodeScanner } from '../scanner/qr-code-scanner.js';
import { TransactionSettings } from '../settings/transaction-settings.js';
import { showQrToCamera, unplugCamera } from '../testing/camera.js';
import { asking, dialog, flow, gone, transfer } from '../testing/confirmation.js';
import { devicesOf } from '../testing/devices.js';
import { emulateMedia } from '../testing/emulate-media.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';

const emulate = (value: 'active' | 'none') => emulateMedia('forced-colors', value);
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
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

/** The matching parts of the kit's shadow trees. */
const drawn = (selector: string): Element[] =>
  [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => [
    ...(shadowRoot?.querySelectorAll(selector) ?? []),
  ]);

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

describe('in forced colours, the keyboard’s place is drawn (core 2, kit 2)', () => {
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
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue(DEFAULT_CONFIRMATION);
    render(manager, <TransactionSettings isOpen onClose={nothing} />);
    await expect.element(page.getByLabelText('Theme')).toBeEnabled();
    const { reached, ringless } = await walk('Tab', 8);
    expect(reached).toBeGreaterThan(3);
    expect(ringless).toEqual([]);
  });

  it('in the linked devices', async () => {
    const manager = managerOf(ALICE);
    vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(devicesOf(ALICE, 1, 2));
    render(manager, <LinkedDevicesModal isOpen accountId={ALICE} onClose={nothing} />);
    await expect.element(page.getByRole('heading', { name: 'Device 2' })).toBeVisible();
    const { reached, ringless } = await walk('Tab', 6);
    expect(reached).toBeGreaterThan(2);
    expect(ringless).toEqual([]);
    // This device looks different from the others, and each key has an edge.
    const edgeOf = (selector: string) => getComputedStyle(drawn(selector)[0] as Element);
    expect(edgeOf('.row[data-current]').borderTopColor).not.toBe(
      edgeOf('.row:not([data-current])').borderTopColor,
    );
    expect(edgeOf('.key.link').borderTopStyle).toBe('solid');
  });

  it('in the scanner, whose picture, frame and time left stand out', async () => {
    await showQrToCamera('');
    render(managerOf(ALICE), <QRCodeScanner isOpen onScan={nothing} onClose={nothing} />);
    await expect.element(page.getByText('Scanning...'), { timeout: 10_000 }).toBeVisible();
    expect((await walk('Tab', 3)).ringless).toEqual([]);
    const [stage, left] = ['.stage', '.left'].flatMap(drawn).map((part) => getComputedStyle(part));
    expect(stage?.borderTopStyle).toBe('solid');
    expect(left?.backgroundColor).not.toBe(stage?.backgroundColor);
    const corners = drawn('.frame i').map((corner) => getComputedStyle(corner));
    for (const { borderColor } of corners) expect(borderColor).not.toBe(stage?.backgroundColor);
    expect(corners.length).toBe(4);
  });

  it('in the scanner without a camera, where the failure and its two buttons have an edge', async () => {
    await unplugCamera();
    render(managerOf(ALICE), <QRCodeScanner isOpen onScan={nothing} onClose={nothing} />);
    await expect.element(page.getByRole('button', { name: 'Try Again' }), { timeout: 10_000 }).toBeVisible();
    // Twice around: the focus goes to Try Again once it is drawn, which may be in the middle of the first.
    const { reached, ringless } = await walk('Tab', 8);
    expect(reached).toBe(4);
    expect(ringless).toEqual([]);
    const edges = drawn('.button, .badge').map((part) => getComputedStyle(part).borderTopStyle);
    expect(edges).toEqual(['solid', 'solid', 'solid']);
  });
});

it('a code that is scanned stays black on white in forced colours', async () => {
  const manager = managerOf(null);
  const shown = { qrCodeDataURL: PIXEL, checkCode: 'ABCD2345EFGH6723', expiresAt: Date.now() + 60_000 };
  vi.spyOn(manager, 'startDevice2LinkingFlow').mockResolvedValue(shown as never);
  vi.spyOn(manager, 'stopDevice2LinkingFlow').mockResolvedValue(undefined as never);
  render(manager, <LinkDeviceQr onClose={nothing} />);
  await expect.element(page.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
  expect(getComputedStyle(drawn('.paper')[0] as Element).backgroundColor).toBe('rgb(255, 255, 255)');
});
