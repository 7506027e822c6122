import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { type ClickGuard, guardClicks, tellsVisibility } from './guard.js';

let outer: HTMLElement;
let dialog: HTMLElement;
let button: HTMLButtonElement;
let guard: ClickGuard;
let changes: boolean[];
let accepted: boolean[];
let refusals: number;

function open({
  isFramed = true,
  armingMs = 50,
  isFree = (_target: EventTarget | null): boolean => false,
} = {}) {
  guard = guardClicks(dialog, {
    isFramed,
    isFree,
    armingMs,
    onChange: (isArmed) => changes.push(isArmed),
    onRefused: () => {
      refusals += 1;
    },
  });
}
const armed = () => expect.poll(() => guard.isArmed, { interval: 10, timeout: 10_000 }).toBe(true);
const disarmed = () => expect.poll(() => guard.isArmed, { interval: 10 }).toBe(false);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Enter, as the browser repeats it while it is held. */
const HELD = { key: 'Enter', code: 'Enter', autoRepeat: true, windowsVirtualKeyCode: 13 };

/** Presses Enter again until it counts: the frame needs the focus for a while first. */
async function enterUntilItCounts(keys = '{Enter}'): Promise<void> {
  const press = async () => {
    button.focus();
    await armed();
    await userEvent.keyboard(keys);
    return accepted.at(-1);
  };
  await expect.poll(press, { interval: 100, timeout: 20_000 }).toBe(true);
}

/** Presses again until a press counts, as a user does who sees that one did not. */
async function pressUntilItCounts(): Promise<void> {
  const press = async () => {
    await armed();
    await userEvent.click(button);
    return accepted.at(-1);
  };
  await expect.poll(press, { interval: 100, timeout: 40_000 }).toBe(true);
  await armed();
}

beforeEach(() => {
  changes = [];
  accepted = [];
  refusals = 0;
  outer = document.createElement('div');
  dialog = document.createElement('div');
  dialog.style.cssText = 'position:fixed;left:20px;top:20px;width:200px;height:120px;background:white';
  button = document.createElement('button');
  button.textContent = 'Confirm';
  button.style.cssText = 'width:120px;height:60px';
  button.addEventListener('click', (event) => accepted.push(guard.accepts(event)));
  dialog.append(button);
  outer.append(dialog);
  document.body.append(outer);
});
afterEach(() => {
  guard.close();
  outer.remove();
});

function cover(): HTMLElement {
  const element = document.createElement('div');
  element.style.cssText = 'position:fixed;left:60px;top:40px;width:20px;height:20px;background:red';
  element.style.pointerEvents = 'none';
  document.body.append(element);
  return element;
}

