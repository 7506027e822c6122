import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceClock } from './clock.js';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const clock = new DeviceClock();
  const ending = new AbortController();
  const done: string[] = [];
  const later = (name: string) => () => void done.push(name);
  return { clock, page: clock.globals(ending.signal), end: () => ending.abort(), done, later };
}

describe("a device's clock", () => {
  it('runs with the real one, and keeps what it was set forward by', () => {
    const { clock, page } = open();
    clock.pass(HOUR_MS);
    vi.advanceTimersByTime(1_000);
    expect(page.Date.now()).toBe(Date.now() + HOUR_MS);
    expect(new page.Date().getTime()).toBe(page.Date.now());
    expect(new page.Date(7).getTime()).toBe(7);
  });

  it('ends the waits that are over by then, and shortens the others', () => {
    const { clock, page, done, later } = open();
    page.setTimeout(later('a minute'), 60_000);
    page.setTimeout(later('two hours'), 2 * HOUR_MS);
    page.clearTimeout(page.setTimeout(later('stopped'), 60_000));
    clock.pass(HOUR_MS);
    vi.advanceTimersByTime(0);
    expect(done).toEqual(['a minute']);
    vi.advanceTimersByTime(HOUR_MS);
    expect(done).toEqual(['a minute', 'two hours']);
  });

  it('repeats an interval until it is stopped', () => {
    const { clock, page, done, later } = open();
    const timer = page.setInterval(later('again'), 1_000);
    vi.advanceTimersByTime(2_000);
    clock.pass(1_000);
    vi.advanceTimersByTime(0);
    expect(done).toHaveLength(3);
    page.clearInterval(timer);
    clock.pass(HOUR_MS);
    vi.advanceTimersByTime(HOUR_MS);
    expect(done).toHaveLength(3);
  });

  it('ends no wait of a page that was left', () => {
    const { clock, page, end, done, later } = open();
    page.setTimeout(later('before'), 1_000);
    end();
    page.setTimeout(later('after'), 1_000);
    clock.pass(HOUR_MS);
    vi.advanceTimersByTime(HOUR_MS);
    expect(done).toEqual([]);
  });
});
