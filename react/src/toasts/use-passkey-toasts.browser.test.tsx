import type { LatchkeyErrorCode } from 'latchkey';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { loadHeadlines } from '../texts/current.js';
import { rememberingSteps } from './remembering-steps.js';
import { dismissalOf } from './toast.js';
import { unknownToast } from './toast-of.js';
import { type PasskeyToasts, usePasskeyToasts } from './use-passkey-toasts.js';

/** Writes down its calls, as sonner's `toast` would show them. */
function recorder() {
  const calls: unknown[][] = [];
  const note =
    (kind: string) =>
    (...args: unknown[]) =>
      calls.push([kind, ...args]);
  const toaster = Object.assign(note('blank'), {
    loading: note('loading'),
    success: note('success'),
    error: note('error'),
    dismiss: note('dismiss'),
  });
  return { calls, toaster };
}

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

describe('the toasts of a wallet (kit 4)', () => {
  it('reach the toaster with id and duration, through functions that stay the same', async () => {
    const first = recorder();
    const second = recorder();
    const seen = new Set<PasskeyToasts>();
    function App({ toaster }: { toaster: typeof first.toaster }) {
      const toasts = usePasskeyToasts(toaster);
      seen.add(toasts);
      const event = { flow: 'action', step: 8, message: 'Sending' } as const;
      return (
        <>
          <button
            type="button"
            onClick={() => {
              toasts.onEvent({ ...event, phase: 'broadcasting', status: 'progress' }, { id: 'pay' });
              toasts.onEvent({ ...event, phase: 'action-complete', status: 'success', message: 'Done' });
              toasts.show(unknownToast('pay'));
              toasts.show(dismissalOf('pay'));
              toasts.show(undefined);
            }}
          >
            Pay
          </button>
          <output>{toaster === first.toaster ? 'first' : 'second'}</output>
        </>
      );
    }
    const manager = managerOf();
    render(manager, <App toaster={first.toaster} />);
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(first.calls).toEqual([
      ['loading', 'Sending', { id: 'pay', duration: Number.POSITIVE_INFINITY }],
      ['success', 'Done', { id: 'action', duration: 2000 }],
      ['blank', unknownToast().text, { id: 'pay', duration: 4000 }],
      ['dismiss', 'pay'],
    ]);

    const before = seen.size;
    render(manager, <App toaster={second.toaster} />);
    await expect.element(page.getByText('second')).toBeVisible();
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(second.calls).toHaveLength(4);
    expect(first.calls).toHaveLength(4);
    expect(seen.size).toBe(before);
  });

  it('end a scan that the user closes without an error, and name every other failure of a linking', async () => {
    await loadHeadlines();
    const step = { flow: 'linking', step: 2, status: 'progress', message: '' } as const;
    const ended = (code: LatchkeyErrorCode) =>
      ({
        ...step,
        phase: 'device-linking-error',
        status: 'error',
        error: { code, message: 'why' },
      }) as const;
    const after = (phase: 'scanning' | 'authorization', code: LatchkeyErrorCode) => {
      const toastAfter = rememberingSteps();
      toastAfter({ ...step, phase: 'scanning' });
      toastAfter({ ...step, phase });
      const { kind, id, text } = toastAfter(ended(code), { id: 'mine' }) ?? {};
      return { kind, id, text, again: toastAfter(ended(code))?.kind };
    };
    expect(after('scanning', 'CANCELLED')).toEqual({ kind: 'dismiss', id: 'mine', text: '', again: 'blank' });
    const said = { id: 'mine', text: expect.stringMatching(/\.$/) };
    expect(after('scanning', 'INVALID_QR_DATA')).toEqual({ ...said, kind: 'error', again: 'error' });
    // What the user ended is no fault.
    expect(after('authorization', 'CANCELLED')).toEqual({ ...said, kind: 'blank', again: 'blank' });
  });
});
