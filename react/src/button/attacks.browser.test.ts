// What an attacker wants of the embedded transaction button: each test is named after the attempt.
import type { LatchkeyError, TransactionInput } from 'latchkey';
import { describe, expect, it } from 'vitest';
import {
  armed,
  clickAt,
  confirm,
  isArmed,
  isOpen,
  middleOf,
  moveTo,
  onePageEach,
  openPage,
  page,
  parts,
} from '../testing/button-frame.js';

onePageEach();

const toMallory: readonly TransactionInput[] = [
  { receiverId: 'mallory.testnet', actions: [{ type: 'Transfer', amount: '9000000000000000000000000' }] },
];
const errors = () =>
  page.told.filter(([name]) => name === 'error').map(([, error]) => (error as LatchkeyError).code);
const atButton = () => middleOf(parts(page).button);
/** Every message that was sent before is delivered. */
const delivered = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
const hoverUntilArmed = async () => {
  await moveTo(atButton());
  await expect.poll(() => isOpen(page)).toBe(true);
  await armed(page);
};
/** A press that does not count restarts the guard; only then has the frame dealt with it. */
const pressInVain = async () => {
  await clickAt(atButton());
  await delivered();
  expect(page.told).toEqual([]);
  expect(page.asked).toEqual([]);
};

describe('A forged CONFIRM (button 10)', () => {
  it('from another frame of the page, which has a click of the user, signs nothing', async () => {
    await openPage();
    const other = document.createElement('iframe');
    other.srcdoc = '<button style="position:fixed;inset:0">Play</button>';
    other.style.cssText = 'position:absolute;left:20px;top:20px;width:100px;height:60px';
    document.body.append(other);
    await expect.poll(() => other.contentDocument?.querySelector('button')).toBeTruthy();
    const inside = other.contentWindow as Window & typeof globalThis;
    await clickAt(middleOf(inside.document.querySelector('button')));
    await expect.poll(() => inside.navigator.userActivation.isActive).toBe(true);
    inside.eval("parent.postMessage({ type: 'CONFIRM' }, '*')");
    await delivered();
    other.remove();
    expect([page.told, page.asked]).toEqual([[], []]);
  });

  it('from the page itself signs nothing', async () => {
    await openPage();
    postMessage({ type: 'CONFIRM' }, origin);
    await delivered();
    expect([page.told, page.asked]).toEqual([[], []]);
  });

  it('from another origin that took the place of the frame signs nothing', async () => {
    await openPage();
    // A sandbox without allow-same-origin gives the document an opaque origin.
    page.frame.setAttribute('sandbox', 'allow-scripts');
    page.frame.srcdoc = "<script>parent.postMessage({ type: 'CONFIRM' }, '*')</script>";
    const heard = await new Promise<MessageEvent>((resolve) => {
      addEventListener('message', function hear(event) {
        if (event.data?.type !== 'CONFIRM') return;
        removeEventListener('message', hear);
        resolve(event);
      });
    });
    expect([heard.source === page.frame.contentWindow, heard.origin]).toEqual([true, 'null']);
    await delivered();
    expect([page.told, page.asked]).toEqual([[], []]);
  });

  it('from the frame without a click of the user signs nothing, and is reported', async () => {
    await openPage();
    const inside = page.frame.contentWindow as Window & typeof globalThis;
    expect(inside.navigator.userActivation.isActive).toBe(false);
    inside.eval("parent.postMessage({ type: 'CONFIRM' }, '*')");
    await expect.poll(errors).toEqual(['BUTTON_CLICK_REQUIRED']);
    expect(page.asked).toEqual([]);
  });

  it('by a click that a script makes signs nothing', async () => {
    await openPage();
    await hoverUntilArmed();
    parts(page).button?.click();
    await delivered();
    expect([page.told, page.asked]).toEqual([[], []]);
  });
});

describe('Data swapped between drawing and confirm (button 10)', () => {
  it('while the user presses: what was drawn at the click counts, and nothing is signed', async () => {
    // Hears of the click before the button's own listener does, and after the frame has drawn what the user saw.
    let isSwapped = false;
    const swap = ({ data }: MessageEvent) => {
      if (data?.type !== 'CONFIRM' || isSwapped) return;
      isSwapped = true;
      page.update({ transactions: toMallory });
    };
    addEventListener('message', swap);
    await openPage();
    await confirm(page);
    await expect.poll(() => page.told.at(-1)).toEqual(['loading', false]);
    removeEventListener('message', swap);
    expect(isSwapped).toBe(true);
    expect(errors()).toEqual(['UI_DIGEST_MISMATCH']);
    expect(page.asked).toEqual([]);
  });

  it('before the press: the button waits again, so that the user can see what is new', async () => {
    await openPage();
    await hoverUntilArmed();
    page.update({ transactions: toMallory });
    await expect.poll(() => parts(page).head?.textContent).toContain('You send 9 NEAR');
    expect(isArmed(page)).toBe(false);
    await pressInVain();
  });

  it('in the frame alone: the digest differs from that of what would be signed', async () => {
    await openPage();
    page.frame.contentWindow?.postMessage(
      { type: 'SET_TX_DATA', payload: { nearAccountId: 'alice.testnet', txSigningRequests: toMallory } },
      origin,
    );
    await expect.poll(() => parts(page).head?.textContent).toContain('You send 9 NEAR');
    await confirm(page);
    await expect.poll(errors).toEqual(['UI_DIGEST_MISMATCH']);
    expect(page.asked).toEqual([]);
  });
});

describe('A tooltip that is not what the user sees (button 10)', () => {
  it('covered by something that lets the pointer through, takes no click', async () => {
    await openPage();
    await hoverUntilArmed();
    const cloth = document.createElement('div');
    cloth.style.cssText =
      'position:fixed;left:470px;top:200px;width:260px;height:60px;background:white;z-index:2147483600;pointer-events:none';
    document.body.append(cloth);
    await expect.poll(() => isArmed(page), { interval: 10 }).toBe(false);
    await pressInVain();
    cloth.remove();
    await confirm(page);
  });

  it('made transparent by the page, takes no click', async () => {
    await openPage();
    page.container.style.opacity = '0.4';
    await moveTo(atButton());
    await expect.poll(() => isOpen(page)).toBe(true);
    await clickAt(atButton());
    await clickAt(atButton());
    await delivered();
    expect(isArmed(page)).toBe(false);
    expect([page.told, page.asked]).toEqual([[], []]);
  });

  it('moved under the pointer at the last moment, takes no click', async () => {
    await openPage();
    const { x, y } = atButton();
    await moveTo({ x, y: y + 200 });
    page.mounted.setTooltipVisibility(true);
    await expect.poll(() => isOpen(page)).toBe(true);
    await armed(page);
    page.container.style.top = '650px';
    await clickAt(atButton());
    await delivered();
    expect([page.told, page.asked]).toEqual([[], []]);
  });

  it('clipped away by the page, takes no click', async () => {
    await openPage();
    await hoverUntilArmed();
    page.frame.style.clipPath = 'inset(310px 40px 8px 40px)';
    await expect.poll(() => isArmed(page), { interval: 10 }).toBe(false);
    await pressInVain();
  });
});
