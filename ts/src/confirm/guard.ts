import { watchPointer } from './pointer-watch.js';

/**
 * Whether a click in the confirmation is the person's own. It counts when the browser made it, and when what it confirms
 * has lain still before the person's eyes for a while: in a frame, the page around it may cover it, move it, or put it
 * under the cursor at the last moment.
 *
 * In a frame a press of the mouse counts only where the mouse was seen before, over a frame that did not move under it:
 * see `pointer-watch`. A press that does not count begins the time anew, and is seen: the next one can count.
 *
 * Where the browser has IntersectionObserver v2 (`trackVisibility`), a framed confirmation counts as seen only while all
 * of it is painted, with nothing over it and neither opacity, filter nor transform on it or what it lies in, the page's
 * frame included. Where it has not, see `clickPlace`.
 */
/** How long the confirmation must have been seen, unmoved, before a click counts; and the mouse over it. */
export const ARMING_MS = 500;
/** The least that browsers allow. */
const VISIBILITY_DELAY_MS = 100;
/** Of 1: what rounding to whole pixels may hide of it. */
const WHOLE = 0.99;

export interface ClickGuard {
  readonly isArmed: boolean;
  /** Whether a click (by a key too) is one that counts. */
  accepts(click: Pick<Event, 'isTrusted'>): boolean;
  /** What is asked has changed: the time begins anew. */
  restart(): void;
  close(): void;
}

export interface ClickGuardOptions {
  /** Called when clicks begin to count, and when they no longer do. */
  readonly onChange: (isArmed: boolean) => void;
  /**
   * Whether a page that may mean harm frames this document: then what is really painted counts, where the browser tells,
   * and how the pointer came. Default: whether anything frames it.
   */
  readonly isFramed?: boolean;
  /** Milliseconds; default {@link ARMING_MS}. */
  readonly armingMs?: number;
}

/** Guards the clicks in `target`, which is all of what the person must see: the dialog, not its button alone. */
export function guardClicks(target: Element, options: ClickGuardOptions): ClickGuard {
  const { onChange, isFramed = globalThis.top !== globalThis.self, armingMs = ARMING_MS } = options;
  const tracks = isFramed && tellsVisibility();
  let isArmed = false;
  let isSeen = !tracks;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let place = '';

  const setArmed = (next: boolean): void => {
    if (isArmed === next) return;
    isArmed = next;
    onChange(next);
  };
  const restart = (): void => {
    clearTimeout(timer);
    setArmed(false);
    if (isSeen && !document.hidden) timer = setTimeout(() => setArmed(true), armingMs);
  };
  const look = (entries: readonly IntersectionObserverEntry[]): void => {
    const last = entries.at(-1) as TrackedEntry | undefined;
    if (!last) return;
    const isWhole = last.isVisible === true && last.intersectionRatio >= WHOLE;
    if (isWhole === isSeen) return;
    isSeen = isWhole;
    restart();
  };
  const follow = (): void => {
    const { x, y, width, height } = target.getBoundingClientRect();
    const now = [x, y, width, height].map(Math.round).join();
    if (now !== place) restart();
    place = now;
    frame = requestAnimationFrame(follow);
  };

  const observer = tracks ? new IntersectionObserver(look, VISIBLE) : undefined;
  observer?.observe(target);
  const pointer = isFramed
    ? watchPointer({ dwellMs: armingMs, isArmed: () => isArmed, onDoubt: restart })
    : undefined;
  document.addEventListener('visibilitychange', restart);
  addEventListener('resize', restart);
  follow();

  return {
    get isArmed() {
      return isArmed;
    },
    accepts({ isTrusted }) {
      // What the browser has seen already, though it has not told yet.
      if (observer) look(observer.takeRecords());
      return isTrusted && isArmed && !document.hidden;
    },
    restart,
    close() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      observer?.disconnect();
      pointer?.close();
      document.removeEventListener('visibilitychange', restart);
      removeEventListener('resize', restart);
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

/** Whether this browser tells what is really painted. */
export function tellsVisibility(): boolean {
  return (
    typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype
  );
}
