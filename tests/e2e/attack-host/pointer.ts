// A user's mouse over the wallet's frame, and the ways in which a host moves the frame under it.
import type { Frame, Locator, Page } from '@playwright/test';
import { confirmButton, expect, type Host } from './fixture.js';

/** In pixels of the host's window. */
export interface Way {
  x: number;
  y: number;
}

/** The frame's first position. */
export const HOME: Way = { x: 0, y: 0 };

/** Almost outside the window. */
const AWAY: Way = { x: 0, y: 800 };
/** A point outside the dialog, wherever the frame is. */
const ASIDE: Way = { x: 20, y: 20 };

/** How far above the button's middle the mouse rests: on the dialog, next to the button. */
const BESIDE = 70;

export async function middleOf(button: Locator): Promise<Way> {
  const box = await button.boundingBox();
  if (!box) throw new Error(`there is no button ${button}`);
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

function walletOf({ page }: Host): Frame {
  const frame = page.frames().find((of) => of.url().includes('/service/'));
  if (!frame) throw new Error('there is no wallet');
  return frame;
}

/** Where each window's mouse is, and since when in milliseconds. */
const mice = new WeakMap<Page, Way & { since: number }>();

/** Moves the mouse to this point of the host's window. */
export async function moveMouse({ page }: Host, { x, y }: Way): Promise<void> {
  await page.mouse.move(x, y);
  mice.set(page, { x, y, since: Date.now() });
}

/** Moves the mouse until this document sees it there: the browser learns a frame's position with a short delay. */
async function moveUntilHeard(host: Host, by: Frame, at: Way): Promise<void> {
  await by.evaluate(() => {
    const hearing = globalThis as unknown as { heard?: Way; hears?: true };
    delete hearing.heard;
    if (hearing.hears) return;
    hearing.hears = true;
    const hear = ({ clientX: x, clientY: y }: MouseEvent): void => {
      hearing.heard = { x, y };
    };
    addEventListener('mousemove', hear, true);
  });
  const heard = async () => {
    await moveMouse(host, { x: at.x + 1, y: at.y });
    await moveMouse(host, at);
    return by.evaluate(() => (globalThis as unknown as { heard?: Way }).heard);
  };
  await expect.poll(heard).toEqual(at);
}

/** Moves the frame this far from its first position, once. */
export const slide = ({ page }: Host, by: Way): Promise<void> =>
  page.locator('iframe').evaluate((frame, { x, y }) => {
    clearInterval(Number(frame.dataset.shaken));
    scrollTo(0, 0);
    frame.style.cssText = `left: ${x}px; top: ${y}px`;
  }, by);

/** Presses where the mouse is, without a mouse move. */
async function pressHere({ page: { mouse } }: Host): Promise<void> {
  await mouse.down();
  await mouse.up();
}

/**
 * Runs `act`, and presses where the mouse then is, without a mouse move. The press has the time at which the act began or
 * last moved the mouse: on a busy machine it would come half a second later, as one that counts.
 */
export async function pressRightAfter({ page }: Host, act: () => Promise<void>): Promise<void> {
  const began = Date.now();
  await act();
  const mouse = mice.get(page);
  if (!mouse) throw new Error('the mouse has no place yet');
  const { x, y, since } = mouse;
  // Never detached: that would take the virtual authenticator away.
  const session = await page.context().newCDPSession(page);
  const press = { x, y, button: 'left', clickCount: 1, timestamp: Math.max(began, since) / 1000 } as const;
  await session.send('Input.dispatchMouseEvent', { ...press, type: 'mousePressed' });
  await session.send('Input.dispatchMouseEvent', { ...press, type: 'mouseReleased' });
}

/** How many clicks the confirm button gets while `act` runs. */
export async function clicksOfConfirm(host: Host, act: () => Promise<void>): Promise<number> {
  const frame = walletOf(host);
  await frame.evaluate(() => {
    const counting = globalThis as unknown as { confirmed?: number };
    if (counting.confirmed === undefined) {
      const count = (event: Event): void => {
        const [pressed] = event.composedPath();
        if (pressed instanceof HTMLButtonElement && pressed.classList.contains('primary')) {
          counting.confirmed = (counting.confirmed ?? 0) + 1;
        }
      };
      addEventListener('click', count, true);
    }
    counting.confirmed = 0;
  });
  await act();
  return frame.evaluate(() => (globalThis as unknown as { confirmed: number }).confirmed);
}

/**
 * Rests the mouse next to the button until a press there would count, as the enabled button shows. Returns
 * the move that brings the button under the mouse.
 */
export async function restBeside(host: Host): Promise<Way> {
  const { x, y } = await middleOf(confirmButton(host));
  for (;;) {
    await moveUntilHeard(host, walletOf(host), { x, y: y - BESIDE });
    await expect(confirmButton(host)).toBeEnabled();
    await pressHere(host);
    if (await confirmButton(host).isEnabled()) return { x: 0, y: -BESIDE };
  }
}

/** The move that brings the button under the mouse. */
export const moves: [how: string, move: (host: Host, by: Way) => Promise<void>][] = [
  ['in one step', slide],
  [
    'in small steps',
    async (host, by) => {
      for (let step = 1; step <= 10; step += 1) await slide(host, { x: by.x, y: (by.y * step) / 10 });
    },
  ],
  [
    'between two moves of the mouse',
    async (host, by) => {
      const { x, y } = await middleOf(confirmButton(host));
      await moveMouse(host, { x: x - 3, y: y - BESIDE + 2 });
      await slide(host, by);
      await moveMouse(host, { x, y: y - BESIDE });
    },
  ],
  [
    'with the page, which scrolls',
    ({ page }, { y }) =>
      page.locator('iframe').evaluate((frame, y) => {
        frame.style.cssText = 'position: absolute; height: 100vh';
        document.body.style.height = '300vh';
        scrollTo(0, -y);
      }, y),
  ],
  [
    'without an end',
    async (host, by) => {
      await slide(host, by);
      await host.page.locator('iframe').evaluate(async (frame, { x }) => {
        let turn = 0;
        const shake = (): void => {
          turn += 1;
          frame.style.left = `${x + (turn % 2 ? -9 : 9)}px`;
        };
        frame.dataset.shaken = String(setInterval(shake, 60));
        for (let frames = 0; frames < 20; frames += 1) await new Promise(requestAnimationFrame);
      }, by);
    },
  ],
  [
    'after it was away, while the mouse was over the page',
    async (host, by) => {
      const { x, y } = await middleOf(confirmButton(host));
      await slide(host, AWAY);
      await moveUntilHeard(host, host.page.mainFrame(), ASIDE);
      await moveMouse(host, { x, y: y - BESIDE });
      await slide(host, by);
    },
  ],
  [
    'and back to where it was, while the mouse came to the button over the page',
    async (host) => {
      const { x, y } = await middleOf(confirmButton(host));
      await slide(host, AWAY);
      await moveUntilHeard(host, host.page.mainFrame(), ASIDE);
      await moveMouse(host, { x, y });
      await slide(host, HOME);
    },
  ],
];
