/**
 * Whether a document lay still in the screen between the pointer's events, which tell both places of the pointer: in the
 * screen, and in the document's viewport. While nothing moves, screen = origin + scale · client, with one scale for both
 * axes: the zoom of page and viewport, which a framed document cannot read.
 */

/** Where one event found the pointer: as `MouseEvent` tells it, in CSS pixels of the screen and of the viewport. */
export type PointerSample = Pick<MouseEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'>;

/** What the events of a document that lies still have told. */
export interface PointerRelation {
  /** The first event, which all others are compared with: a frame that creeps is noticed too. */
  readonly first: PointerSample;
  /** Screen pixels to one of the viewport: the least and the most that every event allows. */
  readonly scale: readonly [least: number, most: number];
}

/** From a page zoomed to a quarter, to one at 500 percent that is pinched too. */
const SCALE_LIMITS = [0.25, 16] as const;
/** Of each coordinate's difference, in pixels: browsers round the one or the other, up or down. */
const ROUNDING = 2;

/** What a first event tells. */
export function relationFrom({ screenX, screenY, clientX, clientY }: PointerSample): PointerRelation {
  return { first: { screenX, screenY, clientX, clientY }, scale: SCALE_LIMITS };
}

/** What is known after one more event. Undefined: the document moved in the screen, or was scaled, since the first. */
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
