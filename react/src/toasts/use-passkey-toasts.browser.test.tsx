import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { dismissalOf, unknownToast } from './toast-of.js';
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

describe('the toasts of a wallet', () => {
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
});
