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
  const [address] = hash.split('?', 1);
  return SCREENS.find((screen) => addressOf(screen) === address) ?? 'overview';
}

const TOKEN = '?token=';

/** Goes to the form that sends, where this token is chosen. */
export function goSend(contractId: string): void {
  location.hash = `${addressOf('send')}${TOKEN}${contractId}`;
}

/** The contract of the token that an address chooses. */
export function tokenOf(hash: string): string | undefined {
  const at = hash.indexOf(TOKEN);
  return at < 0 ? undefined : hash.slice(at + TOKEN.length);
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
