/** The screens that the wallet draws in its frame: its settings, its scanner and the code of a linking. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openFacade } from './facade.js';
import {
  cancel,
  chooseInMenu,
  confirmationShown,
  type Demo,
  findOffer,
  inWallet,
  logOut,
  pressIn,
  pressUntilGone,
  promptsOf,
  startGreeting,
  toWallet,
  until,
} from './steps.js';

/** Longer than the wallet wants a frame to have had the focus before a key counts. */
const FOCUS_DWELL_MS = 700;
const CODE = 'img[alt="QR code that links this device"]';
const LINKING = 'latchkey-linking >>>';
const SCANNER = 'latchkey-scanner >>>';
const CHECK_CODE = /^[A-Z2-7]{4}( ?[A-Z2-7]{4}){3}$/;
/** Where the confirmation is, and in which theme. */
const CONFIRMATION = `
  const { shadowRoot, dataset } = document.querySelector('latchkey-confirm');
  const { bottom } = shadowRoot.querySelector('.popup').getBoundingClientRect();
  return { isAtLowerEdge: Math.round(bottom) === innerHeight, theme: dataset.latchkeyTheme };`;

/** In the demo, whose user is logged in. `prompts`: the browser's record of them, all or those since the last call. */
export function testOfSettings(
  demo: Demo,
  prompts: () => string[] | Promise<string[]> = () => promptsOf(demo),
): void {
  it('keeps what the user chooses in the settings, and draws the next confirmation accordingly', async () => {
    const before = await prompts();
    await chooseInMenu(demo, 'Transaction Settings');
    await chooseSetting(demo, 'Confirmation Options', 'Drawer');
    await chooseSetting(demo, 'Theme', 'Light');
    await pressUntilGone(demo, 'latchkey-settings >>> button', 'Close');
    await startGreeting(demo, 'not sent');
    await confirmationShown(demo);
    const drawn = await demo.browser.evaluate(CONFIRMATION);
    assert.deepEqual(drawn, { isAtLowerEdge: true, theme: 'light' });
    await cancel(demo);
    assert.doesNotMatch(await demo.stack.oracle.greeting(), /^not sent/);
    assert.deepEqual(await prompts(), before);
  });
}

/** In the demo, whose user is logged in, on a page that the wallet's operator trusts. Ends logged out. */
export function testsOfFramedScreens(demo: Demo): void {
  describe('the screens in the frame', () => {
    const { find, evaluate } = {
      find: (selector: string, ...names: string[]) => demo.browser.find(selector, ...names),
      evaluate: <T>(body: string, ...args: unknown[]) => demo.browser.evaluate<T>(body, ...args),
    };
    const found = (selector: string, ...names: string[]) =>
      until(demo, `${selector} ${names}`, () => find(selector, ...names));
    const foundInWallet = (selector: string, ...names: string[]) =>
      until(demo, `${selector} ${names}`, async () => (await toWallet(demo)) && find(selector, ...names));
    const textOf = async (part: Parameters<typeof demo.browser.press>[0]) =>
      (await evaluate<string>('return args[0].textContent;', part)).trim();

    testOfSettings(demo);

    it("the scanner says in the frame why it has no camera, offers the wallet's own window, and closes without one", async () => {
      await chooseInMenu(demo, 'Scan and Link Device');
      const alert = await foundInWallet(`${SCANNER} [role=alert]`);
      assert.match(await textOf(alert), /^The camera can’t be used\. Allow it for this site/);
      await pressUntilGone(demo, `${SCANNER} button`, "Scan in the wallet's own window");
      await until(demo, 'offer of a window', async () => (await toWallet(demo)) && findOffer(demo));
      await pressUntilGone(demo, 'latchkey-popup >>> button', 'Cancel');
      assert.equal((await demo.browser.windows()).length, 1);
      // The scanner leaves its menu open.
      await demo.browser.toPage();
      await until(demo, 'end of the menu', async () => {
        const trigger = await find('[aria-haspopup="menu"][aria-expanded="true"]');
        if (trigger) await demo.browser.press(trigger);
        return !trigger;
      });
    });

    it('the login menu draws the code that the framed wallet makes, and Back ends it', async () => {
      await logOut(demo);
      // Without a name in the field, so that no passkey is made before the code.
      await pressIn(demo, 'input[type=radio]', 'Register');
      await pressIn(demo, 'button', 'Scan and Link Device');
      await found(CODE);
      await pressIn(demo, 'button', 'It was scanned');
      assert.match(await textOf(await found('.letters')), CHECK_CODE);
      await pressIn(demo, 'button', 'Back');
      await found('button', 'Continue');
    });

    describe('as a host asks for it', () => {
      before(() => openFacade(demo));

      it('the wallet draws the code in its own dialog, and its Close ends the linking', async () => {
        await evaluate("await facade.manager.startDevice2LinkingFlow({ ui: 'modal' });");
        await foundInWallet(`${LINKING} ${CODE}`);
        await pressIn(demo, `${LINKING} button`, 'It was scanned');
        assert.match(await textOf(await found(`${LINKING} .letters`)), CHECK_CODE);
        await pressUntilGone(demo, `${LINKING} button`, 'Close');
        await inWallet(demo);
        assert.equal(await find('latchkey-linking'), null);
        await demo.browser.toPage();
      });
    });
  });
}

/** Chooses an option of the settings with the keyboard. A key counts once the frame has had the focus for a while. */
async function chooseSetting(demo: Demo, label: string, option: string): Promise<void> {
  const { browser } = demo;
  await until(demo, `${label}: ${option}`, async () => {
    const select =
      (await toWallet(demo)) && (await browser.find('latchkey-settings >>> select:enabled', label));
    if (!select) return false;
    const chosen = await browser.evaluate<string>('return args[0].selectedOptions[0].text;', select);
    if (chosen.startsWith(option)) return true;
    await browser.evaluate('args[0].focus();', select);
    await pause(FOCUS_DWELL_MS);
    await browser.type(option);
    return false;
  });
  await until(demo, 'stored choice', () => browser.find('latchkey-settings >>> [role=status]', 'Saved'));
}
