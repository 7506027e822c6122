/**
 * What only some clicks need is loaded when the page has nothing else to do: a part that loaded between a click and its
 * prompt could use up the click, without which a browser (Safari first) shows no passkey prompt.
 */

type Part = () => Promise<unknown>;

const PARTS: readonly Part[] = [
  () => import('./app-keys/app-keys.js'),
  () => import('./export-key.js'),
  () => import('./linking/device1.js'),
  () => import('./linking/delete-key.js'),
  () => import('./signing/sign-delegate.js'),
];
/** Safari has no idle callback. */
const WITHOUT_IDLE_MS = 1_000;

/**
 * Answers what begins it. Each part is loaded once; one that failed is silently left to the call that needs it, and to
 * the next beginning.
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
