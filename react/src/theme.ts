import type { Theme } from 'latchkey';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';

/** The localStorage key of the user's choice. */
export const THEME_STORAGE_KEY = 'w3a_theme';

const DARK = '(prefers-color-scheme: dark)';

/** The theme chosen on this origin; undefined if none was chosen or storage is refused. */
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

/** The current theme: the stored choice, else the operating system's preference, which it follows. */
export function useTheme(): ThemeControl {
  const [chosen, setChosen] = useState(readStoredTheme);
  const preferred = useSyncExternalStore<Theme>(watchPreference, readPreference, () => 'light');
  const theme = chosen ?? preferred;

  // A choice made in another tab of this origin applies here too.
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
      // Storage is refused: the choice lasts until the page unloads.
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
