/**
 * Loads rarely needed parts when the page is idle: a part that loads between a click and its prompt could use up the
 * click, without which a browser (Safari first) shows no passkey prompt.
 */

type Part = () => Promise<unknown>;

const PARTS: readonly Part[] = [
  () => import('./app-keys/index.js'),
  () => import('./export-key.js'),
  () => import('./linking/device1.js'),
  () => import('./linking/delete-key.js'),
  () => import('./signing/sign-delegate.js'),
];
/** Safari has no requestIdleCallback. */
const WITHOUT_IDLE_MS = 1_000;

/**
 * Returns a function that starts it. Each part is loaded once; a failed one is silently left to the call that needs
 * it, and to the next start.
 */
export function loadingAhead(parts = PARTS, soon = whenIdle): () => void {
  const left = new Set(parts);
  return () => {
    for (const load of left) {
      left.delete(load);
      soon(() => {
        load().catch(() => left.add(load));
      });
    }
  };
}

function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
  else setTimeout(work, WITHOUT_IDLE_MS);
}
