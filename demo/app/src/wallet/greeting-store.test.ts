import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGreetingStore } from './greeting-store.js';

describe('the greeting (demo 7, demo 8, demo 9)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has at most one fetch in flight', async () => {
    let answer: (greeting: string) => void = () => undefined;
    const view = vi.fn(() => new Promise<string>((resolve) => (answer = resolve)));
    const store = createGreetingStore(view);
    const first = store.fetch();
    expect(store.get().fetching).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(await store.fetch()).toEqual({ success: false, error: 'Already fetching' });
    answer('hello');
    expect(await first).toEqual({ success: true });
    expect(store.get()).toEqual({ greeting: 'hello', fetching: false, error: undefined });
    expect(view).toHaveBeenCalledTimes(1);
  });

  it('is fetched at most once a second', async () => {
    const view = vi.fn(async () => 'hello');
    const store = createGreetingStore(view);
    await store.fetch();
    for (const waitMs of [0, 999]) {
      vi.advanceTimersByTime(waitMs);
      expect(await store.fetch()).toEqual({ success: false, error: 'Rate limited' });
    }
    expect(view).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(await store.fetch()).toEqual({ success: true });
    expect(view).toHaveBeenCalledTimes(2);
  });

  it('is fetched once a second after a write, until a node that lags shows the new one', async () => {
    const answers = ['old', 'old', 'new'];
    const view = vi.fn(async () => answers.shift() ?? 'newer');
    const store = createGreetingStore(view);
    await store.fetch();
    const change = store.fetchChange();
    expect(view).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(view).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1000);
    await change;
    expect(store.get().greeting).toBe('new');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(view).toHaveBeenCalledTimes(3);
  });

  it('is given up when no node shows another one', async () => {
    const view = vi.fn(async () => 'same');
    const change = createGreetingStore(view).fetchChange();
    await vi.advanceTimersByTimeAsync(60_000);
    await change;
    expect(view.mock.calls.length).toBeLessThanOrEqual(12);
  });

  it('keeps the last greeting and says what went wrong', async () => {
    const answers = [
      async () => 'hello',
      () => Promise.reject(new Error('')),
      () => Promise.reject(new Error('down')),
    ];
    const store = createGreetingStore(() => answers.shift()!());
    await store.fetch();
    vi.advanceTimersByTime(1000);
    await store.fetch();
    expect(store.get()).toMatchObject({ greeting: 'hello', error: 'Failed to fetch greeting' });
    vi.advanceTimersByTime(1000);
    expect(await store.fetch()).toEqual({ success: false, error: 'down' });
  });
});
