import { LatchkeyError, type LinkDeviceResult, type PasskeyManager } from 'latchkey';
import { CANCELLED, errorFrom } from 'latchkey/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showQrToCamera } from '../testing/camera.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { LinkDeviceScanner } from './link-device-scanner.js';

type Options = NonNullable<Parameters<PasskeyManager['linkDeviceWithScannedQRData']>[1]>;

const dialog = page.getByRole('dialog', { name: 'Scan and Link Device' });
const onError = vi.fn();
const onClose = vi.fn();
const onLinked = vi.fn();
const onEvent = vi.fn();
let asked: Options[];

/** A scanner that has read a code and checks it until the flow ends. */
async function scanned(): Promise<Options> {
  const manager = managerOf();
  Object.assign(manager, {
    linkDeviceWithScannedQRData: (_text: string, options: Options) => {
      asked.push(options);
      return new Promise((resolve) => {
        options.onEvent?.(reading);
        options.signal?.addEventListener('abort', () => {
          options.onEvent?.(ended);
          options.onError?.(new Error('cancelled') as never);
          resolve({ success: false, error: 'cancelled' });
        });
      });
    },
  });
  const view = (isOpen: boolean) => (
    <LinkDeviceScanner isOpen={isOpen} onClose={onClose} onError={onError} onEvent={onEvent} />
  );
  onClose.mockImplementation(() => render(manager, view(false)));
  render(manager, view(true));
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
  return asked[0] as Options;
}

/** A scanner in a page whose wallet runs in a frame, and the wallet's scans. */
function inFrame() {
  const manager = managerOf(ALICE, { iframeWallet: { walletOrigin: 'http://wallet.localhost:1' } });
  const scans: { options: Options; end: (result: LinkDeviceResult) => void }[] = [];
  vi.spyOn(manager, 'scanAndLinkDevice').mockImplementation(
    (options = {}) => new Promise((resolve) => scans.push({ options, end: resolve })),
  );
  const show = (isOpen: boolean) =>
    render(
      manager,
      <LinkDeviceScanner isOpen={isOpen} onClose={onClose} onError={onError} onLinked={onLinked} />,
    );
  onClose.mockImplementation(() => show(false));
  show(true);
  return scans;
}

const reading = {
  flow: 'linking',
  step: 2,
  phase: 'scanning',
  status: 'progress',
  message: 'Reading the QR code',
} as const;
const ended = {
  ...reading,
  step: 0,
  phase: 'device-linking-error',
  status: 'error',
  error: { code: 'CANCELLED', message: 'cancelled' },
} as const;
const authorization = {
  flow: 'linking',
  step: 3,
  phase: 'authorization',
  status: 'progress',
  message: 'Waiting for your confirmation',
} as const;

beforeEach(async () => {
  asked = [];
  await showQrToCamera('a code');
});
afterEach(() => {
  unmount();
  vi.clearAllMocks();
});

describe('a scan in a framed wallet (frame 7)', () => {
  const linked = { success: true, device2PublicKey: 'ed25519:1', fundingAmount: '0.05' };
  const failedWith = (error: string) => ({ ...linked, success: false, error });
  async function scanning() {
    const scans = inFrame();
    await expect.poll(() => scans.length).toBe(1);
    return scans[0] as (typeof scans)[0];
  }

  it("is the wallet's own, and this page opens no camera", async () => {
    const camera = vi.spyOn(MediaDevices.prototype, 'getUserMedia');
    const { options, end } = await scanning();
    await expect.element(dialog).not.toBeInTheDocument();
    options.onEvent?.(authorization);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(options.signal?.aborted).toBe(false);
    end(linked);
    await expect.poll(() => onLinked.mock.calls).toEqual([[linked]]);
    expect(camera).not.toHaveBeenCalled();
  });

  it('closes without an error when the user closes the scanner', async () => {
    const { options, end } = await scanning();
    options.onError?.(new LatchkeyError(CANCELLED));
    end(failedWith('cancelled'));
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
    expect(onError).not.toHaveBeenCalled();
  });

  it('reports a failure and closes', async () => {
    const { options, end } = await scanning();
    options.onError?.(errorFrom({ code: 'LINK_BUSY', message: 'busy' }));
    end(failedWith('busy'));
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
    expect(onError.mock.calls).toMatchObject([[{ code: 'LINK_BUSY' }]]);
  });

  it('ends when the scanner unmounts before the wallet asks the user', async () => {
    const { options } = await scanning();
    unmount();
    expect(options.signal?.aborted).toBe(true);
  });
});

describe('a scanned code that is still being checked (kit 4)', () => {
  it('is dropped when the user closes the scanner, so no confirmation follows', async () => {
    const { signal } = await scanned();
    expect(signal?.aborted).toBe(false);
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(onError).not.toHaveBeenCalled();
  });

  it('reports its end when the user closes the scanner, so that what says it is scanned can go', async () => {
    await scanned();
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => onEvent.mock.calls.flat()).toEqual([reading, ended]);
  });

  it('is dropped when the scanner unmounts', async () => {
    const { signal } = await scanned();
    unmount();
    expect(signal?.aborted).toBe(true);
  });

  it('continues with the scanner closed once the wallet asks the user', async () => {
    const { signal, onEvent } = await scanned();
    onEvent?.(authorization);
    await expect.element(dialog).not.toBeInTheDocument();
    expect(onClose).toHaveBeenCalledTimes(1);
    unmount();
    expect(signal?.aborted).toBe(false);
  });
});
