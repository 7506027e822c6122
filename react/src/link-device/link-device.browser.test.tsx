import type { FlowEvent, LatchkeyErrorCode, PasskeyManager } from 'latchkey';
import { errorFrom } from 'latchkey/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { LinkDeviceQr, type LinkDeviceQrProps } from './link-device-qr.js';

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

/** Device2's flow, driven by the test. */
interface Flow {
  options: NonNullable<Parameters<PasskeyManager['startDevice2LinkingFlow']>[0]>;
  shown: () => void;
  emit: (phase: FlowEvent<'linking'>['phase'], message?: string, status?: FlowEvent['status']) => void;
  fail: (code: string, message: string) => void;
}

let flows: Flow[];
const stop = vi.fn(async () => undefined);
const onClose = vi.fn<LinkDeviceQrProps['onClose']>();
const onError = vi.fn();
const onLinked = vi.fn();
const STEP = { 'qr-code-generated': 1, scanning: 2, authorization: 3, polling: 4, 'addkey-detected': 5 };

function show(over: Partial<LinkDeviceQrProps> & { expiresInMs?: number } = {}) {
  const { expiresInMs = 15 * 60_000, ...props } = over;
  const manager = managerOf(null);
  Object.assign(manager, {
    stopDevice2LinkingFlow: stop,
    startDevice2LinkingFlow: (options: Flow['options']) =>
      new Promise((resolve) => {
        flows.push({
          options,
          shown: () =>
            resolve({
              flowId: 'flow',
              qrData: {},
              qrCodeDataURL: PIXEL,
              checkCode: 'ABCD2345EFGH6723',
              expiresAt: Date.now() + expiresInMs,
            }),
          emit: (phase, message = 'a message', status = 'progress') =>
            options.onEvent?.({
              flow: 'linking',
              step: { 'linking-complete': 7, registration: 6, ...STEP }[phase as 'scanning'] ?? 0,
              phase,
              status,
              message,
            }),
          fail: (code, message) => options.onError?.(errorFrom({ code: code as LatchkeyErrorCode, message })),
        });
      }),
  });
  render(manager, <LinkDeviceQr onClose={onClose} onError={onError} onLinked={onLinked} {...props} />);
  return manager;
}

async function flow(number = 0): Promise<Flow> {
  await expect.poll(() => flows.length).toBeGreaterThan(number);
  return flows[number] as Flow;
}

const image = page.getByRole('img', { name: 'QR code that links this device' });
const status = page.getByRole('status');
const checkCode = page.getByText('ABCD 2345 EFGH 6723');
const scanned = page.getByRole('button', { name: 'It was scanned' });
const steps = () =>
  page
    .getByRole('list', { name: 'Steps' })
    .getByRole('listitem')
    .elements()
    .map((step) =>
      step.hasAttribute('data-done') ? 'done' : step.ariaCurrent ? `now: ${step.textContent}` : 'later',
    );

beforeEach(() => {
  flows = [];
  onClose.mockImplementation(() => unmount());
});
afterEach(() => {
  unmount();
  vi.clearAllMocks();
});

