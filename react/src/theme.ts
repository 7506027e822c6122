import type { Theme } from 'latchkey';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';

/** Where the person's choice is kept. */
export const THEME_STORAGE_KEY = 'w3a_theme';

const DARK = '(prefers-color-scheme: dark)';

/** The theme chosen on this origin; undefined while nothing was chosen, or where storage is refused. */
export function readStoredTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(THEME_STORAGE_KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}

export interface ThemeControl {
  theme: Theme;
  setTheme: (theme: Theme) => void;
  toggleTheme: () => void;
}

/** The theme in force: the stored choice, else what the operating system prefers, followed as it changes. */
export function useTheme(): ThemeControl {
  const [chosen, setChosen] = useState(readStoredTheme);
  const preferred = useSyncExternalStore<Theme>(watchPreference, readPreference, () => 'light');
  const theme = chosen ?? preferred;

  // A choice made in another tab of this origin holds here too.
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === THEME_STORAGE_KEY || event.key === null) setChosen(readStoredTheme());
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);

  const setTheme = useCallback((next: Theme) => {
    setChosen(next);
    try {
      localStorage.setItem(THEME_STORAGE_KEY, next);
    } catch {
      // Storage is refused here: the choice holds until the page is left.
    }
  }, []);
  const toggleTheme = useCallback(() => setTheme(theme === 'dark' ? 'light' : 'dark'), [setTheme, theme]);
  return useMemo(() => ({ theme, setTheme, toggleTheme }), [theme, setTheme, toggleTheme]);
}

function watchPreference(changed: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

function readPreference(): Theme {
  return matchMedia(DARK).matches ? 'dark' : 'light';
}
