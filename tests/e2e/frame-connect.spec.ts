// The wallet's window at /connect and /sign, opened by pages that do not know each other.
// Specification: frame 8
import type { Page } from '@playwright/test';
import { base64 } from '@scure/base';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { AGREE, seeAll, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import {
  ADDRESS,
  agreeIn,
  answerOf,
  chooser,
  clickAndOpen,
  closed,
  knownAt,
  makeAccount,
  openDapp,
  test,
} from './connect-page/fixture.js';
import { expect, test as withPlainBrowser } from './fixtures.js';
import { mash } from './popup/window.js';

test.describe.configure({ timeout: 180_000 });

const NONCE = { bytes: [...new Uint8Array(32).fill(7)] };
const message = (recipient: string) => ({ message: 'Log in', recipient, nonce: NONCE });
const appKey = () => KeyPair.fromRandom('ed25519').getPublicKey().toString();

/** Expects no violation and no text beyond the edge, in the narrowest window. */
async function expectAccessible(window: Page): Promise<void> {
  await window.setViewportSize({ width: 320, height: 720 });
  for (const theme of ['light', 'dark'] as const) {
    await window.evaluate((shown) => {
      document.documentElement.dataset.latchkeyTheme = shown;
    }, theme);
    await showTheme(window, theme);
    expect(await violations(window), theme).toEqual([]);
  }
  expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
}

test('a page gets a new account, and a second page the same one with one prompt for a message and a key, on accessible screens', async ({
  dapps,
  stack,
  username,
}) => {
  const shop = await dapps.open('a-shop-with-a-rather-long-name.localhost');
  const first = await clickAndOpen(shop, 'window:connect', {});
  await expect(chooser(first)).toContainText(shop.origin);
  await expectAccessible(first);
  await makeAccount(first, username);
  const made = await answerOf(shop);
  const accountId = accountOf(username);
  expect(made).toMatchObject({ value: { success: true, accountId } });
  await closed(first);
  expect(dapps.ceremonies).toEqual([{ kind: 'create', origin: stack.walletOrigin, isFramed: false }]);

  const game = await dapps.open('game.localhost');
  const publicKey = appKey();
  const second = await clickAndOpen(game, 'window:connect', {
    signMessage: message('game.localhost'),
    addKey: { publicKey, receiverId: 'a-game-with-a-long-name.testnet', methodNames: ['play'] },
  });
  await expect(chooser(second)).toContainText(game.origin);
  await expect(chooser(second)).toContainText('a key that calls a-game-with-a-long-name.testnet');
  await expectAccessible(second);
  await agreeIn(second, 'Connect an account', 'Connect');
  const both = second.getByRole('dialog', { name: 'Sign a message and a transaction' });
  await expect(both).toContainText('Log in');
  await expect(both).toContainText(publicKey);
  await expect(both).toContainText(game.origin);
  await expectAccessible(second);
  await agreeIn(second, 'Sign a message and a transaction', 'Sign both');
  const answer = (await answerOf(game)) as {
    value: { signedMessage: { signature: string; publicKey: string } };
  };
  expect(answer).toMatchObject({
    value: { success: true, accountId, signedMessage: { success: true }, addedKey: { success: true } },
  });
  expect(base64.decode(answer.value.signedMessage.signature)).toHaveLength(64);
  expect(dapps.ceremonies.slice(1)).toEqual([{ kind: 'get', origin: stack.walletOrigin, isFramed: false }]);
  const { keys } = await new JsonRpcProvider({ url: stack.chainUrl }).viewAccessKeyList({ accountId });
  expect(keys.find((key) => key.public_key === publicKey)?.access_key.permission).toMatchObject({
    FunctionCall: { receiver_id: 'a-game-with-a-long-name.testnet', method_names: ['play'] },
  });
});

const transfer = (nearAccountId: string, more: object = {}) => ({
  nearAccountId,
  transactions: [{ receiverId: nearAccountId, actions: [{ type: 'Transfer', amount: '1' }] }],
  ...more,
});

test('an opener skips no click, has no fast one counted, gets no answer to another address’s request and no account that the user did not choose, and a stop is kept [S21]', async ({
  dapps,
  username,
}) => {
  const shop = await knownAt(dapps, 'shop.localhost', username);
  const accountId = accountOf(username);
  const before = dapps.ceremonies.length;

  for (const [address, type] of [
    ['/connect', 'PM_EXPORT_NEAR_KEYPAIR_UI'],
    ['/connect', 'PM_SIGN_AND_SEND_TXS'],
    ['/sign', 'PM_GET_RECENT_LOGINS'],
    ['/sign', 'PM_CONNECT'],
  ]) {
    const asked = await clickAndOpen(shop, `raw:${address}`, { type, requestId: '1-1', payload: {} });
    expect(await answerOf(shop)).toMatchObject({
      value: {
        type: 'ERROR',
        payload: { code: 'INVALID_MESSAGE', message: expect.stringContaining('this address') },
      },
    });
    await asked.close();
  }

  const unseen = { confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed', autoProceedDelayMs: 0 } };
  const paying = await clickAndOpen(
    shop,
    'window:signAndSendTransactions',
    transfer(accountId, { options: unseen }),
  );
  const dialog = paying.getByRole('dialog', { name: TRANSACTION });
  await expect(dialog).toContainText(shop.origin);
  await seeAll(dialog);
  await mash(paying, dialog.getByRole('button', { name: AGREE }));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(shop)).toMatchObject({ value: [{ success: false, errorCode: 'CANCELLED' }] });
  await closed(paying);

  const choosing = await clickAndOpen(shop, 'window:connect', {});
  await mash(choosing, chooser(choosing).getByRole('button', { name: 'Connect' }));
  await chooser(choosing).getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(shop)).toMatchObject({
    value: { success: false, accountId: null, errorCode: 'CANCELLED' },
  });
  await closed(choosing);

  const stranger = await dapps.open('stranger.localhost');
  const asking = await clickAndOpen(stranger, 'window:connect', {});
  await chooser(asking).getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(stranger)).toMatchObject({
    value: { success: false, accountId: null, publicKey: null },
  });
  expect(dapps.ceremonies).toHaveLength(before);

  const again = await clickAndOpen(stranger, 'window:connect', {});
  await chooser(again).getByRole('button', { name: 'Stop requests from this site' }).click();
  await answerOf(stranger);
  await closed(again);
  await clickAndOpen(stranger, 'window:connect', {});
  expect(await answerOf(stranger)).toMatchObject({
    value: { success: false, accountId: null, error: expect.stringContaining('stopped the requests') },
  });
});

