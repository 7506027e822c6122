import type { Theme } from 'latchkey';

/** Draws all that is open in this page in another theme. Each of them is the wallet's: the page has nothing else. */
export function showTheme(theme: Theme): void {
  for (const screen of document.querySelectorAll<HTMLElement>('[data-latchkey-theme]'))
    screen.dataset.latchkeyTheme = theme;
}
