/**
 * The demo in WebKitGTK, the engine of Safari. It has no WebAuthn, so software passkeys stand in navigator.credentials,
 * and it does not tell a frame whether it is covered. `node --import tsx --test tests/webkit/*.test.ts`
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RELAYER } from '../../dev/services/services.js';
import { testsOfButton } from '../engines/button.js';
import { begin, openFacade, outcomeOf } from '../engines/facade.js';
import { testOfSettings } from '../engines/framed-screens.js';
import { testsOfScreens } from '../engines/screens.js';
import {
  agreeUntil,
  type Demo,
  exportKey,
  inWallet,
  isLoggedIn,
  logIn,
  logOut,
  noProblems,
  openDemo,
  press,
  publicKeyOf,
  register,
  registerInWindow,
  sendBatch,
  setGreeting,
  signMessage,
  startAs,
  startExport,
  startGreeting,
  toWallet,
  until,
  VIEWER,
} from '../engines/steps.js';
import { accountOf } from '../support/wallet.js';
import { startWebKit, type WebKit } from './webkit.js';

/**
 * Makes the current document's next prompt begin once the press before it no longer counts, as behind a slow node, and
 * refuses it then, in the words of WebKit's coordinator. A prompt within a press is shown.
 */
const LAPSE = `
  const ask = globalThis.__softwarePasskeys;
  let hasLapsed = false;
  globalThis.__softwarePasskeys = async (kind, options) => {
    while (!hasLapsed && navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 50));
    hasLapsed = true;
    if (!navigator.userActivation.isActive)
      return { error: 'NotAllowedError', message: 'This request has been cancelled by the user.' };
    globalThis.__softwarePasskeys = ask;
    return ask(kind, options);
  };`;
/** Forgets what the site stored. The wallet closes its database for that. */
const FORGET = `
  localStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve, reject) =>
      Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject }));`;
/** What a refused prompt is called in a confirmation, and in the login menu. */
const REFUSED = "Operation was cancelled. Please try again when you're ready.";
const LOGIN_REFUSED = "Login was cancelled. Please try again when you're ready to authenticate.";
/** A document's storage, as far as the test wrote to it. */
const STORED = 'return localStorage.test ?? null;';
let webkit: WebKit;

before(async () => {
  webkit = await startWebKit();
  console.log(`WebKitGTK ${webkit.version}`);
});
after(() => webkit?.stop());

