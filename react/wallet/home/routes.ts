import { useSyncExternalStore } from 'react';

/** The screens of the home page. Each has an address of its own behind the `#`. */
export const SCREENS = [
  'overview',
  'send',
  'receive',
  'activity',
  'devices',
  'keys',
  'apps',
  'accounts',
  'settings',
] as const;

export type Screen = (typeof SCREENS)[number];

/** The address of a screen: `#/` for the overview, else `#/` and its name. */
export function addressOf(screen: Screen): string {
  return screen === 'overview' ? '#/' : `#/${screen}`;
}

/** The screen of an address; an unknown one is the overview. */
export function screenOf(hash: string): Screen {
  return SCREENS.find((screen) => addressOf(screen) === hash) ?? 'overview';
}

const watch = (changed: () => void): (() => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

/** The screen that the address names, now and after each change. */
export function useScreen(): Screen {
  return useSyncExternalStore(watch, () => screenOf(location.hash));
}

/** Goes to a screen. */
export function go(screen: Screen): void {
  location.hash = addressOf(screen);
}
