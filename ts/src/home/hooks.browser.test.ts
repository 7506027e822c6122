import { expect, it, vi } from 'vitest';
import { loadHomeHooks } from './hooks.js';

const path = new URL('./testing/operator-hooks.ts', import.meta.url).pathname;

it('the functions of the operator’s script are taken, and nothing else of it', async () => {
  const warn = vi.fn();
  const hooks = await loadHomeHooks(path, warn);
  expect(Object.keys(hooks)).toEqual(['onAddFunds']);
  expect(hooks.onAddFunds?.('alice.testnet')).toBe('adds to alice.testnet');
  expect(warn).not.toHaveBeenCalled();
});

it.each(['/no-such-script.js', 'https://evil.example/hooks.js', '//evil.example/hooks.js'])(
  'a script that is not there, or of another origin, leaves the page without them: %s',
  async (other) => {
    const warn = vi.fn();
    expect(await loadHomeHooks(other, warn)).toEqual({});
    expect(warn).toHaveBeenCalledOnce();
  },
);

it('no script is loaded unless the operator names one', async () => {
  expect(await loadHomeHooks(undefined, vi.fn())).toEqual({});
});
