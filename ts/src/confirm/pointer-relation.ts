/**
 * Whether a document lay still on the screen between pointer events. Each event gives the pointer's place on the screen
 * and in the document's viewport. While nothing moves, screen = origin + scale · client, with one scale for both axes:
 * the zoom of page and viewport, which a framed document cannot read.
 */

/** Where one event found the pointer, as in `MouseEvent`: CSS pixels of the screen and of the viewport. */
export type PointerSample = Pick<MouseEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'>;

/** What the events of a still document have told. */
export interface PointerRelation {
  /** The first event; all others are compared with it, so that a creeping frame is noticed too. */
  readonly first: PointerSample;
  /** Screen pixels per viewport pixel: the least and the most that every event allows. */
  readonly scale: readonly [least: number, most: number];
}

/** From a page zoomed out to a quarter to one that is at 500 percent and pinch-zoomed. */
const SCALE_LIMITS = [0.25, 16] as const;
/** The error of each coordinate's difference, in pixels: browsers round either one, up or down. */
const ROUNDING = 2;

/** The relation after a first event. */
export function relationFrom({ screenX, screenY, clientX, clientY }: PointerSample): PointerRelation {
  return { first: { screenX, screenY, clientX, clientY }, scale: SCALE_LIMITS };
}

/** The relation after one more event; undefined when the document has moved or been scaled since the first. */
export function refined({ first, scale }: PointerRelation, next: PointerSample): PointerRelation | undefined {
  const x = scalesOf(next.screenX - first.screenX, next.clientX - first.clientX);
  const y = scalesOf(next.screenY - first.screenY, next.clientY - first.clientY);
  const least = Math.max(scale[0], x[0], y[0]);
  const most = Math.min(scale[1], x[1], y[1]);
  return least <= most ? { first, scale: [least, most] } : undefined;
}

/** The scales with which the differences agree: |screen − scale · client| ≤ rounding of both, (1 + scale) · ROUNDING. */
function scalesOf(screen: number, client: number): [least: number, most: number] {
  const limits: [number, number] = [0, Number.POSITIVE_INFINITY];
  for (const sign of [1, -1]) {
    // sign · (screen − scale · client) ≤ (1 + scale) · ROUNDING, as slope · scale ≥ rest.
    const slope = ROUNDING + sign * client;
    const rest = sign * screen - ROUNDING;
    if (slope > 0) limits[0] = Math.max(limits[0], rest / slope);
    else if (slope < 0) limits[1] = Math.min(limits[1], rest / slope);
    else if (rest > 0) return [1, 0];
  }
  return limits;
}
