/** Where the tooltip of the embedded transaction button lies, and which part of its frame takes clicks. */

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point, Size {}

/**
 * The side of the button. At the top and the bottom, `left` and `right` name the edge that tooltip and button share;
 * `left` and `right` alone are centred vertically.
 */
export const TOOLTIP_POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'left',
  'right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;

export type TooltipPosition = (typeof TOOLTIP_POSITIONS)[number];

export interface TooltipPlace extends Size {
  readonly position: TooltipPosition;
  /** The gap between button and tooltip. */
  readonly offset: number;
}

export const BUTTON_SIZE: Size = { width: 200, height: 48 };
/** The wallet's own button shows what it signs from this size on; a smaller one has no room for it. */
export const SHOWING_SIZE: Size = { width: 200, height: 160 };
export const TOOLTIP: TooltipPlace = { width: 280, height: 300, position: 'top-center', offset: 6 };

/** Around the button: room for its focus ring. */
export const BUTTON_MARGIN = 4;
/** Around button and tooltip together: room for the tooltip's shadow. */
export const UNION_MARGIN = 8;

/** The tooltip next to this button. */
export function tooltipRect(button: Rect, { width, height, position, offset }: TooltipPlace): Rect {
  const centre = {
    x: button.x + (button.width - width) / 2,
    y: button.y + (button.height - height) / 2,
  };
  const left = position === 'left' ? button.x - offset - width : button.x;
  const right = position === 'right' ? button.x + button.width + offset : button.x + button.width - width;
  const x = position.endsWith('left') ? left : position.endsWith('right') ? right : centre.x;
  const y = position.startsWith('top')
    ? button.y - offset - height
    : position.startsWith('bottom')
      ? button.y + button.height + offset
      : centre.y;
  return { x, y, width, height };
}

/** The smallest rectangle that holds both. */
export function union(one: Rect, other: Rect): Rect {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

/** The frame that holds button, tooltip and their margin, and where the button lies in it. In whole pixels. */
export function frameLayout(size: Size, tooltip: TooltipPlace): Size & { readonly buttonPosition: Point } {
  const button = { x: 0, y: 0, ...size };
  const all = union(button, tooltipRect(button, tooltip));
  const buttonPosition = { x: Math.ceil(UNION_MARGIN - all.x), y: Math.ceil(UNION_MARGIN - all.y) };
  return {
    width: Math.ceil(buttonPosition.x + all.x + all.width + UNION_MARGIN),
    height: Math.ceil(buttonPosition.y + all.y + all.height + UNION_MARGIN),
    buttonPosition,
  };
}

/** The part of the frame that is painted and takes clicks: this rectangle and its margin. Clicks elsewhere reach the page. */
export function clipPath({ width, height }: Size, shown: Rect, margin: number): string {
  const sides = [
    shown.y - margin,
    width - (shown.x + shown.width + margin),
    height - (shown.y + shown.height + margin),
    shown.x - margin,
  ];
  return `inset(${sides.map((side) => `${Math.max(0, side)}px`).join(' ')})`;
}

/**
 * The position at which all of the tooltip is in view: the preferred one if it is, else one on the same side, else any.
 * Where none is, as below the fold, one that makes the page no wider; else the preferred one. `button` is relative to the
 * view. The frame's margin counts to the right, because a page scrolls to it.
 */
export function fittingPosition(button: Rect, tooltip: TooltipPlace, view: Size): TooltipPosition {
  const fits = (position: TooltipPosition, isInView: (shown: Rect) => boolean): boolean =>
    isInView(tooltipRect(button, { ...tooltip, position }));
  const fitsAcross = ({ x, width }: Rect): boolean => x >= 0 && x + width + UNION_MARGIN <= view.width;
  const fitsDown = ({ y, height }: Rect): boolean => y >= 0 && y + height <= view.height;
  const sideOf = (position: TooltipPosition): string => position.split('-')[0] ?? position;
  const side = sideOf(tooltip.position);
  const others = [...TOOLTIP_POSITIONS].sort(
    (one, other) => Number(sideOf(other) === side) - Number(sideOf(one) === side),
  );
  const positions = [tooltip.position, ...others];
  return (
    positions.find((position) => fits(position, (shown) => fitsAcross(shown) && fitsDown(shown))) ??
    positions.find((position) => fits(position, fitsAcross)) ??
    tooltip.position
  );
}
