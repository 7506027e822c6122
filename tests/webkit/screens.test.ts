/**
 * The framed wallet in WebKitGTK on a narrow, dark screen with motion, where the browser lets the frame store nothing.
 * `node --import tsx --test tests/webkit/screens.test.ts`
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RELAYER } from '../../dev/services/services.js';
import { IN_MEMORY_TEXT } from '../../ts/src/errors/in-memory.js';
import {
  batchResults,
  cancel,
  confirmationShown,
  inWallet,
  noProblems,
  openDemo,
  press,
  recover,
  registerInWindow,
  startAs,
  startBatch,
  until,
} from '../engines/steps.js';
import { accountOf } from '../support/wallet.js';
import { startWebKit, type WebKit } from './webkit.js';

/** CSS pixels; WCAG 2.2, 1.4.10 asks for this width. */
const NARROW = { width: 320, height: 740 };
const WIDE = { width: 1100, height: 860 };
/** Asked for near the top of a page: with a zoom, WebKit's driver reaches less of one the further it is scrolled. */
const PAYMENTS = ['0.001', '0.002'].map((near) => ({ recipient: RELAYER, near }));
/** How a document fits its screen, and what the open confirmation looks like. */
const LOOK = `
  const { scrollWidth, clientWidth } = document.documentElement;
  const host = document.querySelector('latchkey-confirm');
  const popup = host?.shadowRoot.querySelector('.popup');
  const { left, right, bottom } = popup?.getBoundingClientRect() ?? {};
  const buttons = [...(popup?.querySelectorAll('button') ?? [])].map((button) => button.getBoundingClientRect());
  return {
    width: innerWidth,
    excess: scrollWidth - clientWidth,
    theme: host?.dataset.latchkeyTheme,
    isInside: left >= 0 && right <= innerWidth && bottom <= innerHeight,
    areButtonsInside: buttons.every(({ left, right, bottom }) => left >= 0 && right <= innerWidth && bottom <= innerHeight),
    notice: popup?.querySelector('.notice')?.textContent,
  };`;

let webkit: WebKit;

before(async () => {
  webkit = await startWebKit({ isDark: true, isStill: false, hasFrameStorage: false, zoom: 1.5 });
});
after(() => webkit?.stop());

describe('a narrow, dark screen, and a frame without storage', () => {
  const demo = openDemo(() => webkit, 'trusted');
  const username = 'dora';

  before(async () => {
    await webkit.resize(NARROW);
    await registerInWindow(demo, username);
  });

  it('draws the confirmation in the dark theme within 320 pixels, and says that nothing is kept', async () => {
    assert.deepEqual(await webkit.evaluate(MEDIA), { isDark: true, isStill: false });
    await startBatch(demo, PAYMENTS);
    await confirmationShown(demo);
    const narrow = { width: NARROW.width, excess: 0, theme: 'dark', isInside: true, areButtonsInside: true };
    assert.deepEqual(await webkit.evaluate(LOOK), { ...narrow, notice: IN_MEMORY_TEXT });
  });

  it('follows a change of the screen while the confirmation is open, and the next one is right as well', async () => {
    await webkit.resize(WIDE);
    await inWallet(demo);
    await until(demo, 'wide confirmation', async () => {
      const { width, isInside } = await webkit.evaluate<{ width: number; isInside: boolean }>(LOOK);
      return width === WIDE.width && isInside;
    });
    await cancel(demo);
    await webkit.resize(NARROW);
    await press(demo, 'Send all');
    for (const result of await batchResults(demo)) assert.match(result, /Final/);
  });

  it('forgets the account with the page, offers to recover it, and one prompt does', async () => {
    await webkit.open(demo.stack.appUrl);
    webkit.passkeys.ceremonies.length = 0;
    await startAs(demo, 'Login', username);
    const offer = `This browser does not know ${accountOf(username)}. Restore it with its passkey.`;
    await until(demo, 'offer to recover', () => webkit.find('[role=alert]', offer));
    await recover(demo);
    assert.deepEqual(
      webkit.passkeys.ceremonies.map(({ kind, isFramed }) => [kind, isFramed]),
      [['get', true]],
    );
  });

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

const MEDIA = `return {
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
};`;
