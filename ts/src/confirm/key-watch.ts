/**
 * Whether a key pressed in the confirmation is the user's own answer. A user who holds or mashes a key in another page, in a
 * game for instance, has answered nothing: that page can show the confirmation and move the focus there at any moment. So a
 * press counts only if the confirmation was ready for it. A key that is held counts once, where it was pressed.
 */

/** Keys that press a button. */
const PRESSING: ReadonlySet<string> = new Set(['Enter', ' ']);
/** Keys that answer and change nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta']);

export interface KeyWatchOptions {
  /** Whether a press counts now. */
  readonly isReady: (press: Event) => boolean;
  /** Whether a press here needs none of that, because all it can do is end what is open. A held key presses nothing here either. */
  readonly isFree: (target: EventTarget | null) => boolean;
  /** Called for each press that does not count. */
  readonly onRefused: (press: Event) => void;
}

/** Lets only presses that count do anything in `target`. */
export function watchKeys(target: Element, options: KeyWatchOptions): { close(): void } {
  const { isReady, isFree, onRefused } = options;
  /** The keys that are down and whose press counts. */
  const down = new Set<string>();

  const onDown = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || isHarmless(event)) return;
    const { code, key, repeat } = event;
    if (!repeat) {
      down.delete(code);
      if (isFree(event.target) || isReady(event)) down.add(code);
    }
    if (down.has(code) && !(repeat && PRESSING.has(key))) return;
    event.preventDefault();
    if (!down.has(code)) onRefused(event);
  };
  const onUp = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || isHarmless(event)) return;
    // A button takes the space bar when it is released.
    if (!down.delete(event.code)) event.preventDefault();
  };

  target.addEventListener('keydown', onDown, true);
  target.addEventListener('keyup', onUp, true);
  return {
    close() {
      target.removeEventListener('keydown', onDown, true);
      target.removeEventListener('keyup', onUp, true);
    },
  };
}

/** Whether a press can neither answer nor change a setting: it moves the focus, scrolls, or ends the request. */
function isHarmless({ key, target }: KeyboardEvent): boolean {
  if (HARMLESS.has(key)) return true;
  return !PRESSING.has(key) && !(target instanceof Element && target.matches('input, select, [role]'));
}
