/**
 * The demo and the facade in Firefox: a second engine, whose authenticator gives PRF outputs only at get, and which does
 * not tell a frame whether it is covered. `node --import tsx --test tests/firefox/*.test.ts`
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from '../engines/browser.js';
import { testsOfButton } from '../engines/button.js';
import { testsOfConnect } from '../engines/connect.js';
import { begin, openFacade, outcomeOf } from '../engines/facade.js';
import { testsOfFramedScreens } from '../engines/framed-screens.js';
import { testsOfScreens } from '../engines/screens.js';
import {
  agreeInWindow,
  agreeUntil,
  type Demo,
  exportKey,
  findOffer,
  inWindow,
  logIn,
  logOut,
  noProblems,
  openDemo,
  pressUntilGone,
  promptsOf,
  publicKeyOf,
  register,
  setGreeting,
  signMessage,
  startExport,
  startGreeting,
  toWallet,
  until,
  VIEWER,
} from '../engines/steps.js';
import { accountOf } from '../support/wallet.js';
import { startFirefox } from './firefox.js';
import { repairAssertions } from './repair-assertions.js';

/** A key that is safe to give full access: its private key does not exist. */
const NEW_KEY = 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp';

let firefox: Browser;

before(async () => {
  firefox = await startFirefox();
  console.log(`Firefox ${firefox.version}`);
});
after(() => firefox?.stop());

describe('the wallet in its frame', () => {
  const demo = openDemo(() => firefox, true, repairAssertions);
  const username = 'ann';
  const accountId = accountOf(username);

  it('registers in two prompts: Firefox gives the PRF outputs at get alone', async () => {
    await register(demo, username);
    assert.deepEqual(await promptsOf(demo), ['create', 'get']);
    const [[, stored] = []] = await demo.stack.oracle.authenticators(accountId);
    assert.equal(stored?.expected_rp_id, 'wallet.localhost');
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(stored.near_public_key));
  });

  it('logs out, and in again by the server lock without a prompt', async () => {
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(await promptsOf(demo), ['create', 'get']);
  });

  it('sends a transaction confirmed in its own window, because a frame in Firefox cannot see that it is covered', async () => {
    assert.equal(await isAskedInWindow(demo), true);
    const id = await setGreeting(demo, 'through a frame of Firefox');
    assert.equal((await demo.stack.oracle.transaction(id, accountId)).succeeded, true);
    assert.match(await demo.stack.oracle.greeting(), /through a frame of Firefox/);
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get']);
  });

  it('signs a message confirmed there, with one prompt', async () => {
    await demo.stack.oracle.verifyMessage(await signMessage(demo, username, 'signed in Firefox'));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get']);
  });

  it("shows a key in the wallet's own window", async () => {
    const before = await promptsOf(demo);
    await startExport(demo);
    const shown = await inWindow(demo, () => exportKey(demo));
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    await toWallet(demo);
    assert.equal(await firefox.find('latchkey-key-viewer'), null);
    assert.deepEqual(await promptsOf(demo), before, 'the prompt was in the window');
  });

  describe('as a host calls it', () => {
    before(() => openFacade(demo));

    it("gives a key full access after one press in the wallet's own window, and one prompt", async () => {
      await firefox.evaluate('await facade.manager.loginPasskey(args[0]);', accountId);
      await begin(
        demo,
        `return facade.manager.executeAction({
          nearAccountId: args[0], receiverId: args[0],
          actionArgs: { type: 'AddKey', publicKey: args[1], accessKey: { permission: 'FullAccess' } },
          options: { waitUntil: 'FINAL' },
        });`,
        accountId,
        NEW_KEY,
      );
      await agreeInWindow(demo, 'Add key');
      assert.equal((await outcomeOf(demo)).success, true);
      assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(NEW_KEY));
      assert.deepEqual(await promptsOf(demo), ['get']);
    });

    it('joins an account that named it: one wallet window asks, another creates the passkey', async () => {
      const { oracle } = demo.stack;
      const { accountId: otherId, account } = await oracle.makeAccountElsewhere(
        `other-${Date.now().toString(36)}`,
      );
      const code = await firefox.evaluate<string>(
        'const { qrData } = await facade.startLinking(); return qrData.device2PublicKey;',
      );
      const isNamed = answerMapping(demo, [otherId, 0]);
      await account.addFullAccessKey(code);
      await agreeInWindow(demo, 'Create passkey');
      await agreeInWindow(demo, 'Continue with passkey');
      const linked = await until(demo, 'linked device', () =>
        firefox.evaluate<unknown>('return facade.linked ?? null;'),
      );
      isNamed();
      assert.equal((linked as { success?: boolean }).success, true, JSON.stringify(linked));
      const [[, stored] = []] = await oracle.authenticators(otherId);
      const keys = await oracle.fullAccessKeys(otherId);
      assert.ok(stored && keys.includes(stored.near_public_key));
      assert.ok(!keys.includes(code), 'the key of the code is still on the account');
    });
  });

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));

  testsOfConnect(demo, 'eve');
});

