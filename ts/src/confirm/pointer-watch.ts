/**
 * Whether a press of the pointer is meant for what lies under it, in a document that a hostile page frames and can move
 * under the pointer: while it rests, between two of its events, or with the press itself. Inside, nothing moves; but where
 * the frame lies, each event of the pointer tells (see `pointer-relation`).
 *
 * A mouse must have been seen over the document for a while, the document still since then, and must press where it was
 * seen last. A finger or a pen may be seen first as it presses: for these, only a move between two touches is noticed.
 */
import { type PointerRelation, type PointerSample, refined, relationFrom } from './pointer-relation.js';

/** How far from where it was seen last a mouse may press, in pixels of the screen: browsers tell a move before a press. */
const NEAR = 4;

export interface PointerWatchOptions {
  /** For how long a mouse must have been seen before it presses, in milliseconds. */
  readonly dwellMs: number;
  /** Whether presses count by now, as far as anything else tells. */
  readonly isArmed: () => boolean;
  /**
   * The document was moved, or a press does not count: called before the click that it makes, when it goes down and when
   * it is let go. A press that comes while no press counts is told too: who presses fast in a row does not look.
   */
  readonly onDoubt: () => void;
}

export interface PointerWatch {
  close(): void;
}

/** Watches the pointer in this window. The keyboard is none of it. */
export function watchPointer({ dwellMs, isArmed, onDoubt }: PointerWatchOptions): PointerWatch {
  let relation: PointerRelation | undefined;
  let last: PointerSample | undefined;
  let stillSince = 0;
  let isRefused = false;

  const see = (event: PointerEvent): void => {
    const known = relation && refined(relation, event);
    const wasMoved = relation !== undefined && known === undefined;
    if (!known) stillSince = event.timeStamp;
    relation = known ?? relationFrom(event);
    if (wasMoved) onDoubt();
  };
  // Not where it is told to be over something else: that can be news of what was moved, told with the press.
  const move = (event: PointerEvent): void => {
    see(event);
    last = event;
  };
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') relation = undefined;
  };
  const press = (event: PointerEvent): void => {
    const wasNear = last !== undefined && distance(last, event) <= NEAR;
    move(event);
    const wasSeen = wasNear && event.timeStamp - stillSince >= dwellMs;
    isRefused = (event.pointerType === 'mouse' && !wasSeen) || !isArmed();
    if (isRefused) onDoubt();
  };
  const release = (event: PointerEvent): void => {
    move(event);
    if (isRefused) onDoubt();
  };

  const closing = new AbortController();
  const listen = (type: PointerEventType, listener: (event: PointerEvent) => void): void =>
    addEventListener(type, (event) => event.isTrusted && listener(event), {
      capture: true,
      passive: true,
      signal: closing.signal,
    });
  listen('pointerover', see);
  listen('pointermove', move);
  listen('pointerdown', press);
  listen('pointerup', release);
  document.documentElement.addEventListener('pointerleave', leave, { signal: closing.signal });
  return { close: () => closing.abort() };
}

const distance = (one: PointerSample, other: PointerSample): number =>
  Math.hypot(one.screenX - other.screenX, one.screenY - other.screenY);

type PointerEventType = 'pointerover' | 'pointermove' | 'pointerdown' | 'pointerup';