describe('a guarded click (frame 10, kit 2)', () => {
  it('counts by pointer and by Enter once the dialog has been visible, and never from a script [S25]', async () => {
    expect(tellsVisibility()).toBe(true);
    open();
    expect(guard.isArmed).toBe(false);
    await armed();
    button.click();
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await enterUntilItCounts();
    expect(accepted).toEqual([false, false, true]);
    await pressUntilItCounts();
  });

  it('is no Enter that is held or mashed while the dialog appears, however late a busy page hears it; the next one after a pause is [S27]', async () => {
    open();
    button.focus();
    const begun = Date.now();
    for (let press = 0; press < 12; press += 1) {
      const timestamp = (begun + press * 40) / 1000;
      // The dialog has been drawn for long enough before each but the first.
      if (press > 0) await armed();
      // Mashed, and held: the browser repeats the key.
      for (const autoRepeat of press % 2 === 0 ? [false] : [false, true, true])
        await cdp().send('Input.dispatchKeyEvent', {
          ...HELD,
          autoRepeat,
          type: 'keyDown',
          text: '\r',
          timestamp,
        });
      await cdp().send('Input.dispatchKeyEvent', { ...HELD, type: 'keyUp', timestamp });
    }
    expect(accepted).toEqual([]);
    await enterUntilItCounts();
    expect(accepted).toEqual([true]);
  });

  it('is no Enter or space that is held since before the focus came into the frame', async () => {
    open();
    button.focus();
    await armed();
    await pause(100);
    for (const [key, code] of [
      ['Enter', 'Enter'],
      [' ', 'Space'],
    ] as const) {
      const held = { key, code, autoRepeat: true, windowsVirtualKeyCode: key.charCodeAt(0) };
      const text = key === ' ' ? ' ' : '\r';
      await cdp().send('Input.dispatchKeyEvent', { ...held, type: 'keyDown', text });
      await cdp().send('Input.dispatchKeyEvent', { ...held, type: 'keyUp' });
    }
    expect(accepted).toEqual([]);
  });

  it('is one Enter, however long it is held [S27]', async () => {
    open();
    await enterUntilItCounts('{Enter>5/}');
    expect(accepted).toEqual([true]);
  });

  it('needs no time on a button that only ends the screen: an early Enter presses it, and a held one does not', async () => {
    let ended = 0;
    const done = document.createElement('button');
    done.textContent = 'Done';
    done.addEventListener('click', () => {
      ended += 1;
    });
    dialog.append(done);
    open({ armingMs: 60_000, isFree: (target) => target === done });
    done.focus();
    await cdp().send('Input.dispatchKeyEvent', { ...HELD, type: 'keyDown', text: '\r' });
    await cdp().send('Input.dispatchKeyEvent', { ...HELD, type: 'keyUp' });
    expect(ended).toBe(0);
    await userEvent.keyboard('{Enter}');
    expect(ended).toBe(1);
    button.focus();
    await userEvent.keyboard('{Enter}');
    expect(accepted).toEqual([]);
  });

  it('is no Enter right after a page gave the focus to the frame', async () => {
    const giveFocus = () => dispatchEvent(new FocusEvent('focus'));
    // With the press itself: on a busy machine a command takes longer than the guard waits.
    addEventListener('keydown', giveFocus, true);
    open({ armingMs: 300 });
    button.focus();
    await armed();
    changes = [];
    await userEvent.keyboard('{Enter}');
    removeEventListener('keydown', giveFocus, true);
    expect(accepted).toEqual([]);
    expect(changes[0]).toBe(false);
    await enterUntilItCounts();
  });

  it('does not count before the dialog has been visible long enough', async () => {
    open({ armingMs: 60_000 });
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
  });

  it('does not count while an overlay that lets the pointer through covers a part of the dialog', async () => {
    open();
    await armed();
    const cloth = cover();
    await disarmed();
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
    cloth.remove();
    await pressUntilItCounts();
  });

  it.each([
    ['an opacity', (element: HTMLElement) => element.style.setProperty('opacity', '0.5')],
    ['a filter', (element: HTMLElement) => element.style.setProperty('filter', 'blur(1px)')],
    ['a rotation', (element: HTMLElement) => element.style.setProperty('transform', 'rotate(3deg)')],
  ])('does not count while an element around the dialog has %s', async (_, spoil) => {
    spoil(outer);
    open();
    await pause(400);
    expect(guard.isArmed).toBe(false);
    outer.removeAttribute('style');
    await armed();
  });

  it('does not count while a part of the dialog is out of sight', async () => {
    dialog.style.left = '-150px';
    open();
    await pause(400);
    expect(guard.isArmed).toBe(false);
    dialog.style.left = '20px';
    await armed();
  });

  it('waits again after the dialog moves, grows or asks for something else', async () => {
    open({ isFramed: false });
    for (const change of [
      () => dialog.style.setProperty('left', '60px'),
      () => dialog.style.setProperty('height', '200px'),
      () => guard.restart(),
      () => dispatchEvent(new Event('resize')),
    ]) {
      await armed();
      changes = [];
      change();
      await expect.poll(() => changes, { interval: 10 }).toEqual([false, true]);
    }
  });

  it('does not count while a busy page draws nothing, however long', async () => {
    const held = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
    try {
      open({ isFramed: false });
      await pause(200);
      await userEvent.click(button);
      expect(accepted).toEqual([false]);
    } finally {
      held.mockRestore();
    }
  });

  it('counts without a frame, whatever the browser reports about visibility', async () => {
    outer.style.opacity = '0.5';
    open({ isFramed: false });
    await armed();
    await userEvent.click(button);
    expect(accepted).toEqual([true]);
  });

  it('does not count when the guard is closed', async () => {
    open();
    await armed();
    guard.close();
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
  });
});

