import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { WALLET_ORIGIN } from '../testing/frames.js';
import { createOverlay, type Overlay } from './overlay.js';

let overlay: Overlay;
let frame: HTMLIFrameElement;
let button: HTMLButtonElement;
let tall: HTMLDivElement;
let loads: number;

beforeEach(async () => {
  button = document.createElement('button');
  button.textContent = 'Sign';
  tall = document.createElement('div');
  tall.style.height = '4000px';
  document.body.append(button, tall);
  overlay = createOverlay();
  frame = document.createElement('iframe');
  loads = 0;
  frame.addEventListener('load', () => {
    loads += 1;
  });
  frame.src = `${WALLET_ORIGIN}/ts/src/frame/testing/listener/`;
  overlay.mount(frame);
  await soon(() => expect(loads).toBe(1));
});

afterEach(() => {
  overlay.unmount();
  button.remove();
  tall.remove();
  scrollTo(0, 0);
});

const host = () => document.querySelector('latchkey-wallet');
const isFocused = () => host()?.shadowRoot?.activeElement === frame;
/** The element at the middle of the page's button. */
const hit = () => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2);
};
const box = () => {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { left, top, width, height };
};

/** Generous, because these tests do not measure speed and a busy machine is slow. */
const soon = <T>(check: () => T) => vi.waitFor(check, { timeout: 10_000 });

