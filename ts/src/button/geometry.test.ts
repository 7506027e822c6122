import { describe, expect, it } from 'vitest';
import {
  BUTTON_SIZE,
  clipPath,
  fittingPosition,
  frameLayout,
  TOOLTIP,
  TOOLTIP_POSITIONS,
  type TooltipPosition,
  tooltipRect,
} from './geometry.js';

const button = { x: 400, y: 400, ...BUTTON_SIZE };
const at = (position: TooltipPosition) => tooltipRect(button, { ...TOOLTIP, position });

describe('The tooltip of the transaction button (button 9)', () => {
  it('has the sizes of the specification', () => {
    expect(BUTTON_SIZE).toEqual({ width: 200, height: 48 });
    expect(TOOLTIP).toMatchObject({ width: 280, height: 300, offset: 6 });
  });

  it.each([
    ['top-left', 400, 94],
    ['top-center', 360, 94],
    ['top-right', 320, 94],
    ['left', 114, 274],
    ['right', 606, 274],
    ['bottom-left', 400, 454],
    ['bottom-center', 360, 454],
    ['bottom-right', 320, 454],
  ] as const)('lies 6 pixels off the button at %s', (position, x, y) => {
    expect(at(position)).toEqual({ x, y, width: 280, height: 300 });
  });

  it('lies with the button inside the frame at each position, with a margin of 8 pixels around both', () => {
    expect(TOOLTIP_POSITIONS).toHaveLength(8);
    for (const position of TOOLTIP_POSITIONS) {
      const place = { ...TOOLTIP, position };
      const { buttonPosition, width, height } = frameLayout(BUTTON_SIZE, place);
      const own = { ...buttonPosition, ...BUTTON_SIZE };
      const tooltip = tooltipRect(own, place);
      expect(Math.min(own.x, tooltip.x)).toBe(8);
      expect(Math.min(own.y, tooltip.y)).toBe(8);
      expect(Math.max(own.x + own.width, tooltip.x + tooltip.width)).toBe(width - 8);
      expect(Math.max(own.y + own.height, tooltip.y + tooltip.height)).toBe(height - 8);
    }
  });

  it('leaves the clicks outside of its clip to the page', () => {
    expect(clipPath({ width: 300, height: 400 }, { x: 50, y: 330, width: 200, height: 48 }, 4)).toBe(
      'inset(326px 46px 18px 46px)',
    );
    expect(clipPath({ width: 300, height: 400 }, { x: 2, y: 2, width: 296, height: 396 }, 8)).toBe(
      'inset(0px 0px 0px 0px)',
    );
  });
});

describe('The position of the tooltip in a view (button 9)', () => {
  const view = { width: 1000, height: 900 };
  const fitting = (position: TooltipPosition, moved: { x?: number; y?: number } = {}, width = view.width) =>
    fittingPosition({ ...button, ...moved }, { ...TOOLTIP, position }, { ...view, width });

  it.each(TOOLTIP_POSITIONS)('is the chosen one where it fits: %s', (position) => {
    expect(fitting(position)).toBe(position);
  });

  it('moves along the side before it changes the side', () => {
    expect(fitting('top-center', { x: 10 })).toBe('top-left');
    expect(fitting('bottom-left', { x: 790 })).toBe('bottom-right');
  });

  it('changes the side at the edge of the view', () => {
    expect(fitting('top-left', { y: 100 })).toBe('bottom-left');
    expect(fitting('left', { x: 100 })).not.toBe('left');
  });

  it('makes the page no wider where the button is below the fold', () => {
    // A button at the right edge of a phone: the centred tooltip would end at 325.
    expect(fitting('top-center', { x: 85, y: 2_000 }, 320)).toBe('top-right');
    expect(fitting('bottom-left', { x: 85, y: -2_000 }, 320)).toBe('bottom-right');
  });

  it('leaves room for the margin of the frame at the right edge', () => {
    expect(fitting('top-left', { x: 712 })).toBe('top-left');
    expect(fitting('top-left', { x: 713 })).not.toBe('top-left');
  });

  it('fits into 320 pixels', () => {
    expect(fitting('right', { x: 60 }, 320)).toBe('top-center');
    expect(fitting('top-center', { x: 16 }, 320)).toBe('top-left');
  });

  it('stays the chosen one where none fits', () => {
    expect(fitting('left', { x: 10 }, 200)).toBe('left');
  });
});
