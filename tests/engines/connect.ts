/** The wallet's windows at /connect and /sign, which pages without a frame of the wallet open. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accountOf } from '../support/wallet.js';
import { type Demo, noProblems, pressUntilClosed, until } from './steps.js';

interface Answer {
  readonly value?: { readonly accountId?: string; readonly signedMessage?: { readonly success: boolean } };
  readonly error?: string;
}

/** Tests the windows for a new account of this name, whose wallet has an origin of its own. Ends in a page that knows no wallet. */
export function testsOfConnect(demo: Demo, username: string): void {
  describe('the windows of the wallet, opened by pages without a frame of it', () => {
    const accountId = accountOf(username);
    const receiverId = 'b'.repeat(64);
    let url: string;
    before(async () => {
      url = await demo.stack.addPage(fileURLToPath(new URL('../e2e/connect-page/', import.meta.url)), 'dapp');
    });
    const openOn = (host: string) => demo.browser.open(url.replace('//localhost', `//${host}`));

    it('make an account for one page at /connect', async () => {
      await openOn('shop.localhost');
      const { value, error } = await asked(demo, 'connect', {}, async (opened) => {
        await named(demo, username);
        await pressUntilClosed(demo, opened, 'Connect', 'Create passkey');
      });
      assert.deepEqual([value?.accountId, error], [accountId, undefined]);
      assert.equal(await demo.stack.oracle.accountExists(accountId), true);
    });

    it('pay for it at /sign, in a session of its own', async () => {
      const transactions = [{ receiverId, actions: [{ type: 'Transfer', amount: '7' }] }];
      await asked(demo, 'signAndSendTransactions', { nearAccountId: accountId, transactions }, (opened) =>
        pressUntilClosed(demo, opened, 'Send'),
      );
      await until(demo, 'payment', async () => (await demo.stack.oracle.balance(receiverId)) === 7n);
    });

    it('give the same account to a page of another origin, with a signed message', async () => {
      await openOn('game.localhost');
      const signMessage = { message: 'Log in', recipient: 'game.localhost' };
      const { value } = await asked(demo, 'connect', { signMessage }, async (opened) => {
        await until(demo, 'account', () => demo.browser.find('latchkey-connect >>> input', accountId));
        await pressUntilClosed(demo, opened, 'Connect', 'Sign in');
      });
      assert.deepEqual([value?.accountId, value?.signedMessage?.success], [accountId, true]);
    });

    it('violate no policy and leave no error uncaught', () => noProblems(demo));
  });
}

/** Makes a click of the user that leads to this call, and does this in the window that it opens. Returns the page's answer. */
async function asked(
  demo: Demo,
  call: string,
  params: object,
  inside: (opened: string) => Promise<void>,
): Promise<Answer> {
  const { browser } = demo;
  const page = await browser.window();
  const before = await browser.windows();
  await browser.evaluate(
    'const [call, params] = args; dapp.onClick(() => dapp.inWindow[call](params));',
    call,
    params,
  );
  const button = await until(demo, 'button', () => browser.find('button', 'Ask'));
  assert.equal(await browser.press(button), true);
  const opened = await until(demo, 'window', async () =>
    (await browser.windows()).find((handle) => !before.includes(handle)),
  );
  await browser.toWindow(opened);
  await inside(opened);
  await browser.toWindow(page);
  return browser.evaluate<Answer>('return dapp.answer();');
}

/** Writes the name of the new account. Firefox's driver sends no keys to a window that another page has opened. */
async function named(demo: Demo, username: string): Promise<void> {
  const { browser } = demo;
  await until(demo, 'name of the new account', async () => {
    const field = await browser.find('latchkey-connect >>> input:not([type=radio])');
    if (!field || !(await browser.press(field))) return false;
    await browser.evaluate(
      "args[0].focus(); document.execCommand('insertText', false, args[1]);",
      field,
      username,
    );
    return browser.evaluate<boolean>('return args[0].value.includes(args[1]);', field, username);
  });
}
