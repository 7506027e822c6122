/**
 * Which clicks confirm, in the confirmation and on both transaction buttons: the user has seen everything, and the guard
 * accepts the click. Everything is seen once the text stands at its end with nothing folded. No React: each embedded button
 * loads it in a frame of its own.
 */
import { type ClickGuard, guardClicks } from 'latchkey/internal';

/** Marks the last thing that must be seen. */
const END = '[data-end]';
/** Marks the button that unfolds a text. */
const FOLDED = '[data-folded]';
/** How much of its height one step scrolls. */
const PAGE = 0.85;
/** Rounding to whole pixels may hide this much of the end. */
const END_MARGIN_PX = 2;

export interface ClickState {
  /** Whether the user has seen everything of this question. */
  readonly isRead: boolean;
  /** Whether that took the user a step. */
  readonly hasWaited: boolean;
  /** Whether a text is folded. */
  readonly isFolded: boolean;
  /** Whether the guard accepts clicks. */
  readonly isArmed: boolean;
  /** A press did not count, and none has been possible since. */
  readonly isTooSoon: boolean;
}

export const UNSEEN: ClickState = {
  isRead: false,
  hasWaited: false,
  isFolded: false,
  isArmed: false,
  isTooSoon: false,
};

export interface ClickRule {
  readonly state: ClickState;
  /** Whether a click confirms. */
  accepts(click: Pick<Event, 'isTrusted'>): boolean;
  /** Guards the clicks in everything that the user must see, instead of what it guarded; null ends it. */
  guard(box: Element | null): void;
  /** Follows what was seen of a text that scrolls, instead of the one before; null ends it. */
  follow(text: HTMLElement | null): void;
  /** Shows what was not seen yet: scrolls on, then opens what is folded. */
  more(): void;
  /** The user is asked again: restarts the guard's time. */
  restart(): void;
  /** Another question: nothing of it was seen. */
  reset(): void;
}

/** Calls `onChange` with each new state. `isFramed`: as the guard's option. */
export function ruleClicks(
  onChange: (state: ClickState) => void,
  { isFramed }: { readonly isFramed?: boolean } = {},
): ClickRule {
  let state = UNSEEN;
  let guard: ClickGuard | undefined;
  let text: HTMLElement | undefined;
  let unfollow: (() => void) | undefined;
  let isAskedForMore = false;

  const set = (next: Partial<ClickState>): void => {
    state = { ...state, ...next };
    onChange(state);
  };
  const isAtEnd = (): boolean => {
    const end = text?.querySelector(END);
    if (!text || !end) return false;
    return end.getBoundingClientRect().top <= text.getBoundingClientRect().bottom + END_MARGIN_PX;
  };
  const look = (): void => {
    if (state.isRead || !text || text.clientHeight === 0) return;
    const isFolded = text.querySelector(FOLDED) !== null;
    if (isFolded || !isAtEnd()) {
      if (!state.hasWaited || state.isFolded !== isFolded) set({ isFolded, hasWaited: true });
      return;
    }
    // The click that shows the end is not the one that confirms.
    if (state.hasWaited) guard?.restart();
    // The button that was pressed goes: the focus stays with what it showed, and does not move to the one that confirms.
    if (isAskedForMore) text.focus();
    set({ isFolded, isRead: true });
  };

  return {
    get state() {
      return state;
    },
    accepts: (click) => state.isRead && guard?.accepts(click) === true,
    guard(box) {
      guard?.close();
      if (state.isArmed) set({ isArmed: false });
      guard = box
        ? guardClicks(box, {
            isFramed,
            onChange: (isArmed) => set(isArmed ? { isArmed, isTooSoon: false } : { isArmed }),
            onRefused: () => set({ isTooSoon: true }),
          })
        : undefined;
    },
    follow(next) {
      unfollow?.();
      unfollow = undefined;
      text = next ?? undefined;
      if (!next) return;
      const sizes = new ResizeObserver(look);
      const contents = new MutationObserver(look);
      sizes.observe(next);
      contents.observe(next, { childList: true, subtree: true });
      next.addEventListener('scroll', look, { passive: true });
      unfollow = () => {
        sizes.disconnect();
        contents.disconnect();
        next.removeEventListener('scroll', look);
      };
      look();
    },
    more() {
      isAskedForMore = true;
      if (!isAtEnd()) {
        text?.scrollBy({ top: text.clientHeight * PAGE });
        return;
      }
      const fold = text?.querySelector<HTMLElement>(FOLDED);
      fold?.scrollIntoView({ block: 'nearest' });
      fold?.click();
    },
    restart: () => guard?.restart(),
    reset() {
      isAskedForMore = false;
      guard?.restart();
      set({ ...UNSEEN, isTooSoon: state.isTooSoon });
      look();
    },
  };
}