describe('the overlay (frame 4, frame 9)', () => {
  it('is hidden at first: no size, no clicks, no tab stop', async () => {
    expect(box()).toMatchObject({ width: 0, height: 0 });
    expect(hit()).toBe(button);
    button.focus();
    await userEvent.tab();
    expect(isFocused()).toBe(false);
  });

  it('covers the page while a request shows it, and the frame is not loaded again', () => {
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(box()).toEqual({ left: 0, top: 0, width: innerWidth, height: innerHeight });
    expect(hit()).toBe(host());
    hold.hide();
    expect(box()).toMatchObject({ width: 0, height: 0 });
    expect(hit()).toBe(button);
    hold.show();
    hold.release();
    expect(hit()).toBe(button);
    expect(loads).toBe(1);
  });

  it('is above the highest layer of the page and above its modal dialogs', () => {
    const high = document.createElement('div');
    high.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647;';
    const modal = document.createElement('dialog');
    document.body.append(high, modal);
    modal.showModal();
    const hold = overlay.hold(() => undefined);
    hold.show();
    const dialog = host()?.shadowRoot?.querySelector('dialog');
    expect(dialog && getComputedStyle(dialog).zIndex).toBe('2147483646');
    expect(document.elementFromPoint(innerWidth / 2, innerHeight / 2)).toBe(host());
    hold.release();
    modal.remove();
    high.remove();
  });

  it('takes the focus and gives it back', () => {
    button.focus();
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(isFocused()).toBe(true);
    button.focus();
    expect(document.activeElement).not.toBe(button);
    hold.release();
    expect(document.activeElement).toBe(button);
  });

  it('takes no scroll position, scrollbar or style from a page whose body scrolls, and gives nothing back late', () => {
    const page = new CSSStyleSheet();
    page.replaceSync('html, body { height: 100%; margin: 0; overflow: auto }');
    document.adoptedStyleSheets.push(page);
    document.body.scrollTop = 100;
    const places = () => [
      document.body.scrollTop,
      document.documentElement.getAttribute('style'),
      document.body.clientWidth,
      tall.getBoundingClientRect().top,
    ];
    const before = places();
    expect(before[0]).toBe(100);
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(places()).toEqual(before);
    hold.release();
    expect(places()).toEqual(before);
    document.adoptedStyleSheets.pop();
  });

  it('covers the window, and lies over its container, to the pixel in a page with a zoom', async () => {
    document.documentElement.style.zoom = '1.25';
    document.body.style.zoom = '0.9';
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(box()).toEqual({ left: 0, top: 0, width: innerWidth, height: innerHeight });
    expect(frame.currentCSSZoom).toBeCloseTo(1);
    hold.release();
    const container = button.getBoundingClientRect();
    overlay.anchor(container);
    const { left, top, width, height } = container;
    for (const [side, at] of Object.entries({ left, top, width, height }))
      expect(box()[side as 'left']).toBeCloseTo(at, 0);
    document.documentElement.style.removeProperty('zoom');
    document.body.style.removeProperty('zoom');
  });

  it('stays for the second of two requests when the first is done', () => {
    const first = overlay.hold(() => undefined);
    const second = overlay.hold(() => undefined);
    first.show();
    second.show();
    first.hide();
    expect(hit()).toBe(host());
    expect(isFocused()).toBe(true);
    // A phase of the hidden request does not take the frame from the other one either.
    first.hide();
    first.release();
    expect(hit()).toBe(host());
    second.release();
    expect(hit()).toBe(button);
  });

  it('cancels by Escape the request that showed first, and only that one', async () => {
    const cancelled: string[] = [];
    const first = overlay.hold(() => {
      cancelled.push('first');
      first.release();
    });
    const second = overlay.hold(() => cancelled.push('second'));
    first.show();
    second.show();
    // The focus may be in the page's part of the dialog while the frame loads.
    frame.blur();
    await userEvent.keyboard('{Escape}');
    await soon(() => expect(cancelled).toEqual(['first']));
    expect(hit()).toBe(host());
    await userEvent.keyboard('{Escape}');
    await soon(() => expect(cancelled).toEqual(['first', 'second']));
    // It did not end, so the frame stays in place.
    await soon(() => expect(hit()).toBe(host()));
    expect(box()).toMatchObject({ width: innerWidth, height: innerHeight });
    second.release();
    expect(hit()).toBe(button);
  });

  it('covers a rectangle when it is anchored, and returns to it', () => {
    overlay.anchor({ left: 20, top: 300, width: 200, height: 48 });
    expect(box()).toEqual({ left: 20, top: 300, width: 200, height: 48 });
    expect(document.elementFromPoint(100, 320)).toBe(host());
    expect(hit()).toBe(button);
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(box()).toMatchObject({ width: innerWidth, height: innerHeight });
    hold.hide();
    expect(box()).toEqual({ left: 20, top: 300, width: 200, height: 48 });
    overlay.anchor(null);
    expect(box()).toMatchObject({ width: 0, height: 0 });
    expect(loads).toBe(1);
  });

  it('writes no style attribute by markup and no style tag, and no rule of the page reaches it', () => {
    const rules = new CSSStyleSheet();
    rules.replaceSync(`
      dialog, iframe, latchkey-wallet { opacity: 0.5 !important; transform: scale(0.5) !important; filter: blur(1px) !important; }
      body > * { position: relative !important; display: block !important; }
    `);
    document.adoptedStyleSheets = [rules];
    const hold = overlay.hold(() => undefined);
    hold.show();
    expect(box()).toEqual({ left: 0, top: 0, width: innerWidth, height: innerHeight });
    for (
      let at: Element | null = frame;
      at;
      at = at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null
    ) {
      const { opacity, transform, filter } = getComputedStyle(at);
      expect({ at: at.localName, opacity, transform, filter }).toEqual({
        at: at.localName,
        opacity: '1',
        transform: 'none',
        filter: 'none',
      });
      if (at === host()) break;
    }
    hold.release();
    document.adoptedStyleSheets = [];
    expect(host()?.shadowRoot?.querySelectorAll('style, [style*="animation"]')).toHaveLength(0);
  });

  it('leaves nothing behind when it is removed during a request', () => {
    button.focus();
    overlay.hold(() => undefined).show();
    overlay.unmount();
    expect(host()).toBeNull();
    expect(document.documentElement.style.overflow).toBe('');
    expect(document.activeElement).toBe(button);
  });
});