describe('the code that this device shows (core 2, frame 7, kit 2, kit 4)', () => {
  it('is announced while generated, then shown with instructions, the check code and the time left', async () => {
    show({ accountId: ALICE });
    await expect.element(status).toHaveTextContent('Generating QR code...');
    const { options, shown } = await flow();
    expect(options).toMatchObject({ accountId: ALICE, ui: 'inline' });
    shown();
    await expect.element(image).toBeVisible();
    await expect.element(page.getByText('Scan to backup your other device.')).toBeVisible();
    await expect.element(page.getByText('You’re adding this device.')).toBeVisible();
    await expect.element(status).toHaveTextContent('Waiting for your other device to scan');
    expect(checkCode.query()).toBeNull();
    await scanned.click();
    await expect.element(checkCode).toBeVisible();
    await expect.element(status).toHaveTextContent('Waiting for your other device to approve');
    const authorize = 'Authorize on your other device if it shows the same code.';
    await expect.element(page.getByText(authorize)).toBeVisible();
    await expect.element(page.getByRole('timer')).toHaveTextContent(/^(15:00|14:5\d)$/);
    expect(flows).toHaveLength(1);
  });

  it('leads through showing, approving and the passkey, and prepares for its prompt', async () => {
    show();
    const { shown, emit } = await flow();
    expect(steps()).toEqual(['now: Show the code', 'later', 'later']);
    shown();
    await expect.element(page.getByText('Keep this open; your passkey prompt follows.')).toBeVisible();
    await scanned.click();
    await expect.poll(steps).toEqual(['done', 'now: Approve on the other device', 'later']);
    emit('addkey-detected');
    await expect.poll(steps).toEqual(['done', 'done', 'now: Create the passkey']);
    expect(page.getByText('Keep this open').query()).toBeNull();
  });

  it('begins with the passkey where the account is known, and nothing follows the approval', async () => {
    show({ accountId: ALICE });
    const { shown, emit } = await flow();
    expect(steps()).toEqual(['now: Create the passkey', 'later', 'later']);
    shown();
    await expect.poll(steps).toEqual(['done', 'now: Show the code', 'later']);
    expect(page.getByText('Keep this open').query()).toBeNull();
    emit('addkey-detected');
    await expect.poll(steps).toEqual(['done', 'done', 'done']);
    await expect.element(checkCode).toBeVisible();
  });

  it('asks for the scan of a new code again', async () => {
    show();
    (await flow()).shown();
    await scanned.click();
    await expect.element(checkCode).toBeVisible();
    await page.getByRole('button', { name: 'Show a new code' }).click();
    (await flow(1)).shown();
    await expect.element(scanned).toBeVisible();
    expect(checkCode.query()).toBeNull();
  });

  it('counts down', async () => {
    show({ expiresInMs: 61_000 });
    (await flow()).shown();
    await expect.element(page.getByRole('timer')).toHaveTextContent(/^0:5\d$/);
  });

  it('is replaced by a new one on request', async () => {
    show();
    (await flow()).shown();
    const renew = page.getByRole('button', { name: 'Show a new code' });
    await page.viewport(390, 844);
    expect(Number.parseFloat(getComputedStyle(renew.element()).paddingLeft)).toBeGreaterThanOrEqual(16);
    await page.viewport(1280, 1000);
    await renew.click();
    (await flow(1)).shown();
    await expect.element(image).toBeVisible();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('gives way to the latest message once it has been scanned', async () => {
    show();
    const { shown, emit } = await flow();
    shown();
    await expect.element(image).toBeVisible();
    emit('qr-code-generated', 'QR code ready', 'success');
    await expect.element(status).toHaveTextContent('Waiting for your other device to scan');
    emit('polling', 'Waiting for alice.testnet to add the key of this device');
    await expect.element(status).toHaveTextContent('Waiting for alice.testnet to add the key of this device');
    await expect.element(page.getByRole('timer')).toBeVisible();
    emit('addkey-detected', 'Your other device has let this one in');
    await expect.element(status).toHaveTextContent('Your other device has let this one in');
    await expect.element(page.getByRole('timer')).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Show a new code' })).not.toBeInTheDocument();
    emit('registration', 'Registering this device');
    await expect.element(status).toHaveTextContent('Registering this device');
    await expect.element(page.getByText('ABCD 2345 EFGH 6723')).toBeVisible();
  });

  it('closes when linking is complete, and reports the account once it is logged in', async () => {
    const manager = show();
    const { shown, emit, options } = await flow();
    shown();
    emit('linking-complete', 'Linked', 'success');
    expect(onClose.mock.calls).toEqual([['linked']]);
    const account = {
      success: true,
      nearAccountId: ALICE,
      deviceNumber: 2,
      publicKey: 'ed25519:1',
      transactionIds: [],
      isLoggedIn: true,
    };
    await options.afterCall?.(true, account);
    expect(manager.getLoginState).toHaveBeenLastCalledWith(ALICE);
    expect(onLinked.mock.calls).toEqual([[account]]);
    expect(stop).not.toHaveBeenCalled();
  });

  it('closes when linking fails, and reports why', async () => {
    show();
    const { shown, fail } = await flow();
    shown();
    fail('REGISTRATION_FAILED', 'The registry says no');
    expect(onClose.mock.calls).toEqual([['failed']]);
    expect(onError.mock.calls[0]?.[0].message).toBe('The registry says no');
    expect(stop).not.toHaveBeenCalled();
  });

  it.each(['SESSION_EXPIRED', 'LINK_KEY_GONE', 'ACCOUNT_NOT_OWNED'])(
    'offers a new code after %s',
    async (code) => {
      show();
      const { shown, fail } = await flow();
      shown();
      await expect.element(image).toBeVisible();
      fail(code, 'Too late.');
      await expect.element(page.getByRole('alert')).toHaveTextContent(/Show a new (code|one)/);
      await expect.element(image).not.toBeInTheDocument();
      expect(onClose).not.toHaveBeenCalled();
      await page.getByRole('button', { name: 'Show a new code' }).click();
      (await flow(1)).shown();
      await expect.element(image).toBeVisible();
      expect(flows).toHaveLength(2);
      expect(stop).not.toHaveBeenCalled();
    },
  );

  it('ends its flow on unmount', async () => {
    show();
    (await flow()).shown();
    await expect.element(image).toBeVisible();
    unmount();
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