describe('a mouse press, in a frame that its page can move (frame 10)', { timeout: 90_000 }, () => {
  // The test page itself runs in a frame, and the page around it lets the test move that frame.
  const frame = frameElement as HTMLElement;
  const slide = (x: number, y: number) => frame.style.setProperty('translate', `${x}px ${y}px`);
  afterEach(() => frame.style.removeProperty('translate'));

  /** The middle of the button, in coordinates of the page around the frame. */
  function middle(): { x: number; y: number } {
    const [at, inside] = [frame.getBoundingClientRect(), button.getBoundingClientRect()];
    return {
      x: Math.round(at.x + inside.x + inside.width / 2),
      y: Math.round(at.y + inside.y + inside.height / 2),
    };
  }
  type Mouse = 'mouseMoved' | 'mousePressed' | 'mouseReleased';
  const mouse = (type: Mouse, at: { x: number; y: number }, madeAt = Date.now()) =>
    cdp().send('Input.dispatchMouseEvent', {
      type,
      ...at,
      timestamp: madeAt / 1000,
      button: type === 'mouseMoved' ? 'none' : 'left',
      clickCount: 1,
    });
  /** Presses at this place, and at this time (Unix, in milliseconds), like a mouse at rest: the browser sends no move first. */
  async function press(at: { x: number; y: number }, madeAt?: number): Promise<boolean> {
    const before = accepted.length;
    await mouse('mousePressed', at, madeAt);
    await mouse('mouseReleased', at, madeAt);
    return answerAfter(before);
  }
  async function tap(at: { x: number; y: number }): Promise<boolean> {
    const before = accepted.length;
    await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return answerAfter(before);
  }
  async function answerAfter(before: number): Promise<boolean> {
    await expect.poll(() => accepted.length).toBe(before + 1);
    return accepted.at(-1) === true;
  }

  /** Longer than one press with its release takes on a slow machine: a press that restarts the time must not outlast it. */
  const PRESS_MS = 1_000;
  /** Longer than the next presses take there. */
  const LONG_MS = 4_000;

  /** In the frame, and outside of it once it has slid to the right. */
  const EDGE = { x: 4, y: 4 };
  // Moves the mouse elsewhere, so that no test begins with a mouse that the guard has seen.
  beforeEach(() => mouse('mouseMoved', EDGE));

  it('does not count before the guard has seen a mouse; the next press does', async () => {
    open({ armingMs: PRESS_MS });
    await armed();
    changes = [];
    expect(await press(middle())).toBe(false);
    expect(changes[0]).toBe(false);
    await pressUntilItCounts();
  });

  it('does not count the moment the mouse arrives, or far from its last position [S26]', async () => {
    open({ armingMs: LONG_MS });
    await armed();
    await mouse('mouseMoved', middle());
    expect(await press(middle())).toBe(false);
    await pressUntilItCounts();
    const { x, y } = middle();
    expect(await press({ x: x + 12, y })).toBe(false);
  });

  it.each([
    ['sideways', 14, 0],
    ['up', 0, -14],
    ['diagonally', 12, 7],
  ])('does not count after the frame moved %s under the mouse [S26]', async (_, x, y) => {
    open({ armingMs: PRESS_MS });
    await pressUntilItCounts();
    const before = middle();
    slide(x, y);
    changes = [];
    expect(await press(before)).toBe(false);
    expect(changes[0]).toBe(false);
    await pressUntilItCounts();
  });

  it('restarts the time as soon as a mouse move shows that the frame moved', async () => {
    open();
    await pressUntilItCounts();
    changes = [];
    const { x, y } = middle();
    slide(14, 0);
    await mouse('mouseMoved', { x: x + 1, y });
    await expect.poll(() => changes, { interval: 10 }).toEqual([false, true]);
  });

  it('does not count while uncounted presses follow each other fast, however late a busy page hears them [S28]', async () => {
    open({ armingMs: PRESS_MS });
    const begun = Date.now();
    const { x, y } = middle();
    // Seen for long enough, but the first press is too far from there.
    await mouse('mouseMoved', { x, y }, begun - 2 * PRESS_MS);
    for (let presses = 0; presses < 5; presses += 1) {
      // The page has been drawn for long enough before each.
      await armed();
      expect(await press({ x: x + 10, y }, begun + presses * 100)).toBe(false);
    }
    await pressUntilItCounts();
  });

  it('counts again after the mouse left the frame, came back and rested over it', async () => {
    open({ armingMs: LONG_MS });
    await pressUntilItCounts();
    const before = middle();
    slide(0, 400);
    await mouse('mouseMoved', before);
    slide(0, 0);
    await mouse('mouseMoved', before);
    expect(await press(before)).toBe(false);
    await pressUntilItCounts();
  });

  it('needs the same where no page frames the wallet: a window may come up under the mouse [S28]', async () => {
    open({ isFramed: false, armingMs: PRESS_MS });
    await armed();
    changes = [];
    expect(await press(middle())).toBe(false);
    expect(changes[0]).toBe(false);
    expect(refusals).toBeGreaterThan(0);
    for (let presses = 0; presses < 5; presses += 1) expect(await press(middle())).toBe(false);
    await pressUntilItCounts();
  });

  it('does not count right after its window got the focus, and does where it brings the focus itself', async () => {
    open({ isFramed: false, armingMs: LONG_MS });
    await pressUntilItCounts();
    changes = [];
    dispatchEvent(new FocusEvent('focus'));
    expect(changes).toEqual([false]);
    expect(await press(middle())).toBe(false);
    await armed();
    const giveFocus = () => dispatchEvent(new FocusEvent('focus'));
    addEventListener('mousedown', giveFocus);
    try {
      await pressUntilItCounts();
    } finally {
      removeEventListener('mousedown', giveFocus);
    }
  });

  it.each([
    ['', false],
    [', also when a mouse leaves the frame between the two', true],
  ])(
    'needs no earlier move when a finger makes it, but the frame must not have moved since the last touch%s [S63]',
    async (_, hasMouse) => {
      await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true });
      open({ armingMs: LONG_MS });
      await armed();
      const before = middle();
      expect(await tap(before)).toBe(true);
      // Without a wait: the browser may itself report the move, as one of the mouse that it derives from the last tap.
      slide(14, 0);
      if (hasMouse) await mouse('mouseMoved', EDGE);
      expect(await tap(before)).toBe(false);
      await armed();
      expect(await tap(before)).toBe(true);
      await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false });
    },
  );

  it('does not count where a finger was, the moment the mouse arrives', async () => {
    open({ armingMs: LONG_MS });
    await armed();
    const at = middle();
    expect(await tap(at)).toBe(true);
    await mouse('mouseMoved', at);
    expect(await press(at)).toBe(false);
    await pressUntilItCounts();
  });
});
