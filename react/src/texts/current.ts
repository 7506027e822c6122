import { english, type Texts } from './english.js';

let current: Texts = english;
const watchers = new Set<() => void>();

/** The texts of this page. */
export const texts = (): Texts => current;

/** Gives everything that the kit draws in this page these texts; what shows changes with them. */
export function setTexts(next: Texts): void {
  if (next === current) return;
  current = next;
  for (const changed of [...watchers]) changed();
}

/** Calls `changed` after each change until the returned function is called. */
export function watchTexts(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}
