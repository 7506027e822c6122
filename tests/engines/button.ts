/** The embedded transaction button on the real stack: what a browser could do differently in its frame. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RELAYER } from '../../dev/services/services.js';
import { accountOf } from '../support/wallet.js';
import type { ElementRef } from './browser.js';
import { type Demo, press, until } from './steps.js';

const FRAME = `return document.querySelector('iframe[title="Transaction button"]');`;
const PART = `document.querySelector('w3a-button-with-tooltip')?.shadowRoot?.querySelector(args[0])`;
const MISMATCH =
  'The transaction changed after the button showed it. Nothing was signed. Look at it again, then confirm.';
const NO_CLICK =
  'The transaction button reported a confirmation without a click of the user. Nothing was signed.';
const SUM = 3n * 10n ** 20n;

/** Tests the button for a user of the demo, whom the page knows; the wallet runs in the page. Ends in the button's page. */
export function testsOfButton(demo: Demo, username: string): void {
  describe('the embedded transaction button', () => {
    const accountId = accountOf(username);
    let url: string;
    const open = async (): Promise<void> => {
      await demo.browser.open(url);
      await press(demo, 'Continue');
      await until(demo, 'account', () => demo.browser.find('h1', accountId));
    };
    before(async () => {
      const page = fileURLToPath(new URL('../e2e/button-page/', import.meta.url));
      url = `${await demo.stack.addPage(page, 'button')}?to=${RELAYER}`;
      await open();
    });

    it('is ready, and shows what it signs at a hover', async () => {
      await hover(demo);
      assert.equal(await textOf(demo, '.head h2'), 'You send 0.0003 NEAR');
      assert.deepEqual(await sizeOf(demo, '.activate'), [200, 48]);
      assert.deepEqual(await sizeOf(demo, '.tooltip'), [280, 300]);
    });

    it('takes no CONFIRM that no click led to', async () => {
      await until(demo, 'end of the last click', () =>
        demo.browser.evaluate<boolean>('return !navigator.userActivation.isActive;'),
      );
      await demo.browser.evaluate(`parent.postMessage({ type: 'CONFIRM' }, self.origin);`);
      await isTold(demo, NO_CLICK);
    });

    it('pays by a click on what it showed', async () => {
      const { oracle } = demo.stack;
      const paid = (await oracle.balance(RELAYER)) + SUM;
      await confirm(demo, 'Paid 2');
      await until(demo, 'payment', async () => (await oracle.balance(RELAYER)) >= paid);
    });

    it('takes no click for data that was swapped in its frame alone', async () => {
      const { browser } = demo;
      await open();
      await intoButton(demo);
      await browser.toPage();
      const stolen = {
        nearAccountId: accountId,
        txSigningRequests: [{ receiverId: 'mallory.testnet', actions: [{ type: 'Transfer', amount: '9' }] }],
      };
      const swap = `
        const frame = document.querySelector('iframe[title="Transaction button"]');
        frame.contentWindow.postMessage({ type: 'SET_TX_DATA', payload: args[0] }, location.origin);`;
      await browser.evaluate(swap, stolen);
      await hover(demo);
      await until(demo, 'swapped data', async () => (await textOf(demo, '.seen'))?.includes('mallory'));
      await confirm(demo, MISMATCH);
    });
  });
}

/** Switches into the button's frame once it has drawn its button; returns that. */
const intoButton = (demo: Demo): Promise<ElementRef> =>
  until(demo, 'transaction button', async () => {
    const { browser } = demo;
    await browser.toPage();
    const frame = await browser.evaluate<ElementRef | null>(FRAME);
    if (!frame) return null;
    await browser.intoFrame(frame);
    return browser.find('.activate');
  });

/** Moves the pointer onto the button until its tooltip is open; stays in its frame. */
async function hover(demo: Demo): Promise<void> {
  const button = await intoButton(demo);
  await until(demo, 'tooltip', async () => {
    await demo.browser.hover(button);
    return demo.browser.find('.tooltip');
  });
}

/** Presses the button until the page tells this: a press before its tooltip was seen for a while does nothing. */
async function confirm(demo: Demo, told: string): Promise<void> {
  const { browser } = demo;
  await until(demo, told, async () => {
    const button = await intoButton(demo);
    if (!(await browser.find('.tooltip'))) await browser.hover(button);
    else if (await browser.find('.both[data-armed="true"]')) await browser.press(button);
    await browser.toPage();
    return browser.find('output', told);
  });
}

const isTold = async (demo: Demo, told: string): Promise<void> => {
  await demo.browser.toPage();
  await until(demo, told, () => demo.browser.find('output', told));
};

const textOf = ({ browser }: Demo, part: string): Promise<string | null> =>
  browser.evaluate(`return ${PART}?.textContent ?? null;`, part);

const sizeOf = ({ browser }: Demo, part: string): Promise<[number, number]> =>
  browser.evaluate(
    `const { width, height } = ${PART}.getBoundingClientRect(); return [Math.round(width), Math.round(height)];`,
    part,
  );
