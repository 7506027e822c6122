import { translated } from './catalogue.js';
import { type Catalogue, english, type Texts } from './english.js';

/** What the page chose, and the same with English where it has none. */
let chosen: Catalogue = english;
let current: Texts = english;
let englishErrors: Texts['errors'];
const watchers = new Set<() => void>();

/** The texts of this page. */
export const texts = (): Texts => current;

/** Gives everything that the kit draws in this page these texts; what shows changes with them. */
export function setTexts(next: Catalogue): void {
  if (next === chosen) return;
  chosen = next;
  draw();
}

/** Calls `changed` after each change until the returned function is called. */
export function watchTexts(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/**
 * Loads the English headlines of errors, where the catalogue has none of its own. Until they are there, or if they cannot be
 * loaded, a screen says the error's own message. A flow calls it at its start.
 */
export async function loadHeadlines(): Promise<void> {
  if (current.errors) return;
  try {
    const { englishHeadlines } = await import('./english-errors.js');
    if (current.errors) return;
    englishErrors = englishHeadlines;
    draw();
  } catch {
    // Offline. The next failure tries again.
  }
}

function draw(): void {
  current = { ...chosen, ...translated(english, chosen), errors: chosen.errors ?? englishErrors };
  for (const changed of [...watchers]) changed();
}
