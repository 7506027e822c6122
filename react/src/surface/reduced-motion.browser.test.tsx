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
import { showQrToCamera } from '../testing/camera.js';
import { asking, dialog, flow, gone, transfer } from '../testing/confirmation.js';
import { devicesOf } from '../testing/devices.js';
import { emulateMedia } from '../testing/emulate-media.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';

/** What a user sees as immediate. */
const AT_ONCE_S = 0.001;
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
const nothing = (): void => undefined;
const never = new Promise<never>(() => undefined);

const emulate = (value: 'reduce' | 'no-preference') => emulateMedia('prefers-reduced-motion', value);

beforeEach(() => emulate('reduce'));
afterEach(async () => {
  unmount();
  vi.restoreAllMocks();
  await emulate('no-preference');
});

/** Every element of the kit's shadow trees. */
const drawn = (root: ParentNode = document): Element[] =>
  [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [...shadowRoot.querySelectorAll('*'), ...drawn(shadowRoot)] : [],
  );

const longest = (durations: string): number => Math.max(...durations.split(', ').map(Number.parseFloat));

/** What fades, glides or turns smoothly: parts of the kit by their names. */
function moving(): string[] {
  const parts = drawn().flatMap((element) =>
    [null, '::before', '::after'].map((part) => ({ element, part, style: getComputedStyle(element, part) })),
  );
  return parts
    .filter(({ style }) => {
      const glides = longest(style.transitionDuration) > AT_ONCE_S;
      const runs = style.animationName !== 'none' && longest(style.animationDuration) > AT_ONCE_S;
      return glides || (runs && !style.animationTimingFunction.startsWith('steps'));
    })
    .map(({ element, part }) => `${element.localName}.${element.className}${part ?? ''}`);
}

describe('for a user who wants less motion, nothing moves or fades (kit 2)', () => {
  it('in the login menu, and while it waits, where a sign turns in steps', async () => {
    const manager = managerOf(null);
    vi.spyOn(manager, 'loginPasskey').mockImplementation((_, { onEvent } = {}) => {
      onEvent?.({ flow: 'login', step: 2, message: '', phase: 'webauthn-assertion', status: 'progress' });
      return never;
    });
    vi.spyOn(manager, 'hasPasskeyCredential').mockResolvedValue(true);
    vi.spyOn(manager, 'getRecentLogins').mockResolvedValue({
      accountIds: [ALICE],
      lastUsedAccountId: { nearAccountId: ALICE, deviceNumber: 1 },
    });
    render(manager, <LoginMenu defaultMode="login" />);
    await expect.element(page.getByRole('textbox')).toHaveValue('alice');
    expect(moving()).toEqual([]);
    await emulate('no-preference');
    expect(moving()).not.toEqual([]);
    await emulate('reduce');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.element(page.getByText('Waiting for Passkey…')).toBeVisible();
    expect(moving()).toEqual([]);
    const signs = drawn().filter(({ className }) => className === 'arc');
    expect(signs.map((sign) => getComputedStyle(sign).animationIterationCount)).toEqual(['infinite']);
  });

  it('in the profile menu', async () => {
    render(managerOf(ALICE), <ProfileButton />);
    await page.getByRole('button', { name: 'alice' }).click();
    await expect.element(page.getByRole('menuitem').first()).toBeVisible();
    expect(moving()).toEqual([]);
  });

  it('in the code that links this device', async () => {
    const manager = managerOf(null);
    vi.spyOn(manager, 'startDevice2LinkingFlow').mockResolvedValue({
      flowId: 'flow',
      qrData: {} as never,
      qrCodeDataURL: PIXEL,
      checkCode: 'ABCD2345EFGH6723',
      expiresAt: Date.now() + 60_000,
    } as never);
    vi.spyOn(manager, 'stopDevice2LinkingFlow').mockResolvedValue(undefined as never);
    render(manager, <LinkDeviceQr onClose={nothing} />);
    await expect.element(page.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
    expect(moving()).toEqual([]);
  });

  it('in the scanner, whose line rests in the middle', async () => {
    await showQrToCamera('');
    render(managerOf(ALICE), <QRCodeScanner isOpen onScan={nothing} onClose={nothing} />);
    await expect.element(page.getByText('Scanning...'), { timeout: 10_000 }).toBeVisible();
    expect(moving()).toEqual([]);
    const line = drawn().find((element) => element.matches('.frame b')) as HTMLElement;
    const frame = line.parentElement as HTMLElement;
    await expect.poll(() => Math.abs(line.offsetTop - frame.clientHeight / 2)).toBeLessThan(2);
  });

  it('in the linked devices, and in the hint over a key', async () => {
    const manager = managerOf(ALICE);
    vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(devicesOf(ALICE, 1));
    render(manager, <LinkedDevicesModal isOpen accountId={ALICE} onClose={nothing} />);
    await expect.element(page.getByText('Device 1 · ')).toBeVisible();
    await userEvent.keyboard('{Tab}{Tab}');
    expect(moving()).toEqual([]);
  });

  it('in the settings', async () => {
    const manager = managerOf(ALICE);
    const preferences = { useRelayer: true, useNetwork: 'testnet' as const };
    vi.spyOn(manager, 'getUserPreferences').mockResolvedValue(preferences);
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue(DEFAULT_CONFIRMATION);
    render(manager, <TransactionSettings isOpen onClose={nothing} />);
    await expect.element(page.getByLabelText('Theme')).toBeEnabled();
    expect(moving()).toEqual([]);
    await emulate('no-preference');
    expect(moving()).not.toEqual([]);
  });

  it('in a confirmation', async () => {
    await createReactConfirmer().preload();
    const { show, end } = flow();
    const decision = show(asking([transfer('1')]));
    await expect.element(dialog).toBeVisible();
    expect(moving()).toEqual([]);
    end();
    expect(await decision).toBe('cancel');
    await gone();
  });
});
