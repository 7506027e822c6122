import { describe, expect, it } from 'vitest';
import { OriginLocks } from './locks.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Two pages of one origin, and the locks that they were granted, in order. */
function open() {
  const locks = new OriginLocks();
  const ending = new AbortController();
  const granted: string[] = [];
  const releases = new Map<string, () => void>();
  const hold = (name: string) => (lock: unknown) => {
    granted.push(lock ? name : `${name}: not available`);
    return lock ? new Promise<void>((resolve) => void releases.set(name, resolve)) : undefined;
  };
  return {
    page: locks.forPage(new AbortController().signal),
    ending: locks.forPage(ending.signal),
    end: () => ending.abort(),
    granted,
    hold,
    release: (name: string) => releases.get(name)?.(),
  };
}

describe('the locks of an origin', () => {
  it('grants an exclusive lock to one request at a time, in their order', async () => {
    const { page, granted, hold, release } = open();
    for (const name of ['a', 'b', 'c']) void page.request('lock', {}, hold(name));
    await settled();
    expect(granted).toEqual(['a']);
    release('a');
    await settled();
    expect(granted).toEqual(['a', 'b']);
  });

  it('grants shared locks together, and none past an exclusive request that waits', async () => {
    const { page, granted, hold, release } = open();
    for (const name of ['a', 'b']) void page.request('lock', { mode: 'shared' }, hold(name));
    void page.request('lock', { mode: 'exclusive' }, hold('c'));
    void page.request('lock', { mode: 'shared' }, hold('d'));
    await settled();
    expect(granted).toEqual(['a', 'b']);
    release('a');
    release('b');
    await settled();
    expect(granted).toEqual(['a', 'b', 'c']);
  });

  it('tells a request that must not wait that the lock is held', async () => {
    const { page, granted, hold } = open();
    void page.request('lock', {}, hold('a'));
    await page.request('lock', { ifAvailable: true }, hold('b'));
    await settled();
    expect(granted.toSorted()).toEqual(['a', 'b: not available']);
  });

  it('gives up a request whose signal aborts', async () => {
    const { page, granted, hold, release } = open();
    const giveUp = new AbortController();
    void page.request('lock', {}, hold('a'));
    const waiting = page.request('lock', { signal: giveUp.signal }, hold('b'));
    giveUp.abort(new Error('too long'));
    await expect(waiting).rejects.toThrow('too long');
    release('a');
    await settled();
    expect(granted).toEqual(['a']);
  });

  it('passes on what a page held when it ended', async () => {
    const { page, ending, end, granted, hold } = open();
    void ending.request('lock', {}, hold('a'));
    void ending.request('lock', {}, hold('b'));
    void page.request('lock', {}, hold('c'));
    end();
    await settled();
    expect(granted.at(-1)).toBe('c');
    expect(granted).not.toContain('b');
  });
});
