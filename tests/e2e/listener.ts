// A user who sees nothing: goes from stop to stop with the keyboard, by the role and the name that Chromium gives a screen reader.
import type { CDPSession, Page } from '@playwright/test';
import { expect } from './fixtures.js';

/** More than any screen has stops. */
const MOST_PRESSES = 60;

/** What is heard of a stop, such as `button “Send”`. */
type Heard = `${string} “${string}”`;

export interface Listener {
  /** Presses Tab until this stop is heard. */
  goTo(stop: Heard): Promise<void>;
  /** Goes to this stop and presses Enter. */
  press(stop: Heard): Promise<void>;
  /** Goes to this field and types. */
  type(field: Heard, text: string): Promise<void>;
  /** Waits until this is heard, because the page itself moved the focus there. */
  isAt(stop: Heard): Promise<void>;
}

/** Listens to a page for as long as it is open. */
export async function listenTo(page: Page): Promise<Listener> {
  const session = await page.context().newCDPSession(page);
  const heard = () => focusedIn(session);

  async function goTo(stop: Heard): Promise<void> {
    await expect(async () => {
      const all: Heard[] = [];
      for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
        all.push(await heard());
        if (all.at(-1) === stop) return;
        await page.keyboard.press('Tab');
      }
      expect(all, 'the stops of the Tab key').toContain(stop);
    }).toPass({ timeout: 30_000 });
  }

  return {
    goTo,
    async press(stop) {
      await goTo(stop);
      await page.keyboard.press('Enter');
    },
    async type(field, text) {
      await goTo(field);
      await page.keyboard.type(text);
    },
    isAt: (stop) => expect.poll(heard).toBe(stop),
  };
}

/** The element that has the focus, in whichever shadow root it is. */
const FOCUSED = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
})()`;

async function focusedIn(session: CDPSession): Promise<Heard> {
  const { result } = await session.send('Runtime.evaluate', { expression: FOCUSED });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  });
  return `${nodes[0]?.role?.value} “${nodes[0]?.name?.value ?? ''}”`;
}
