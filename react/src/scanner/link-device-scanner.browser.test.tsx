import type { PasskeyManager } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showQrToCamera } from '../testing/camera.js';
import { managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { LinkDeviceScanner } from './link-device-scanner.js';

type Options = NonNullable<Parameters<PasskeyManager['linkDeviceWithScannedQRData']>[1]>;

const dialog = page.getByRole('dialog', { name: 'Scan and Link Device' });
const onError = vi.fn();
const onClose = vi.fn();
let asked: Options[];

/** A scanner that has read a code and checks it until the flow ends. */
async function scanned(): Promise<Options> {
  const manager = managerOf();
  Object.assign(manager, {
    linkDeviceWithScannedQRData: (_text: string, options: Options) => {
      asked.push(options);
      return new Promise((resolve) => {
        options.signal?.addEventListener('abort', () => {
          options.onError?.(new Error('cancelled') as never);
          resolve({ success: false, error: 'cancelled' });
        });
      });
    },
  });
  const view = (isOpen: boolean) => <LinkDeviceScanner isOpen={isOpen} onClose={onClose} onError={onError} />;
  onClose.mockImplementation(() => render(manager, view(false)));
  render(manager, view(true));
  await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
  return asked[0] as Options;
}

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

describe('a scanned code that is still being checked', () => {
  it('is dropped when the user closes the scanner, so no confirmation follows', async () => {
    const { signal } = await scanned();
    expect(signal?.aborted).toBe(false);
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(onError).not.toHaveBeenCalled();
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
