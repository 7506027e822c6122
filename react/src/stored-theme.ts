import type { Theme } from 'latchkey';

/** The localStorage key of the user's choice. */
export const THEME_STORAGE_KEY = 'w3a_theme';

/** The theme chosen on this origin; undefined if none was chosen or storage is refused. */
export function readStoredTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(THEME_STORAGE_KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}
