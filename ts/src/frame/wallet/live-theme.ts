/** The theme of what is open in the frame: the host, or the user in the settings, may change it meanwhile. */
import type { Theme } from '../../types.js';
import type { Wallet } from '../../wallet.js';

/** The calls that can change the theme. */
const SETTERS: ReadonlySet<PropertyKey> = new Set<keyof Wallet>([
  'setConfirmationConfig',
  'setUserTheme',
  'setUserPreferences',
]);

/** A wallet that calls `changed` after each call that has changed a setting. */
export function tellingSettings(wallet: Wallet, changed: () => void): Wallet {
  return new Proxy(wallet, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (!SETTERS.has(name) || typeof own !== 'function') return own;
      return async (...settings: unknown[]): Promise<void> => {
        await own(...settings);
        changed();
      };
    },
  });
}

/**
 * Returns a function that reads the theme and shows it if it is another one than before: a call may have brought its
 * own, which no other setting overrides.
 */
export function themeFollower(read: () => Promise<Theme>, show: (theme: Theme) => void): () => Promise<void> {
  let shown: Theme | undefined;
  return async () => {
    const theme = await read();
    if (theme === shown) return;
    shown = theme;
    show(theme);
  };
}
