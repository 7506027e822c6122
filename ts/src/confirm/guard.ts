import { watchKeys } from './key-watch.js';
import { watchPointer } from './pointer-watch.js';

/**
 * Whether a click in the confirmation is the user's own. A click counts if the browser calls it trusted and the dialog
 * has been visible and still for a while, and its window has had the focus for as long. A page around a frame could cover
 * the dialog, move it, or put it under the cursor at the last moment. A page that opens a window chooses when and where it
 * comes up. So the rules are the same in a frame, in the wallet's own window, and in the page's own wallet.
 *
 * A mouse press counts only where the mouse was seen before, over a document that did not move under it: see
 * `pointer-watch`. A press that does not count restarts the time but is itself seen, so the next one can count.
 *
 * A press of a key counts if the dialog was ready for it. See `key-watch`.
 *
 * Presses that follow each other fast never count, by the times when the user made them: a busy page hears them late, and
 * may have been drawn long enough by then.
 *
 * Where the browser has IntersectionObserver v2 (`trackVisibility`), a framed confirmation counts as seen only while all
 * of it is painted: nothing lies over it, and neither it nor anything that contains it, the page's frame included, has
 * opacity, a filter or a transform. For browsers without it, see `clickPlace`.
 */
/** How long the confirmation must be visible and still, and the mouse over it, before a click counts. */
export const ARMING_MS = 500;
/** The smallest delay that browsers allow. */
const VISIBILITY_DELAY_MS = 100;
/** The share of the area (of 1) that rounding to whole pixels may hide. */
const WHOLE = 0.99;

export interface ClickGuard {
  readonly isArmed: boolean;
  /** Whether a click counts, also one made by a key. */
  accepts(click: Pick<Event, 'isTrusted'>): boolean;
  /** The request has changed: restarts the time. */
  restart(): void;
  close(): void;
}

export interface ClickGuardOptions {
  /** Called when clicks start to count, and when they stop. */
  readonly onChange: (isArmed: boolean) => void;
  /** Called for each press that does not count. */
  readonly onRefused?: (() => void) | undefined;
  /**
   * Whether an untrusted page frames this document. Then the guard also checks what is really painted, where the browser
   * tells. Default: whether anything frames it.
   */
  readonly isFramed?: boolean | undefined;
  /** Whether a press of a key counts here at any time, as on a button that only ends what is open. Default: nowhere. */
  readonly isFree?: ((target: EventTarget | null) => boolean) | undefined;
  /** Milliseconds; default {@link ARMING_MS}. */
  readonly armingMs?: number | undefined;
}

/** Guards the clicks in `target`: everything the user must see, so the dialog and not just its button. */
export function guardClicks(target: Element, options: ClickGuardOptions): ClickGuard {
  const {
    onChange,
    onRefused = () => undefined,
    isFramed = globalThis.top !== globalThis.self,
    isFree = () => false,
    armingMs = ARMING_MS,
  } = options;
  const tracks = isFramed && tellsVisibility();
  let isArmed = false;
  let isSeen = !tracks;
  /** The time of the first frame that drew the dialog as it is now. */
  let drawnSince: number | undefined;
  /** When the last press that did not count was made, by the clock of events, which the document starts at 0. */
  let refusedAt = 0;
  let frame = 0;
  let place = '';

  const setArmed = (next: boolean): void => {
    if (isArmed === next) return;
    isArmed = next;
    onChange(next);
  };
  const restart = (): void => {
    drawnSince = undefined;
    setArmed(false);
  };
  const isReady = ({ timeStamp }: Event): boolean => isArmed && timeStamp - refusedAt >= armingMs;
  const refuse = ({ timeStamp }: Event): void => {
    refusedAt = timeStamp;
    restart();
    onRefused();
  };
  const look = (entries: readonly IntersectionObserverEntry[]): void => {
    const last = entries.at(-1) as TrackedEntry | undefined;
    if (!last) return;
    const isWhole = last.isVisible === true && last.intersectionRatio >= WHOLE;
    if (isWhole === isSeen) return;
    isSeen = isWhole;
    restart();
  };
  // Counts frames and not a timer's time: a page too busy to draw has shown nothing yet.
  const follow = (time: number): void => {
    const { x, y, width, height } = target.getBoundingClientRect();
    const now = [x, y, width, height].map(Math.round).join();
    if (now !== place) restart();
    place = now;
    if (isSeen && !document.hidden) drawnSince ??= time;
    if (drawnSince !== undefined && time - drawnSince >= armingMs) setArmed(true);
    frame = requestAnimationFrame(follow);
  };

  const observer = tracks ? new IntersectionObserver(look, VISIBLE) : undefined;
  observer?.observe(target);
  const pointer = watchPointer({
    dwellMs: armingMs,
    isReady,
    onMoved: restart,
    onRefused: refuse,
  });
  const keys = watchKeys(target, { isFree, isReady, onRefused: refuse });
  // A press in a frame brings the focus there after it was judged. A window has it before the press.
  const focused = (): void => {
    if (globalThis.top === globalThis.self || !pointer.isDown) restart();
  };
  document.addEventListener('visibilitychange', restart);
  addEventListener('resize', restart);
  addEventListener('focus', focused);
  frame = requestAnimationFrame(follow);

  return {
    get isArmed() {
      return isArmed;
    },
    accepts({ isTrusted }) {
      // Entries that the browser recorded and has not delivered yet.
      if (observer) look(observer.takeRecords());
      return isTrusted && isArmed && !document.hidden;
    },
    restart,
    close() {
      cancelAnimationFrame(frame);
      observer?.disconnect();
      pointer.close();
      keys.close();
      document.removeEventListener('visibilitychange', restart);
      removeEventListener('resize', restart);
      removeEventListener('focus', focused);
      isArmed = false;
    },
  };
}

// IntersectionObserver v2 (W3C, "Intersection Observer", section 2.2): Chromium alone has it.
const VISIBLE: IntersectionObserverInit = {
  threshold: [WHOLE, 1],
  trackVisibility: true,
  delay: VISIBILITY_DELAY_MS,
} as IntersectionObserverInit;

interface TrackedEntry extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

/** Whether this browser reports what is really painted. */
export function tellsVisibility(): boolean {
  return (
    typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype
  );
}
