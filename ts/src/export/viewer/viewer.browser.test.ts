import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { englishViewer } from '../viewer-texts.js';
import { drawViewer, type View } from './view.js';

const emulate = (features: { name: string; value: string }[]) =>
  cdp().send('Emulation.setEmulatedMedia', { features });
const KEY = `ed25519:${'A'.repeat(88)}`;
const named = (name: string) => page.getByRole('button', { name, exact: true });

let view: View;
let pressed: string[];

beforeEach(() => {
  pressed = [];
  view = drawViewer(
    { accountId: 'alice.testnet', publicKey: KEY, networkId: 'testnet', variant: 'modal', theme: 'light' },
    { language: 'en', texts: englishViewer },
    {
      onContinue: () => pressed.push('continue'),
      onShow: () => {
        pressed.push('show');
        view.reveal(KEY);
      },
      onHide: () => view.hide(),
      onCopy: () => pressed.push('copy'),
      onClose: () => pressed.push('close'),
    },
  );
});
afterEach(async () => {
  await emulate([]);
  document.adoptedStyleSheets = [];
  document.body.replaceChildren();
});

describe('the key viewer (kit 2)', () => {
  it('draws Show and Copy as disabled while the user does not see that the key is here, and Done never', async () => {
    view.seen(true);
    view.ready();
    view.seen(false);
    for (const name of ['Show', 'Copy'])
      await expect.element(named(name)).toHaveAttribute('aria-disabled', 'true');
    await expect.element(named('Done')).not.toHaveAttribute('aria-disabled');
    await userEvent.keyboard('{Enter}');
    expect(pressed).toEqual([]);
    view.seen(true);
    await userEvent.keyboard('{Enter}');
    expect(pressed).toEqual(['show']);
    await expect.element(named('Hide')).toHaveFocus();
    view.seen(false);
    await named('Copy').click({ force: true });
    expect(pressed).toEqual(['show']);
    view.seen(true);
    await named('Copy').click();
    expect(pressed).toEqual(['show', 'copy']);
  });

  it('moves nothing for a user who wants less motion', async () => {
    await emulate([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    const { animationDuration, transitionDuration } = getComputedStyle(view.dialog);
    expect([animationDuration, transitionDuration]).toEqual(['0.001s', '0s']);
  });

  it('has in forced colours an edge around the key and each button, and an outline at the keyboard’s place', async () => {
    await emulate([{ name: 'forced-colors', value: 'active' }]);
    view.seen(true);
    view.ready();
    view.reveal(KEY);
    const edged = [...document.querySelectorAll('.button, .text, .warning, .popup')];
    expect(edged.length).toBe(6);
    for (const part of edged) expect(getComputedStyle(part).borderTopStyle, part.className).toBe('solid');
    const stops = [...document.querySelectorAll<HTMLElement>('.button, .body')];
    expect(stops.length).toBe(4);
    // A browser draws the outline for a user who has used the keyboard last.
    await userEvent.keyboard('{Shift}');
    for (const stop of stops) {
      stop.focus();
      const { outlineStyle, outlineWidth } = getComputedStyle(stop);
      expect([stop.className, outlineStyle, outlineWidth]).toEqual([stop.className, 'solid', '2px']);
    }
  });

  it.each([
    ['modal', 390],
    ['modal', 320],
    ['drawer', 320],
  ] as const)('has its buttons on one line each, in a %s at %i pixels', async (variant, width) => {
    await page.viewport(width, 740);
    document.querySelector('main')?.classList.replace('modal', variant);
    for (const button of document.querySelectorAll('footer button')) {
      const text = document.createRange();
      text.selectNodeContents(button);
      expect([button.textContent, text.getClientRects().length]).toEqual([button.textContent, 1]);
    }
    await page.viewport(1280, 1000);
  });
});
