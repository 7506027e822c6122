import { describe, expect, it } from 'vitest';
import { type PointerRelation, type PointerSample, refined, relationFrom } from './pointer-relation.js';

type Place = readonly [x: number, y: number];

/** What a browser reports of a pointer in a frame at this place; both positions are rounded, as some browsers do. */
function event(at: Place, { frame = [100, 80] as Place, scale = 1 } = {}): PointerSample {
  return {
    screenX: Math.floor(at[0]),
    screenY: Math.floor(at[1]),
    clientX: Math.floor((at[0] - frame[0]) / scale),
    clientY: Math.floor((at[1] - frame[1]) / scale),
  };
}
const after = (events: readonly PointerSample[]): PointerRelation | undefined =>
  events
    .slice(1)
    .reduce<PointerRelation | undefined>(
      (relation, next) => relation && refined(relation, next),
      relationFrom(events[0] as PointerSample),
    );
const lies = (...events: PointerSample[]): boolean => after(events) !== undefined;

const path: Place[] = [
  [300, 300],
  [301.6, 299.2],
  [340.5, 280],
  [512.3, 401.9],
  [511, 640],
  [260, 333.3],
];
const scales = [0.25, 0.5, 0.67, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 3, 5];

describe('a document on the screen (frame 10)', () => {
  it.each(scales)('lies still when only the pointer moves, at a zoom of %d', (scale) => {
    expect(lies(...path.map((at) => event(at, { scale })))).toBe(true);
  });

  it.each(scales)(
    'has moved when it slides by 12 of its pixels under a resting pointer, at a zoom of %d [S26]',
    (scale) => {
      const slide = 12 * scale;
      for (const [x, y] of [
        [slide, 0],
        [-slide, 0],
        [0, slide],
        [slide, -slide],
      ] as const) {
        const frame: Place = [100 + x, 80 + y];
        expect(lies(event([300, 300], { scale }), event([300, 300], { frame, scale }))).toBe(false);
      }
    },
  );

  it.each(scales)(
    'has moved when it slides by 20 pixels after the pointer moved, at a zoom of %d',
    (scale) => {
      const moved = path.map((at) => event(at, { scale }));
      for (const frame of [
        [120, 80],
        [80, 80],
        [100, 60],
        [115, 95],
      ] as const) {
        expect(lies(...moved, event([260, 333], { frame, scale }))).toBe(false);
      }
    },
  );

  it('has moved when it moves with the pointer, or against it', () => {
    expect(lies(event([300, 300]), event([360, 300], { frame: [160, 80] }))).toBe(false);
    expect(lies(event([300, 300]), event([330, 300], { frame: [160, 80] }))).toBe(false);
    expect(lies(event([300, 300]), event([310, 300], { frame: [40, 80] }))).toBe(false);
  });

  it('has moved when it creeps in steps smaller than rounding can hide', () => {
    const steps = Array.from({ length: 20 }, (_, step) => event([300, 300], { frame: [100 + step, 80] }));
    expect(lies(...steps.slice(0, 2))).toBe(true);
    expect(lies(...steps)).toBe(false);
  });

  it("has moved when the pointer's place changes on the screen but not in the document", () => {
    const moved = path.map((at) => event(at));
    expect(lies(...moved, { ...(moved.at(-1) as PointerSample), screenX: 290 })).toBe(false);
  });

  it("was scaled when the pointer's distances no longer agree", () => {
    const at = { scale: 1.25 };
    expect(lies(event([300, 300]), event([400, 400]), event([500, 500], at))).toBe(false);
  });

  it('lies still when the browser reports one place for both [S64]', () => {
    const told = ([x, y]: Place): PointerSample => ({ screenX: x, screenY: y, clientX: x, clientY: y });
    expect(lies(...path.map(told))).toBe(true);
  });
});

describe('the relation of two events', () => {
  const first = relationFrom({ screenX: 0, screenY: 0, clientX: 0, clientY: 0 });
  const to = (screenX: number, clientX: number) =>
    refined(first, { screenX, screenY: 0, clientX, clientY: 0 });

  it('holds up to the largest zoom, and not a pixel beyond it', () => {
    expect(to(82, 3)?.scale).toEqual([16, 16]);
    expect(to(83, 3)).toBeUndefined();
  });

  it('allows opposite directions only as far as rounding explains them', () => {
    expect(to(2, -2)).toBeDefined();
    expect(to(3, -2)).toBeUndefined();
  });
});