describe('the wallet in its frame, on a page that its operator trusts', () => {
  const demo = openDemo(() => webkit, 'trusted');
  const username = 'ann';
  const accountId = accountOf(username);

  it('registers by one prompt, in its own window: WebKit creates no passkey in a frame', async () => {
    await registerInWindow(demo, username);
    assert.equal(
      webkit.passkeys.ceremonies.at(-1)?.isActivated,
      true,
      'the click in the window is in effect',
    );
    assert.deepEqual(prompts(), ['create']);
    const [[, stored] = []] = await demo.stack.oracle.authenticators(accountId);
    assert.equal(stored?.expected_rp_id, 'wallet.localhost');
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(stored.near_public_key));
  });

  it('logs out, and in again by the server lock without a prompt', async () => {
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(prompts(), []);
  });

  it('logs in by the passkey, in the frame, while the relay is down', async () => {
    await logOut(demo);
    demo.stack.relay.fail('/vrf/remove-server-lock', { kind: 'status', status: 503 });
    await logIn(demo);
    demo.stack.relay.heal();
    assert.deepEqual(prompts(), ['get in a frame']);
  });

  it('draws every confirmation of a frame that was hidden before: the second can be pressed too', async () => {
    const { oracle } = demo.stack;
    for (const text of ['the first', 'the second']) {
      const id = await setGreeting(demo, text);
      assert.equal((await oracle.transaction(id, accountId)).succeeded, true);
      assert.match(await oracle.greeting(), new RegExp(`^${text}`));
    }
    assert.deepEqual(prompts(), ['get in a frame', 'get in a frame']);
  });

  it('asks for another press where the one before no longer counts when the prompt begins', async () => {
    await inWallet(demo);
    await webkit.evaluate(LAPSE);
    await greetAgain(demo, 'by a second press');
    assert.deepEqual(prompts(), ['get in a frame']);
  });

  it('sends a batch after one confirmation and one prompt', async () => {
    await sendsBatch(demo);
    assert.deepEqual(prompts(), ['get in a frame']);
  });

  it('signs a message, with one prompt', async () => {
    await demo.stack.oracle.verifyMessage(await signMessage(demo, username, 'signed in WebKit'));
    assert.deepEqual(prompts(), ['get in a frame']);
  });

  it('shows a key in the frame, after one prompt', async () => {
    await inWallet(demo);
    await webkit.evaluate("localStorage.test = 'in the frame';");
    await startExport(demo);
    await inWallet(demo);
    const shown = await exportKey(demo);
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    await inWallet(demo);
    await until(demo, 'end of the viewer', async () => !(await webkit.evaluate(VIEWER)));
    assert.deepEqual(prompts(), ['get in a frame']);
  });

  testOfSettings(demo, () => prompts());

  it('is unknown on another site, whose storage is separate; one prompt recovers the account there', async () => {
    const { stack } = demo;
    await inWallet(demo);
    assert.equal(await webkit.evaluate(STORED), 'in the frame');
    const elsewhere = stack.appUrl.replace('//', '//other.');
    await stack.oracle.allowHost(elsewhere);
    await webkit.open(elsewhere);
    await startAs(demo, 'Login', username);
    await until(demo, 'offer to recover', () =>
      webkit.find('[role=alert]', `This browser does not know ${accountId}. Restore it with its passkey.`),
    );
    assert.deepEqual(prompts(), []);
    await press(demo, 'Continue');
    await until(demo, 'account', () => isLoggedIn(demo));
    assert.deepEqual(prompts(), ['get in a frame']);
    // WebKit grants it after any click; the wallet does not ask, so that no site learns of the accounts of another.
    await inWallet(demo);
    assert.equal(await webkit.evaluate('return document.hasStorageAccess();'), false);
    await webkit.open(stack.appUrl);
    await logIn(demo);
    assert.deepEqual(prompts(), []);
  });

  it('is locked by a logout in another window', () => isLockedElsewhere(demo));

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

describe('the wallet in the page', () => {
  const demo = openDemo(() => webkit, false);
  const username = 'bea';
  const accountId = accountOf(username);

  it('registers, and logs in again without a prompt', async () => {
    await register(demo, username);
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(prompts(), ['create']);
  });

  it('sends two transactions and signs a message, with one prompt each', async () => {
    const { oracle } = demo.stack;
    for (const text of ['from a page', 'from the same page']) {
      const id = await setGreeting(demo, text);
      assert.equal((await oracle.transaction(id, accountId)).succeeded, true);
    }
    await oracle.verifyMessage(await signMessage(demo, username, 'signed in a page'));
    assert.deepEqual(prompts(), ['get', 'get', 'get']);
  });

  it("shows the account's key in the viewer, after one prompt", async () => {
    await startExport(demo);
    const shown = await exportKey(demo);
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    await webkit.toPage();
    await until(demo, 'end of the viewer', async () => !(await webkit.evaluate(VIEWER)));
    assert.deepEqual(prompts(), ['get']);
  });

  it('asks for another press where the one before no longer counts when the prompt begins', async () => {
    await webkit.evaluate(LAPSE);
    await greetAgain(demo, 'by a second press');
    assert.deepEqual(prompts(), ['get']);
  });

  it('says that the login was cancelled where no press counts any more when its prompt begins; the next press logs in', async () => {
    await logOut(demo);
    demo.stack.relay.fail('/vrf/remove-server-lock', { kind: 'status', status: 503 });
    await webkit.evaluate(LAPSE);
    await startAs(demo, 'Login');
    await until(demo, 'reason', () => webkit.find('[role=alert]', LOGIN_REFUSED));
    assert.deepEqual(prompts(), []);
    await logIn(demo);
    demo.stack.relay.heal();
    assert.deepEqual(prompts(), ['get']);
  });

  it('sends a batch after one confirmation and one prompt', async () => {
    await sendsBatch(demo);
    assert.deepEqual(prompts(), ['get']);
  });

  it('is locked by a logout in another window', () => isLockedElsewhere(demo));

  it('forgets the account with the site’s data, and one prompt recovers it', async () => {
    await webkit.toPage();
    await webkit.evaluate(FORGET);
    await webkit.open(demo.stack.appUrl);
    await startAs(demo, 'Recover', username);
    await until(demo, 'account', () => isLoggedIn(demo));
    assert.deepEqual(prompts(), ['get']);
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(prompts(), []);
  });

  it('links another browser: each confirms and asks for its passkey once', async () => {
    const { oracle } = demo.stack;
    const other = await startWebKit();
    try {
      const device2: Demo = { browser: other, stack: demo.stack };
      const facadeUrl = await openFacade(device2);
      const code = await other.evaluate<string>(
        'facade.useModal(); const { qrData } = await facade.startLinking(); return JSON.stringify(qrData);',
      );
      await webkit.open(facadeUrl);
      await webkit.evaluate('facade.useModal();');
      await begin(demo, 'return facade.manager.recoverAccountFlow({ accountId: args[0] });', accountId);
      assert.equal((await outcomeOf(demo)).success, true);
      assert.deepEqual(prompts(), ['get']);
      await begin(demo, 'return facade.manager.linkDeviceWithScannedQRData(args[0], {});', code);
      await agreeUntil(demo, 'linked key', () => webkit.evaluate('return window.outcome ?? null;'));
      assert.equal((await outcomeOf(demo)).success, true);
      assert.deepEqual(prompts(), ['get']);

      const linked = await agreeUntil(device2, 'linked device', () =>
        other.evaluate<{ success?: boolean } | string | null>('return facade.linked ?? null;'),
      );
      assert.equal(typeof linked === 'object' && linked.success, true, JSON.stringify(linked));
      assert.deepEqual(
        other.passkeys.ceremonies.map(({ kind }) => kind),
        ['create'],
      );
      const numbers = (await oracle.authenticators(accountId)).map(([, { device_number }]) => device_number);
      assert.deepEqual(numbers.sort(), [1, 2]);
      await noProblems(device2);
    } finally {
      await other.stop();
    }
  });

  testsOfButton(demo, username);

  testsOfScreens(demo, username);

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

async function sendsBatch(demo: Demo): Promise<void> {
  const results = await sendBatch(demo, [
    { recipient: RELAYER, near: '0.001' },
    { recipient: RELAYER, near: '0.002' },
  ]);
  assert.equal(results.length, 2);
  for (const result of results) assert.match(result, /Final/);
}

async function isLockedElsewhere(demo: Demo): Promise<void> {
  const first = await webkit.window();
  await webkit.toWindow(await webkit.newWindow());
  await webkit.open(demo.stack.appUrl);
  await logIn(demo);
  await logOut(demo);
  await webkit.toWindow(first);
  await until(demo, 'end of the session', async () => !(await isLoggedIn(demo)));
}

/** Sets a greeting whose first prompt is refused: the confirmation says so and takes another press. */
async function greetAgain(demo: Demo, text: string): Promise<void> {
  await startGreeting(demo, text);
  const isSaid = async () =>
    (await toWallet(demo)) && (await webkit.find('latchkey-confirm >>> [role=alert]', REFUSED));
  await agreeUntil(demo, 'reason', isSaid, { triesAgain: false });
  assert.deepEqual(prompts(), []);
  await agreeUntil(demo, 'greeting', async () => (await demo.stack.oracle.greeting()).startsWith(text));
}

/** The prompts since the last call. */
const prompts = (): string[] =>
  webkit.passkeys.ceremonies.splice(0).map(({ kind, isFramed }) => (isFramed ? `${kind} in a frame` : kind));
