/**
 * The wallet's own window in WebKitGTK, as a user and a host of the framed wallet meet it: every request that signs, exports or joins.
 * `node --import tsx --test tests/webkit/window.test.ts`
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RELAYER } from '../../dev/services/services.js';
import { testsOfConnect } from '../engines/connect.js';
import { begin, openFacade, outcomeOf } from '../engines/facade.js';
import {
  agreeInWindow,
  exportKey,
  findOffer,
  inWallet,
  inWindow,
  noProblems,
  openDemo,
  publicKeyOf,
  registerInWindow,
  sendBatch,
  signMessage,
  startExport,
  startGreeting,
  toWallet,
  until,
} from '../engines/steps.js';
import { accountOf } from '../support/wallet.js';
import { startWebKit, type WebKit } from './webkit.js';

/** Keys that are safe to give full access: their private keys do not exist. */
const KEYS = [
  'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp',
  'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
] as const;
/** Gives each of these keys full access to the account, all at the same time. */
const ADD_KEYS = `
  const [nearAccountId, ...keys] = args;
  const results = await Promise.all(keys.map((publicKey) => facade.manager.executeAction({
    nearAccountId, receiverId: nearAccountId,
    actionArgs: { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } },
    options: { waitUntil: 'FINAL' },
  })));
  return results.map(({ success, errorCode }) => errorCode ?? success);`;
/** Asks one thing after the other in each transaction that writes, so that it never ends. */
const HOLD_WRITES = `
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...options) {
    const transaction = begin.apply(this, options);
    if (transaction.mode !== 'readwrite') return transaction;
    const store = transaction.objectStore(transaction.objectStoreNames[0]);
    const ask = () => {
      globalThis.isHeld = true;
      store.count().onsuccess = ask;
    };
    ask();
    return transaction;
  };`;

let webkit: WebKit;

before(async () => {
  webkit = await startWebKit();
});
after(() => webkit?.stop());

describe('the wallet in its frame, on any other page', () => {
  const demo = openDemo(() => webkit, true);
  const username = 'ann';
  const accountId = accountOf(username);

  before(async () => {
    await registerInWindow(demo, username);
    webkit.passkeys.ceremonies.length = 0;
  });

  it('confirms payments and messages in its own window, and asks for the passkey in the frame', async () => {
    const { oracle } = demo.stack;
    await startGreeting(demo, 'by a window');
    await agreeInWindow(demo, 'Call');
    await until(demo, 'greeting', async () => /^by a window/.test(await oracle.greeting()));
    const results = await sendBatch(demo, [
      { recipient: RELAYER, near: '0.001' },
      { recipient: RELAYER, near: '0.002' },
    ]);
    for (const result of results) assert.match(result, /Final/);
    await oracle.verifyMessage(await signMessage(demo, username, 'signed by a window'));
    assert.deepEqual(ceremonies(), ['get in a frame', 'get in a frame', 'get in a frame']);
  });

  it("shows a key in its own window, under the wallet's own policy and without the frame's storage", async () => {
    await inWallet(demo);
    await webkit.evaluate("localStorage.test = 'in the frame';");
    await startExport(demo);
    const shown = await inWindow(demo, async () => {
      assert.equal(await webkit.evaluate('return localStorage.test ?? null;'), null);
      return exportKey(demo);
    });
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    assert.deepEqual(ceremonies(), ['get']);
  });

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));

  testsOfConnect(demo, 'eve');
});

