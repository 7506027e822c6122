/** The embedded transaction button for a user of forced colours, and for one who wants less motion. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { call } from '../testing/actions.js';
import {
  confirm,
  isOpen,
  middleOf,
  moveTo,
  onePageEach,
  openPage,
  type PageOptions,
  page,
  parts,
  transfers,
} from '../testing/button-frame.js';

const PREFERENCES = {
  'forced-colors': ['active', 'none'],
  'prefers-reduced-motion': ['reduce', 'no-preference'],
} as const;

const emulate = (name: keyof typeof PREFERENCES, isOn: boolean) =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value: PREFERENCES[name][isOn ? 0 : 1] }] });

onePageEach();

const drawn = (): Element[] => [...(parts(page).both?.querySelectorAll('*') ?? [])];
const isDrawn = (element: Element): boolean => element.checkVisibility();
const hover = async (): Promise<void> => {
  await moveTo(middleOf(parts(page).button));
  await expect.poll(() => isOpen(page)).toBe(true);
};
/** A request that stays under way until the returned function is called. */
function underWay(): { answer: NonNullable<PageOptions['answer']>; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<never[]>((resolve) => {
    end = () => resolve([]);
  });
  return { answer: () => ended, end: () => end() };
}
const spinner = (): HTMLElement | null => parts(page).button?.querySelector('.spinner') ?? null;

describe('in forced colours (kit 2)', () => {
  beforeEach(() => emulate('forced-colors', true));
  afterEach(() => emulate('forced-colors', false));

  it('button, tooltip and each transaction have an edge', async () => {
    await openPage();
    expect(page.frame.contentWindow?.matchMedia('(forced-colors: active)').matches).toBe(true);
    await hover();
    const edged = drawn().filter((element) => element.matches('.activate, .tooltip, .tree .card'));
    expect(edged.length).toBe(4);
    for (const element of edged) {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(element);
      expect([element.className, borderTopStyle, borderTopWidth]).toEqual([
        element.className,
        'solid',
        '1px',
      ]);
    }
  });

  it('a warning and arguments of a call have an edge too', async () => {
    await openPage({
      transactions: [
        {
          receiverId: 'bob.testnet',
          actions: [
            call('play', { amount: '1'.repeat(60) }, '0'),
            { type: 'DeleteKey', publicKey: 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp' },
          ],
        },
      ],
    });
    await hover();
    const edged = drawn().filter((element) => element.matches('.boxed, .warning'));
    expect(edged.length).toBeGreaterThan(1);
    for (const element of edged)
      expect(getComputedStyle(element).borderTopStyle, element.className).toBe('solid');
  });

  it('the place of the keyboard has an outline within the clip of the frame, on the button and on the details', async () => {
    await openPage();
    page.frame.focus();
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => isOpen(page)).toBe(true);
    const ringOf = (element: Element | null) => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element as Element);
      return { outlineStyle, reach: Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) };
    };
    expect(ringOf(parts(page).button)).toEqual({ outlineStyle: 'solid', reach: 3 });
    await userEvent.keyboard('{Tab}');
    expect(ringOf(parts(page).body)).toEqual({ outlineStyle: 'solid', reach: 0 });
  });

  it('confirms, and its sign of waiting turns visibly: one part of it has another colour', async () => {
    const { answer, end } = underWay();
    await openPage({ answer });
    await confirm(page);
    await expect.poll(spinner).not.toBeNull();
    const { borderTopColor, borderLeftColor } = getComputedStyle(spinner() as Element);
    expect(borderTopColor).not.toBe(borderLeftColor);
    end();
    await expect.poll(() => parts(page).button?.ariaBusy).toBe('false');
  });
});

describe('for a user who wants less motion (kit 2)', () => {
  beforeEach(() => emulate('prefers-reduced-motion', true));
  afterEach(() => emulate('prefers-reduced-motion', false));

  /** What glides, fades or turns smoothly. */
  const moving = (): string[] =>
    drawn()
      .filter((element) => {
        const style = getComputedStyle(element);
        const glides = style.transitionDuration.split(', ').some((duration) => duration !== '0s');
        const runs = style.animationName !== 'none' && style.animationDuration !== '0.001s';
        return glides || (runs && !style.animationTimingFunction.startsWith('steps'));
      })
      .map(({ className }) => className);

  it('nothing moves or fades, closed, open and at work, where a sign turns in steps', async () => {
    const { answer, end } = underWay();
    await openPage({ answer });
    expect(moving()).toEqual([]);
    await hover();
    expect(moving()).toEqual([]);
    await emulate('prefers-reduced-motion', false);
    await expect.poll(moving).not.toEqual([]);
    await emulate('prefers-reduced-motion', true);
    await confirm(page);
    await expect.poll(spinner).not.toBeNull();
    expect(moving()).toEqual([]);
    expect(getComputedStyle(spinner() as Element).animationIterationCount).toBe('infinite');
    end();
    await expect.poll(() => parts(page).button?.ariaBusy).toBe('false');
  });

  it('the tooltip is drawn where it was measured from its first moment', async () => {
    await openPage();
    const told: { visible: boolean; tooltip: unknown; drawn: unknown }[] = [];
    const listen = ({ data }: MessageEvent): void => {
      if (data.type !== 'TOOLTIP_STATE' || !data.payload.visible) return;
      const { x, y, width, height } = parts(page).tooltip?.getBoundingClientRect() ?? new DOMRect();
      told.push({ ...data.payload, drawn: { x, y, width, height } });
    };
    addEventListener('message', listen);
    await hover();
    await expect.poll(() => told.length).toBe(1);
    removeEventListener('message', listen);
    expect(told[0]?.tooltip).toEqual(told[0]?.drawn);
    expect(transfers.length).toBe(
      drawn().filter((element) => element.matches('.card') && isDrawn(element)).length,
    );
  });
});