describe('the wallet in its frame, on a page that its operator trusts', () => {
  const demo = openDemo(() => firefox, 'trusted', repairAssertions);
  const username = 'cleo';
  const accountId = accountOf(username);

  it('sends a transaction and signs a message, each confirmed in the frame', async () => {
    await register(demo, username);
    assert.equal(await isAskedInWindow(demo), false);
    const id = await setGreeting(demo, 'through a frame of Firefox');
    assert.equal((await demo.stack.oracle.transaction(id, accountId)).succeeded, true);
    await demo.stack.oracle.verifyMessage(await signMessage(demo, username, 'signed in a frame'));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get']);
    assert.equal((await firefox.windows()).length, 1);
  });

  it('accepts a refusal: it asks again in no window until the user presses for another try', async () => {
    await firefox.setAgrees(false);
    await startGreeting(demo, 'at the second try');
    const refused = ['create', 'get', 'get', 'get', 'get'];
    try {
      const isOffered = async () => {
        await toWallet(demo);
        return firefox.find('latchkey-confirm >>> button', 'Try again');
      };
      await agreeUntil(demo, 'offer of another try', isOffered, { triesAgain: false });
      assert.deepEqual(await promptsOf(demo), refused);
      assert.equal((await firefox.windows()).length, 1);
    } finally {
      // The tests that follow have the same user.
      await firefox.setAgrees(true);
    }
    await agreeUntil(demo, 'greeting', async () =>
      /^at the second try/.test(await demo.stack.oracle.greeting()),
    );
    assert.deepEqual(await promptsOf(demo), [...refused, 'get']);
  });

  testsOfFramedScreens(demo);

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

describe('the wallet in the page', () => {
  const demo = openDemo(() => firefox, false, repairAssertions);
  const username = 'bea';
  const accountId = accountOf(username);

  it('registers in two prompts, and logs in again without one', async () => {
    await register(demo, username);
    await logOut(demo);
    await logIn(demo);
    assert.deepEqual(await promptsOf(demo), ['create', 'get']);
  });

  it('sends a transaction and signs a message, with one prompt each', async () => {
    const { oracle } = demo.stack;
    const id = await setGreeting(demo, 'from a page in Firefox');
    assert.equal((await oracle.transaction(id, accountId)).succeeded, true);
    await oracle.verifyMessage(await signMessage(demo, username, 'signed in a page'));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get']);
  });

  it("shows the account's key in the viewer, after one prompt", async () => {
    await startExport(demo);
    const shown = await exportKey(demo);
    assert.ok((await demo.stack.oracle.fullAccessKeys(accountId)).includes(publicKeyOf(shown)));
    await firefox.toPage();
    await until(demo, 'end of the viewer', async () => !(await firefox.evaluate(VIEWER)));
    assert.deepEqual(await promptsOf(demo), ['create', 'get', 'get', 'get', 'get']);
  });

  testsOfButton(demo, username);

  testsOfScreens(demo, username);

  it('violates no policy and leaves no error uncaught', () => noProblems(demo));
});

/** Whether the wallet asks for its own window, instead of asking in the frame. Sends nothing. */
async function isAskedInWindow(demo: Demo): Promise<boolean> {
  await startGreeting(demo, 'not sent');
  const asked = await until(demo, 'question', async () => {
    if (!(await toWallet(demo))) return false;
    if (await findOffer(demo)) return 'in a window';
    return (await firefox.find('latchkey-confirm >>> button', 'Call')) && 'in the frame';
  });
  const layer = asked === 'in a window' ? 'latchkey-popup' : 'latchkey-confirm';
  await pressUntilGone(demo, `${layer} >>> button`, 'Cancel');
  await firefox.toPage();
  return asked === 'in a window';
}

/** Makes the registry report this account and device count for every key, until the returned function is called. */
function answerMapping({ stack }: Demo, mapping: [accountId: string, devices: number]): () => void {
  const result = [...Buffer.from(JSON.stringify(mapping))];
  return stack.chain.fail('query:get_device_linking_account', {
    kind: 'rewrite-answer',
    rewrite: (answer: { result: object }) => ({ ...answer, result: { ...answer.result, result } }),
  });
}