describe("the wallet's own window", () => {
  const demo = openDemo(() => webkit, true);
  const username = 'cleo';
  const accountId = accountOf(username);
  let facadeUrl: string;

  before(async () => {
    await registerInWindow(demo, username);
    facadeUrl = await openFacade(demo);
    await webkit.evaluate('await facade.manager.loginPasskey(args[0]);', accountId);
    webkit.passkeys.ceremonies.length = 0;
  });

  it('is not held up by a page that was left in the middle of a write', async () => {
    const logIn = () => begin(demo, 'return facade.manager.loginPasskey(args[0]);', accountId);
    await inWallet(demo);
    await webkit.evaluate(HOLD_WRITES);
    await webkit.toPage();
    await logIn();
    await inWallet(demo);
    await until(demo, 'write', () => webkit.evaluate<boolean>('return globalThis.isHeld ?? false;'));
    await webkit.toPage();
    await webkit.open(`${facadeUrl}?later`);
    await logIn();
    assert.equal((await outcomeOf<{ success: boolean }>(demo)).success, true);
    assert.deepEqual(ceremonies(), []);
  });

  it('is reported as blocked without a press, opens at the next press, opens once, and cancels when closed', async () => {
    const host = await webkit.window();
    await begin(demo, ADD_KEYS, accountId, KEYS[0]);
    const offer = await until(
      demo,
      'offer of a window',
      async () => (await toWallet(demo)) && findOffer(demo),
    );
    // A script's click is no user's: WebKit opens no window for it.
    await webkit.evaluate('args[0].click();', offer);
    await until(demo, 'report', () => webkit.find('latchkey-popup >>> [role=alert]', BLOCKED));
    assert.deepEqual(await webkit.windows(), [host]);

    await until(demo, 'window', async () => {
      const button = await webkit.find('latchkey-popup >>> button', 'Try again');
      if (button) await webkit.press(button);
      return (await webkit.windows()).length === 2;
    });
    const show = await until(demo, 'button', () =>
      webkit.find('latchkey-popup >>> button', 'Show the window'),
    );
    assert.equal(await webkit.press(show), true);
    const [opened, ...others] = (await webkit.windows()).filter((handle) => handle !== host);
    assert.ok(opened);
    assert.deepEqual(others, []);

    await webkit.toWindow(opened);
    await until(demo, 'confirmation', () => webkit.find('latchkey-confirm >>> button', 'Add key'));
    await webkit.evaluate('setTimeout(() => close());');
    await until(demo, 'end of the window', async () => !(await webkit.windows()).includes(opened));
    await webkit.toWindow(host);
    await webkit.toPage();
    assert.deepEqual(await outcomeOf(demo), ['CANCELLED']);
    assert.deepEqual(webkit.passkeys.ceremonies, []);
  });

  it('serves one request after the other', async () => {
    await begin(demo, ADD_KEYS, accountId, ...KEYS);
    for (const _ of KEYS) {
      await agreeInWindow(demo, 'Add key');
      assert.equal((await webkit.windows()).length, 1);
    }
    assert.deepEqual(await outcomeOf(demo), [true, true]);
    const keys = await demo.stack.oracle.fullAccessKeys(accountId);
    for (const key of KEYS) assert.ok(keys.includes(key));
    assert.deepEqual(
      webkit.passkeys.ceremonies.splice(0).map(({ kind }) => kind),
      ['get', 'get'],
    );
  });

  it('links a device: each side confirms in a window, and the new one creates its passkey in another', async () => {
    const { oracle } = demo.stack;
    const device1 = await webkit.window();
    const device2 = await webkit.newWindow();
    // Another site's storage is another device's.
    const elsewhere = facadeUrl.replace('//', '//other.');
    await oracle.allowHost(new URL(elsewhere).origin);
    await webkit.toWindow(device2);
    await webkit.open(elsewhere);
    const code = await webkit.evaluate<string>(
      'const { qrData } = await facade.startLinking(); return JSON.stringify(qrData);',
    );
    await webkit.toWindow(device1);
    await begin(demo, 'return facade.manager.linkDeviceWithScannedQRData(args[0], {});', code);
    await agreeInWindow(demo, 'Give full access');
    assert.equal((await outcomeOf<{ success: boolean }>(demo)).success, true);

    await webkit.toWindow(device2);
    await agreeInWindow(demo, 'Create passkey');
    await agreeInWindow(demo, 'Continue with passkey');
    const linked = await until(demo, 'linked device', () =>
      webkit.evaluate<{ success?: boolean } | string | null>('return facade.linked ?? null;'),
    );
    assert.equal(typeof linked === 'object' && linked?.success, true, JSON.stringify(linked));
    assert.deepEqual(ceremonies(), ['get in a frame', 'create']);
    const authenticators = await oracle.authenticators(accountId);
    assert.deepEqual(authenticators.map(([, { device_number }]) => device_number).sort(), [1, 2]);
    const keys = await oracle.fullAccessKeys(accountId);
    for (const [, { near_public_key }] of authenticators) assert.ok(keys.includes(near_public_key));
    assert.ok(!keys.includes((JSON.parse(code) as { device2PublicKey: string }).device2PublicKey));
  });

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

/** The passkey ceremonies since the last call. */
const ceremonies = (): string[] =>
  webkit.passkeys.ceremonies.splice(0).map(({ kind, isFramed }) => (isFramed ? `${kind} in a frame` : kind));

const BLOCKED = 'The browser blocked the window. Allow pop-ups for this site, then try again.';
