/**
 * Whether a key pressed in the confirmation is the user's own answer. A user who holds or mashes a key in the page around a
 * frame, in a game for instance, has answered nothing: the page can show the confirmation and move the focus there at any
 * moment. So a press counts only if the confirmation was ready for it and the frame had the focus for a while before. A key
 * that is held counts once, where it was pressed.
 */

/** Keys that press a button. */
const PRESSING: ReadonlySet<string> = new Set(['Enter', ' ']);
/** Keys that answer and change nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta']);

export interface KeyWatchOptions {
  /** Whether a click would count now. */
  readonly isArmed: () => boolean;
  /** Whether an untrusted page frames this document, and so moves the focus. */
  readonly isFramed: boolean;
  /** Whether a press here needs none of that, because all it can do is end what is open. A held key presses nothing here either. */
  readonly isFree: (target: EventTarget | null) => boolean;
  /** How long the frame must have had the focus, in milliseconds. */
  readonly dwellMs: number;
  /** Called for each press that does not count. */
  readonly onDoubt: () => void;
}

/** Lets only presses that count do anything in `target`. */
export function watchKeys(target: Element, options: KeyWatchOptions): { close(): void } {
  const { isArmed, isFramed, isFree, dwellMs, onDoubt } = options;
  /** The keys that are down and whose press counts. */
  const down = new Set<string>();
  let readyAt = isFramed && !document.hasFocus() ? Number.POSITIVE_INFINITY : 0;

  const wait = (): void => {
    if (isFramed) readyAt = performance.now() + dwellMs;
  };
  const onDown = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || isHarmless(event)) return;
    const { code, key, repeat } = event;
    if (!repeat) {
      down.delete(code);
      if (isFree(event.target) || (isArmed() && performance.now() >= readyAt)) down.add(code);
    }
    if (down.has(code) && !(repeat && PRESSING.has(key))) return;
    event.preventDefault();
    if (down.has(code)) return;
    wait();
    onDoubt();
  };
  const onUp = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || isHarmless(event)) return;
    // A button takes the space bar when it is released.
    if (!down.delete(event.code)) event.preventDefault();
  };

  target.addEventListener('keydown', onDown, true);
  target.addEventListener('keyup', onUp, true);
  addEventListener('focus', wait);
  return {
    close() {
      target.removeEventListener('keydown', onDown, true);
      target.removeEventListener('keyup', onUp, true);
      removeEventListener('focus', wait);
    },
  };
}

/** Whether a press can neither answer nor change a setting: it moves the focus, scrolls, or ends the request. */
function isHarmless({ key, target }: KeyboardEvent): boolean {
  if (HARMLESS.has(key)) return true;
  return !PRESSING.has(key) && !(target instanceof Element && target.matches('input, select, [role]'));
}
