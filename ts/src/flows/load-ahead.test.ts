import { expect, it, vi } from 'vitest';
import { loadingAhead } from './load-ahead.js';

/** Work that the tests run when they want the page to be idle. */
function idleTime() {
  const waiting: (() => void)[] = [];
  const pass = async (): Promise<void> => {
    for (const work of waiting.splice(0)) work();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { soon: (work: () => void) => void waiting.push(work), pass };
}

it('loads every part once, and not before the page is idle', async () => {
  const { soon, pass } = idleTime();
  const parts = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  const begin = loadingAhead(parts, soon);
  begin();
  begin();
  expect(parts.map((part) => part.mock.calls.length)).toEqual([0, 0]);
  await pass();
  begin();
  await pass();
  expect(parts.map((part) => part.mock.calls.length)).toEqual([1, 1]);
});

it('loads the other parts when one fails, and that one at the next start', async () => {
  const { soon, pass } = idleTime();
  const offline = vi.fn(async (): Promise<void> => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const other = vi.fn(async () => undefined);
  const begin = loadingAhead([offline, other], soon);
  begin();
  await pass();
  expect(other).toHaveBeenCalledTimes(1);
  offline.mockResolvedValueOnce(undefined);
  begin();
  await pass();
  begin();
  await pass();
  expect([offline.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
});

it('waits a second in a browser without idle callbacks', () => {
  vi.useFakeTimers();
  const part = vi.fn(async () => undefined);
  loadingAhead([part])();
  expect(part).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(part).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
