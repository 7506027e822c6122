/**
 * The demo in WebKitGTK, the engine of Safari. It has no WebAuthn, so software passkeys stand in navigator.credentials,
 * and it does not tell a frame whether it is covered. `node --import tsx --test tests/webkit/*.test.ts`
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accountOf } from '../../demo/stack/wallet.js';
import type { Browser } from '../engines/browser.js';
import {
  exportKey,
  inWindow,
  logIn,
  logOut,
  noProblems,
  openDemo,
  press,
  promptsOf,
  publicKeyOf,
  register,
  setGreeting,
  signMessage,
  until,
  VIEWER,
} from '../engines/steps.js';
import { startWebKit } from './webkit.js';

let webkit: Browser;

before(async () => {
  webkit = await startWebKit();
  console.log(`WebKitGTK ${webkit.version}`);
});
after(() => webkit?.stop());

describe('the wallet in its frame', () => {
  const demo = openDemo(() => webkit, true);
  const username = 'ann';
  const accountId = accountOf(username);

  it('registers in one prompt', async () => {
    await register(demo, username);
    assert.deepEqual(await promptsOf(demo), ['create']);
    const [[, stored] = []] = await demo.stack.oracle.authenticators(accountId);
    assert.equal(stored?.expected_rp_id, 'wallet.localhost');
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(stored.near_public_key));
  });

  it('logs out, and in again by the server lock without a prompt', async () => {
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(await promptsOf(demo), ['create']);
  });

  it('logs in by the passkey while the relay is down', async () => {
    await logOut(demo);
    demo.stack.relay.fail('/vrf/remove-server-lock', { kind: 'status', status: 503 });
    await logIn(demo);
    demo.stack.relay.heal();
    assert.deepEqual(await promptsOf(demo), ['create', 'get']);
  });

  it('draws every confirmation of a frame that was hidden before: the second can be pressed too', async () => {
    const { oracle } = demo.stack;
    for (const text of ['the first', 'the second']) {
      const id = await setGreeting(demo, text);
      assert.equal((await oracle.transaction(id, accountId)).succeeded, true);
      assert.match(await oracle.greeting(), new RegExp(`^${text}`));
    }
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get']);
  });

  it('signs a message, with one prompt', async () => {
    await demo.stack.oracle.verifyMessage(await signMessage(demo, username, 'signed in WebKit'));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get', 'get']);
  });

  it("shows a key in the wallet's own window, under the wallet's own policy", async () => {
    const prompts = await promptsOf(demo);
    await press(demo, 'Export keys');
    const shown = await inWindow(demo, () => exportKey(demo));
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    assert.deepEqual(await promptsOf(demo), prompts, 'the prompt was in the window');
  });

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
    assert.deepEqual(await promptsOf(demo), ['create']);
  });

  it('sends two transactions and signs a message, with one prompt each', async () => {
    const { oracle } = demo.stack;
    for (const text of ['from a page', 'from the same page']) {
      const id = await setGreeting(demo, text);
      assert.equal((await oracle.transaction(id, accountId)).succeeded, true);
    }
    await oracle.verifyMessage(await signMessage(demo, username, 'signed in a page'));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get']);
  });

  it("shows the account's key in the viewer, after one prompt", async () => {
    await press(demo, 'Export keys');
    const shown = await exportKey(demo);
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    await webkit.toPage();
    await until(demo, 'end of the viewer', async () => !(await webkit.evaluate(VIEWER)));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get', 'get']);
  });

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});
