'use client';
import type { Theme } from 'latchkey';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { readStoredTheme, THEME_STORAGE_KEY } from './stored-theme.js';

const DARK = '(prefers-color-scheme: dark)';

export interface ThemeControl {
  theme: Theme;
  setTheme: (theme: Theme) => void;
  toggleTheme: () => void;
}

/**
 * The current theme: the stored choice, else the operating system's preference, which it follows. On a server, and until the
 * page has hydrated, it is light.
 */
export function useTheme(): ThemeControl {
  const chosen = useSyncExternalStore<Theme | undefined>(watchChoice, readChoice, () => undefined);
  const preferred = useSyncExternalStore<Theme>(watchPreference, readPreference, () => 'light');
  const theme = chosen ?? preferred;
  const toggleTheme = useCallback(() => choose(theme === 'dark' ? 'light' : 'dark'), [theme]);
  return useMemo(() => ({ theme, setTheme: choose, toggleTheme }), [theme, toggleTheme]);
}

/** The choice where storage is refused: it lasts until the page unloads. */
let unstored: Theme | undefined;
const watchers = new Set<() => void>();

function readChoice(): Theme | undefined {
  return unstored ?? readStoredTheme();
}

function choose(next: Theme): void {
  try {
    localStorage.setItem(THEME_STORAGE_KEY, next);
    unstored = undefined;
  } catch {
    unstored = next;
  }
  for (const changed of [...watchers]) changed();
}

/** A choice made in another tab of this origin applies here too. */
function watchChoice(changed: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === THEME_STORAGE_KEY || event.key === null) changed();
  };
  watchers.add(changed);
  addEventListener('storage', onStorage);
  return () => {
    watchers.delete(changed);
    removeEventListener('storage', onStorage);
  };
}

function watchPreference(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

function readPreference(): Theme {
  return matchMedia(DARK).matches ? 'dark' : 'light';
}