test('an opener does not learn which account is in this browser: each name has the same screen, and no answer before the user acts [S22]', async ({
  dapps,
  username,
}) => {
  await knownAt(dapps, 'shop.localhost', username);
  const known = accountOf(username);
  const before = dapps.ceremonies.length;

  const stranger = await dapps.open('stranger.localhost');
  const screens: string[] = [];
  for (const name of [known, accountOf(`${username}-nobody`), known, 'nobody.testnet', known]) {
    const asking = await clickAndOpen(stranger, 'window:signAndSendTransactions', transfer(name));
    await asking.getByRole('heading', { name: 'Open your account' }).waitFor();
    screens.push((await asking.getByRole('main').innerText()).replace(name, '…'));
    // No click counts there that follows another one fast.
    if (screens.length === 1) await mash(asking, asking.getByRole('button', { name: 'Continue' }));
    // Longer than an answer about an unknown account took.
    if (screens.length <= 2) {
      const early = await Promise.race([answerOf(stranger), asking.waitForTimeout(1_500)]);
      expect(early, name).toBeUndefined();
    }
    await asking.getByRole('button', { name: 'Cancel' }).click();
    expect(await answerOf(stranger), name).toEqual({
      value: [expect.objectContaining({ success: false, errorCode: 'CANCELLED', fate: 'not-sent' })],
    });
    await closed(asking);
  }
  expect(new Set(screens).size).toBe(1);
  expect(dapps.ceremonies).toHaveLength(before);
  for (const name of [known, 'nobody.testnet']) {
    await clickAndOpen(stranger, 'window:signAndSendTransactions', transfer(name));
    expect(await answerOf(stranger), name).toMatchObject({
      value: [{ success: false, error: expect.stringContaining('refused several requests') }],
    });
  }
});

withPlainBrowser(
  'a user reads why a window has no page to answer: a header that cuts it off, an opener without an origin, or no opener',
  async ({ context, stack }) => {
    await stack.addPage(ADDRESS, 'dapp');
    await withPlainBrowser.step('a Cross-Origin-Opener-Policy, which the page is told too', async () => {
      await context.route('**/dapp/index.html', async (route) => {
        // Node resolves no name below localhost.
        const response = await route.fetch({ url: route.request().url().replace('isolated.', '') });
        const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' };
        await route.fulfill({ response, headers });
      });
      const dapp = await openDapp(context, stack, 'isolated.localhost');
      const window = await clickAndOpen(dapp, 'window:connect', {});
      await expect(window.getByRole('main')).toContainText(
        'Cross-Origin-Opener-Policy: same-origin-allow-popups',
      );
      expect(await answerOf(dapp)).toMatchObject({
        value: { errorCode: 'WINDOW_SILENT', error: expect.stringContaining('same-origin-allow-popups') },
      });
      await context.unrouteAll();
    });

    await withPlainBrowser.step(
      'a document without an origin of its own, which is told nothing',
      async () => {
        const dapp = await openDapp(context, stack, 'shop.localhost');
        await dapp.page.evaluate((address) => {
          const frame = document.createElement('iframe');
          frame.sandbox.add('allow-scripts', 'allow-popups', 'allow-popups-to-escape-sandbox');
          frame.title = 'opaque';
          frame.srcdoc = `<button onclick="const w = window.open('${address}'); const s = crypto.randomUUID?.() ?? '${crypto.randomUUID()}';
        window.heard = []; onmessage = ({ data }) => heard.push(data);
        setInterval(() => w.postMessage({ type: 'WALLET_OPENER_CONNECT', session: s }, '*'), 100)">Open</button>`;
          document.body.append(frame);
        }, `${stack.walletOrigin}/connect`);
        const coming = context.waitForEvent('page');
        const opaque = dapp.page.frameLocator('iframe[title=opaque]');
        await opaque.getByRole('button', { name: 'Open' }).click();
        const window = await coming;
        await expect(window.getByRole('alert')).toContainText('“null”');
        expect(
          await opaque
            .getByRole('button')
            .evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard),
        ).toEqual([]);
      },
    );

    await withPlainBrowser.step('a user who opens the addresses by hand', async () => {
      const page = await context.newPage();
      for (const address of ['/connect', '/sign']) {
        await page.goto(`${stack.walletOrigin}${address}`);
        await expect(page.getByRole('heading', { name: 'No page asks for anything here' })).toBeVisible();
      }
      await expectAccessible(page);
    });
  },
);
