/**
 * Whether a press of the pointer is meant for what lies under it. A hostile page that frames the document can move it
 * under the pointer: while the pointer rests, between two of its events, or with the press itself. Inside the frame
 * nothing moves, but each pointer event tells where the frame lies (see `pointer-relation`). A page that opens a window
 * brings it up under the pointer, and raises it again.
 *
 * A mouse must have been over the document for a while, the document still since then, and must press where it was last
 * seen. A finger or a pen may first be seen as it presses: for these, only a move between two touches is noticed.
 */
import { type PointerRelation, type PointerSample, refined, relationFrom } from './pointer-relation.js';

/** How far from its last position a mouse may press, in screen pixels: browsers report a move before a press. */
const NEAR = 4;

export interface PointerWatchOptions {
  /** How long a mouse must have been seen before it presses, in milliseconds. */
  readonly dwellMs: number;
  /** Whether this press counts by every other rule. */
  readonly isReady: (press: Event) => boolean;
  /** The document moved under the pointer. */
  readonly onMoved: () => void;
  /**
   * A press does not count: called before the press becomes a click, when it goes down and when it is released. Also called
   * for a press while no press counts: a user who presses fast in a row does not look.
   */
  readonly onRefused: (press: Event) => void;
}

export interface PointerWatch {
  /** Whether the pointer went down in this document and was not released yet. */
  readonly isDown: boolean;
  close(): void;
}

/** Watches the pointer in this window, and not the keyboard. */
export function watchPointer({ dwellMs, isReady, onMoved, onRefused }: PointerWatchOptions): PointerWatch {
  let relation: PointerRelation | undefined;
  let last: PointerSample | undefined;
  let stillSince = 0;
  /** Whether the mouse has left, or has not come yet. What fingers have told of the document's place stays. */
  let isMouseAway = true;
  let isRefused = false;
  let isDown = false;

  const see = (event: PointerEvent): void => {
    const known = relation && refined(relation, event);
    const wasMoved = relation !== undefined && known === undefined;
    const isArrival = isMouseAway && event.pointerType === 'mouse';
    if (isArrival) isMouseAway = false;
    if (!known || isArrival) stillSince = event.timeStamp;
    relation = known ?? relationFrom(event);
    if (wasMoved) onMoved();
  };
  // A `pointerover` does not set `last`: the browser may fire one because the frame moved, together with the press.
  const move = (event: PointerEvent): void => {
    see(event);
    last = event;
    isDown = event.buttons !== 0;
  };
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') isMouseAway = true;
  };
  const press = (event: PointerEvent): void => {
    const wasNear = last !== undefined && distance(last, event) <= NEAR;
    move(event);
    const wasSeen = wasNear && event.timeStamp - stillSince >= dwellMs;
    isRefused = (event.pointerType === 'mouse' && !wasSeen) || !isReady(event);
    if (isRefused) onRefused(event);
  };
  const release = (event: PointerEvent): void => {
    move(event);
    if (isRefused) onRefused(event);
  };
  const withdraw = (): void => {
    isDown = false;
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
  listen('pointercancel', withdraw);
  document.documentElement.addEventListener('pointerleave', leave, { signal: closing.signal });
  return {
    get isDown() {
      return isDown;
    },
    close: () => closing.abort(),
  };
}

const distance = (one: PointerSample, other: PointerSample): number =>
  Math.hypot(one.screenX - other.screenX, one.screenY - other.screenY);

type PointerEventType = 'pointerover' | 'pointermove' | 'pointerdown' | 'pointerup' | 'pointercancel';
