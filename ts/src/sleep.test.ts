import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pause, sleep, within } from './sleep.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a sleep rejects with the reason of its signal, and a pause ends; neither leaves a timer', async () => {
  const stopping = new AbortController();
  const ends = Promise.allSettled([sleep(1_000, stopping.signal), pause(1_000, stopping.signal)]);
  stopping.abort('stopped');
  expect(await ends).toEqual([
    { status: 'rejected', reason: 'stopped' },
    { status: 'fulfilled', value: undefined },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it('work that ends in time settles as it does, and leaves no timer; later work gives the other value', async () => {
  expect(await within(1_000, Promise.resolve('done'), 'late')).toBe('done');
  await expect(within(1_000, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
  const late = within(1_000, new Promise(() => undefined), 'late');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBe('late');
});
