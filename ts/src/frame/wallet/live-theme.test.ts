import { describe, expect, it } from 'vitest';
import type { Theme } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { tellingSettings, themeFollower } from './live-theme.js';

/** A wallet with a theme, and what its page is told to draw. */
function following(start: Theme = 'dark') {
  let theme = start;
  const drawn: Theme[] = [];
  const own = {
    async setConfirmationConfig(wish: { theme?: Theme; behavior?: string }) {
      if (wish.behavior === 'wrong') throw new Error('no such behavior');
      theme = wish.theme ?? theme;
    },
    async setUserTheme(next: Theme) {
      theme = next;
    },
    async setUserPreferences(change: { theme?: Theme | null }) {
      theme = change.theme ?? start;
    },
    getRecentLogins: async () => 'logins',
  } as unknown as Wallet;
  const follow = themeFollower(
    async () => theme,
    (next) => drawn.push(next),
  );
  const told: Promise<void>[] = [];
  const wallet = tellingSettings(own, () => told.push(follow()));
  return { wallet, drawn, follow, settled: () => Promise.all(told) };
}

describe('The theme of what is open in the frame (core 2)', () => {
  it('follows the page, and what the user chooses', async () => {
    const { wallet, drawn, settled } = following();
    await wallet.setConfirmationConfig({ theme: 'light' });
    await settled();
    expect(drawn).toEqual(['light']);
    await wallet.setUserTheme('dark');
    await settled();
    await wallet.setUserPreferences({ theme: 'light' });
    await settled();
    expect(drawn).toEqual(['light', 'dark', 'light']);
  });

  it('stays as it is when another setting changes, and after a refused one', async () => {
    const { wallet, drawn, follow, settled } = following();
    await follow();
    await wallet.setConfirmationConfig({ behavior: 'requireClick' });
    await expect(wallet.setConfirmationConfig({ behavior: 'wrong' } as never)).rejects.toThrow('no such');
    expect(await wallet.getRecentLogins()).toBe('logins');
    await settled();
    expect(drawn).toEqual(['dark']);
  });

  it('is the latest one after changes that overlap', async () => {
    const { wallet, drawn, settled } = following();
    await Promise.all([
      wallet.setConfirmationConfig({ theme: 'light' }),
      wallet.setConfirmationConfig({ theme: 'dark' }),
      wallet.setConfirmationConfig({ theme: 'light' }),
    ]);
    await settled();
    expect(drawn.at(-1)).toBe('light');
  });
});
