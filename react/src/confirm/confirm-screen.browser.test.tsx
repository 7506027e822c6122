import type { Decision } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  agree,
  asking,
  button,
  common,
  dialog,
  flow,
  focus,
  focused,
  gone,
  host,
  shadowText,
  transfer,
  withButtonOutside,
} from '../testing/confirmation.js';
import { emulateMedia } from '../testing/emulate-media.js';
import { mash } from '../testing/mash.js';
import { createReactConfirmer } from './react-confirmer.js';

const outside = withButtonOutside();

describe('the confirmation (core 2, frame 10)', () => {
  it('returns the page before it has faded out, and takes no focus from it afterwards', async () => {
    outside().focus();
    const next = document.createElement('input');
    document.body.append(next);
    const { show, end } = flow();
    void show(asking([transfer('1')]));
    await expect.poll(() => focused()?.textContent).toBe('Cancel');
    const atReturn = new Promise<Element | null>((resolve) => {
      outside().addEventListener('focus', () => resolve(host()), { once: true });
    });
    end();
    expect(await atReturn).not.toBeNull();
    next.focus();
    expect(document.activeElement).toBe(next);
    await gone();
    expect(document.activeElement).toBe(next);
    next.remove();
  });

  it('is drawn in a task of its own, and not at all for a flow that ends before', async () => {
    const confirmer = createReactConfirmer();
    await confirmer.preload();
    /** All that follows in this task. */
    const rest = async () => {
      for (let turn = 0; turn < 100; turn += 1) await null;
    };
    const early = flow(confirmer);
    const unseen = early.show(asking([transfer('1')]));
    await rest();
    expect(host()).not.toBeNull();
    expect(shadowText()).toBe('');
    early.end();
    expect(await unseen).toBe('cancel');
    await gone();

    const { show, end } = flow(confirmer);
    const decided = show(asking([transfer('1')]));
    await agree('Send');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it('keeps the focus inside [S27]', async () => {
    const { show, end } = flow();
    void show(asking([transfer('1')]));
    // A page frames this one, and moves the focus: it starts on Cancel.
    await expect.poll(() => focused()?.textContent).toBe('Cancel');
    const stops = ['Send', 'What you are asked for', 'Details', 'Cancel'];
    const name = () => focused()?.ariaLabel ?? focused()?.textContent;
    for (let press = 0; press < 10; press += 1) {
      await userEvent.tab();
      expect(name()).toBe(stops[press % 4]);
    }
    for (let press = 0; press < 10; press += 1) {
      await userEvent.tab({ shift: true });
      expect(name()).toBe(stops[(12 - press) % 4]);
    }
    end();
    await gone();
  });

  it("ignores a script's click, and any click while something covers it", async () => {
    const { show, end } = flow();
    const decided = show(asking([transfer('1')]));
    let answer: Decision | undefined;
    decided.then((decision) => {
      answer = decision;
    });
    await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'false');
    host()?.shadowRoot?.querySelector<HTMLButtonElement>('.primary')?.click();
    const cloth = document.createElement('div');
    cloth.popover = 'manual';
    cloth.textContent = 'You have won';
    cloth.style.pointerEvents = 'none';
    document.body.append(cloth);
    cloth.showPopover();
    await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'true');
    focus('Send');
    await userEvent.keyboard('{Enter}');
    await button('Send').click({ force: true });
    expect(answer).toBeUndefined();
    cloth.remove();
    const press = async () => {
      await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'false');
      focus('Send');
      await userEvent.keyboard('{Enter}');
      return answer;
    };
    await expect.poll(press, { interval: 100, timeout: 20_000 }).toBe('confirm');
    end();
    await gone();
  });

  it('is not answered by an Enter that is mashed while it opens', async () => {
    const { show, end } = flow();
    const decided = show(asking([transfer('1')]));
    let answer: Decision | undefined;
    decided.then((decision) => {
      answer = decision;
    });
    await expect.element(dialog).toBeVisible();
    focus('Send');
    await mash('Enter');
    expect(answer).toBeUndefined();
    await button('Cancel').click();
    expect(await decided).toBe('cancel');
    end();
    await gone();
  });

  it('counts as seen and accepts a click, as a modal and as a drawer', async () => {
    for (const uiMode of ['modal', 'drawer'] as const) {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')], { uiMode }));
      await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'false');
      await agree('Send');
      expect(await decided).toBe('confirm');
      end();
      await gone();
    }
  });

  it('folds a very long text and stays within the window', async () => {
    const { show, end } = flow();
    const message = 'long '.repeat(40_000);
    void show({ ...common, kind: 'nep413', message, recipient: 'x'.repeat(5000), nonce: 'AAAA' });
    await expect.element(dialog).toHaveAccessibleName('Sign a message');
    expect(shadowText().length).toBeLessThan(5000);
    const box = dialog.element().getBoundingClientRect();
    expect(box.bottom).toBeLessThanOrEqual(innerHeight);
    await button('Show all 200,000 characters').click();
    expect(shadowText()).toContain(message);
    await expect.element(button('Sign message')).toBeVisible();
    end();
    await gone();
  });

  it('shows of an authorization its app, its action, for whom it counts and all of its text', async () => {
    const { show, end } = flow();
    const message = '{"domain":"app.example","action":"Approve the order","msg":"4f1c"}';
    const recipient = 'testnet: alice.testnet -> multisig.testnet @ 2026-08-05T07:28:00Z';
    const authorization = {
      ...{ chainId: 'testnet', path: ['multisig.testnet'], timestamp: '2026-08-05T07:28:00Z' },
      ...{ domain: 'app.example', action: 'Approve the order', msg: '4f1c' },
    };
    const decided = show({ ...common, kind: 'nep413', message, recipient, nonce: 'AAAA', authorization });
    await expect.element(dialog).toHaveAccessibleName('Sign a message');
    for (const said of ['app.example', 'Approve the order', 'multisig.testnet', recipient, message]) {
      expect(shadowText()).toContain(said);
    }
    expect(shadowText()).toContain('off the chain');
    await agree('Sign message');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it('opens above a modal dialog of the page and is usable there', async () => {
    const theirs = document.createElement('dialog');
    theirs.textContent = 'Their dialog';
    document.body.append(theirs);
    theirs.showModal();
    const { show, end } = flow();
    const decided = show(asking([transfer('1')]));
    await agree('Send');
    expect(await decided).toBe('confirm');
    end();
    await gone();
    theirs.remove();
  });

  it('opens above the highest z-index of the page and gets the clicks there', async () => {
    const highest = document.createElement('div');
    highest.style.cssText = 'position:fixed;inset:0;z-index:2147483647;background:red';
    document.body.append(highest);
    const { show, end } = flow();
    const decided = show(asking([transfer('1')]));
    await expect.element(dialog).toBeVisible();
    const { left, top, width, height } = dialog.element().getBoundingClientRect();
    expect(document.elementFromPoint(left + width / 2, top + height / 2)).toBe(host());
    await agree('Send');
    expect(await decided).toBe('confirm');
    end();
    await gone();
    highest.remove();
  });

  it('does not animate when the user prefers reduced motion', async () => {
    await emulateMedia('prefers-reduced-motion', 'reduce');
    try {
      for (const uiMode of ['modal', 'drawer'] as const) {
        const { show, end } = flow();
        void show(asking([transfer('1')], { uiMode }));
        await expect.element(dialog).toBeVisible();
        const { transitionDuration, transform } = getComputedStyle(dialog.element());
        expect(transitionDuration.split(', ').every((duration) => Number.parseFloat(duration) <= 0.001)).toBe(
          true,
        );
        expect(transform).toBe('none');
        end();
        await gone();
      }
    } finally {
      await emulateMedia('prefers-reduced-motion', '');
    }
  });

  it('does not blur the page behind it when the user prefers reduced transparency', async () => {
    const blur = async () => {
      const { show, end } = flow();
      void show(asking([transfer('1')]));
      await expect.element(dialog).toBeVisible();
      const backdrop = host()?.shadowRoot?.querySelector('.backdrop') as Element;
      const { backdropFilter } = getComputedStyle(backdrop);
      end();
      await gone();
      return backdropFilter;
    };
    await emulateMedia('prefers-reduced-transparency', '');
    expect(await blur()).toContain('blur');
    await emulateMedia('prefers-reduced-transparency', 'reduce');
    try {
      expect(await blur()).toBe('none');
    } finally {
      await emulateMedia('prefers-reduced-transparency', '');
    }
  });

  it('turns its waiting sign in steps when the user prefers reduced motion', async () => {
    const steps = async () => {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')]));
      await agree('Send');
      await decided;
      const sign = host()?.shadowRoot?.querySelector('.spinner') as Element;
      const { animationTimingFunction } = getComputedStyle(sign);
      end();
      await gone();
      return animationTimingFunction;
    };
    expect(await steps()).toBe('linear');
    await emulateMedia('prefers-reduced-motion', 'reduce');
    try {
      expect(await steps()).toBe('steps(8)');
    } finally {
      await emulateMedia('prefers-reduced-motion', '');
    }
  });

  it('gives a screen reader its name, its description, its busy state and its error', async () => {
    const { show, end } = flow();
    const first = show(asking([transfer('1')]));
    await expect.element(dialog).toHaveAccessibleName('Send 1 NEAR');
    await expect.element(dialog).toHaveAccessibleDescription(/From .?alice\.testnet.? · .?Test network/);
    for (const control of dialog.getByRole('button').elements()) {
      expect(control.textContent ?? control.ariaLabel).toMatch(/\S/);
    }
    // A screen reader announces a live region only if the region existed before its text.
    await expect.element(dialog.getByRole('status')).toBeEmptyDOMElement();
    await agree('Send');
    await first;
    await expect
      .element(dialog.getByRole('status'))
      .toHaveTextContent('Follow your browser’s passkey prompt');
    void show(asking([transfer('1')], { retry: 'timeout', error: 'Timed out after 60s, try again' }));
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Timed out after 60s, try again');
    end();
    await gone();
  });

  it('adds no style element anywhere, and follows the theme', async () => {
    const before = document.querySelectorAll('style').length;
    const { show, end } = flow(createReactConfirmer({ theme: () => 'light' }));
    void show(asking([transfer('1')]));
    await expect.element(dialog).toBeVisible();
    expect(document.querySelectorAll('style')).toHaveLength(before);
    expect(host()?.shadowRoot?.querySelector('style')).toBeNull();
    expect(getComputedStyle(dialog.element()).backgroundColor).toBe('rgb(255, 253, 249)');
    end();
    await gone();
  });
});
