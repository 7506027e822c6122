import { LatchkeyError, type ScanModel } from 'latchkey';
import { CANCELLED, errorFrom } from 'latchkey/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createReactConfirmer } from '../confirm/react-confirmer.js';
import { showQrToCamera, unplugCamera } from '../testing/camera.js';

const PATIENT = { timeout: 10_000 };
const dialog = page.getByRole('dialog', { name: 'Scan and Link Device' });
const button = (name: string) => dialog.getByRole('button', { name, exact: true });
const model: ScanModel = { theme: 'dark', check: () => undefined };
const confirmer = createReactConfirmer();
let ending: AbortController;
const scan = (more: Partial<ScanModel> = {}) => confirmer.scan({ ...model, ...more }, ending.signal);

beforeEach(async () => {
  ending = new AbortController();
  await showQrToCamera('a code');
});
afterEach(async () => {
  ending.abort();
  await expect.element(dialog).not.toBeInTheDocument();
  vi.restoreAllMocks();
});

describe("the wallet's own scanner (frame 7)", () => {
  it('gives the text of the code, and is gone', async () => {
    expect(await scan()).toBe('a code');
  });

  it('says why a code is not taken, and scans again on request', async () => {
    const check = vi.fn().mockImplementationOnce(() => {
      throw errorFrom({ code: 'SESSION_EXPIRED', message: 'QR code expired' });
    });
    const scanned = scan({ check });
    await expect.element(dialog.getByRole('alert'), PATIENT).toHaveTextContent('This code ran out.');
    await expect.element(button("Scan in the wallet's own window")).not.toBeInTheDocument();
    await button('Try Again').click();
    expect(await scanned).toBe('a code');
    expect(check.mock.calls).toEqual([['a code'], ['a code']]);
  });

  it('is cancelled when the user closes it', async () => {
    const scanned = scan({ check: () => void expect.unreachable() });
    scanned.catch(() => undefined);
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect(scanned).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('ends with its flow, whose reason it gives', async () => {
    const scanned = scan();
    const reason = new LatchkeyError(CANCELLED);
    ending.abort(reason);
    await expect(scanned).rejects.toBe(reason);
  });

  it('lets the user go to another window when the camera fails, if there is one', async () => {
    await unplugCamera();
    const scanned = scan({ hasAnotherWay: true });
    scanned.catch(() => undefined);
    await button("Scan in the wallet's own window").click();
    await expect(scanned).rejects.toMatchObject({ code: 'CAMERA_ACCESS_FAILED' });
  });
});
