// Specification: core 2
import { afterEach, expect, it, vi } from 'vitest';
import { managerOf } from './testing/manager.js';
import { render, unmount } from './testing/render.js';

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

/** When the page asked for each module of the confirm UI. */
const requests = (): number[] =>
  performance
    .getEntriesByType('resource')
    .filter(({ name }) => /\/confirm\/(confirm-screen|confirm-dialog)\.tsx$/.test(new URL(name).pathname))
    .map(({ startTime }) => startTime);

it('loads none of the confirm UI where the wallet runs in a frame, and all of it where it runs in the page', async () => {
  const framed = managerOf(null, { iframeWallet: { walletOrigin: 'http://wallet.localhost:1' } });
  render(framed, null);
  // The effects of the wallet's start have run.
  await expect.poll(() => vi.mocked(framed.setConfirmationConfig).mock.calls.length).toBeGreaterThan(0);
  unmount();
  const framedUntil = performance.now();

  render(managerOf(null), null);
  await expect.poll(requests).toHaveLength(2);
  expect(requests().filter((at) => at < framedUntil)).toEqual([]);
});
