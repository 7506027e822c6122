/** The kit's own screens on the real stack: what a browser could do differently with focus, keys, layers, camera and files. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accountOf } from '../support/wallet.js';
import { type ElementRef, isGone } from './browser.js';
import {
  cancel,
  chooseInMenu,
  confirmationShown,
  type Demo,
  press,
  pressIn,
  until,
  VIEWER,
} from './steps.js';

/** The keys of W3C WebDriver, section 17.4.2. */
const KEY = {
  enter: '\uE007',
  escape: '\uE00C',
  end: '\uE010',
  home: '\uE011',
  right: '\uE014',
  down: '\uE015',
} as const;
const TRIGGER = '[aria-haspopup="menu"]';
const ITEMS = '[role="menuitem"]';
const CODE = 'img[alt="QR code that links this device"]';
const NO_CAMERA = /^The camera can’t be used\. Allow it for this site/;

/** The name or the text of what has the focus, in whatever shadow tree. */
const FOCUSED = `
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return (at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent ?? at?.textContent ?? '').trim();`;

/** Tests the screens for a user of the demo, whom the page knows; the wallet runs in the page. Ends in the page of the screens. */
export function testsOfScreens(demo: Demo, username: string): void {
  describe('the screens of the kit, alone on a page', () => {
    const accountId = accountOf(username);
    const picture = join(tmpdir(), `latchkey-code-${process.pid}.png`);
    let checkCode: string;
    const { type, find, evaluate } = {
      type: (keys: string) => demo.browser.type(keys),
      find: (selector: string, ...names: string[]) => demo.browser.find(selector, ...names),
      evaluate: <T>(body: string, ...args: unknown[]) => demo.browser.evaluate<T>(body, ...args),
    };
    const found = (selector: string, ...names: string[]) =>
      until(demo, `${selector} ${names}`, () => find(selector, ...names));
    const gone = (selector: string) => until(demo, `end of ${selector}`, async () => !(await find(selector)));
    const checkCodeShown = async () =>
      evaluate<string>('return args[0].textContent;', await found('.letters'));
    const focusIsOn = (name: string) =>
      until(demo, `focus on ${name}`, async () => (await evaluate<string>(FOCUSED)).includes(name));

    before(async () => {
      const page = fileURLToPath(new URL('../e2e/parts-page/', import.meta.url));
      await demo.browser.open(await demo.stack.addPage(page, 'parts'));
    });
    after(() => rm(picture, { force: true }));

    it('LoginMenu is chosen in by the arrow keys, draws the code of this device, and Back leads to its field', async () => {
      await pressIn(demo, 'input[type=radio]', 'Login');
      await type(KEY.right);
      await found('h2', 'Recover Account');
      await pressIn(demo, '.ways strong', 'Another device');
      const code = await found(CODE);
      await writeFile(picture, Buffer.from(await evaluate<string>(PNG_OF, code), 'base64'));
      await focusIsOn('Back');
      await pressIn(demo, 'button', 'It was scanned');
      checkCode = await checkCodeShown();
      await pressIn(demo, 'button', 'Back');
      await focusIsOn('Username');
    });

    it('the toaster hears who is logged in', async () => {
      await pressIn(demo, 'input[type=radio]', 'Login');
      await press(demo, 'Continue');
      await found(TRIGGER);
      await found('output', `Logged in as ${accountId}!`);
    });

    it('ProfileButton has the keys of a menu, and Escape leads back to the button', async () => {
      await evaluate('args[0].focus();', await found(TRIGGER));
      await type(KEY.enter);
      await focusIsOn('Export Keys');
      await type(KEY.down);
      await focusIsOn('Scan and Link Device');
      await type(KEY.end);
      await focusIsOn('Lock Wallet');
      await type(KEY.home);
      await focusIsOn('Export Keys');
      await type('tr');
      await focusIsOn('Transaction Settings');
      await type(KEY.escape);
      await gone(ITEMS);
      await focusIsOn(username);
    });

    it('a dialog of the menu takes the focus, and Escape gives it back to the button', async () => {
      await chooseInMenu(demo, 'Transaction Settings');
      await found('latchkey-settings >>> select:enabled', 'Theme');
      await type(KEY.escape);
      await gone('latchkey-settings >>> select');
      await focusIsOn(username);
    });

    it('the viewer of the key takes the focus, and Escape in it gives it back to the button', async () => {
      await chooseInMenu(demo, 'Export Keys');
      const viewer = await until(demo, 'viewer', () => evaluate<ElementRef | null>(VIEWER));
      await demo.browser.intoFrame(viewer);
      await found('button', 'Cancel');
      await focusIsOn('Cancel');
      // The press removes the frame that it is made in.
      await type(KEY.escape).catch((error) => assert.ok(isGone(error), String(error)));
      await demo.browser.toPage();
      await until(demo, 'end of the viewer', async () => !(await evaluate(VIEWER)));
      await focusIsOn(username);
    });

    it('LinkedDevicesModal lies above the menu, copies a key, and a press in it is none outside of the menu', async () => {
      await chooseInMenu(demo, 'Linked Devices');
      await pressIn(demo, 'latchkey-devices >>> .key.link');
      await found('latchkey-devices >>> [role=status]', 'Copied');
      await pressIn(demo, 'latchkey-devices >>> h2');
      await type(KEY.escape);
      await gone('latchkey-devices >>> h2');
      await focusIsOn('Linked Devices');
      await pressIn(demo, 'button', 'Outside');
      await gone(ITEMS);
    });

    it('LinkDeviceScanner says why it has no camera, offers another try, and leads back to its item', async () => {
      await chooseInMenu(demo, 'Scan and Link Device');
      const alert = await found('latchkey-scanner >>> [role=alert]');
      assert.match(await evaluate('return args[0].textContent;', alert), NO_CAMERA);
      await focusIsOn('Try Again');
      await type(KEY.escape);
      await gone('latchkey-scanner >>> h2');
      await focusIsOn('Scan and Link Device');
      await type(KEY.escape);
      await gone(ITEMS);
    });

    it('useQRFileUpload reads the picture of the code, and the confirmation shows the same check code', async () => {
      await demo.browser.chooseFile(await found('input[type=file]'), picture);
      await confirmationShown(demo);
      assert.equal(await checkCodeShown(), checkCode);
      await cancel(demo);
    });
  });
}

/** A picture's PNG as base64. */
const PNG_OF = `
  const bytes = new Uint8Array(await (await fetch(args[0].src)).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));`;
