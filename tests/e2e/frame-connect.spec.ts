// The wallet's window at /connect and /sign, opened by pages that do not know each other.
// Specification: frame 8
import { base64 } from '@scure/base';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { AGREE, seeAll, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import {
  ADDRESS,
  agreeIn,
  answerOf,
  chooser,
  clickAndOpen,
  closed,
  type Dapp,
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

test('a page gets a new account, and a second page the same one with one prompt for a message and a key', async ({
  dapps,
  stack,
  username,
}) => {
  const shop = await dapps.open('shop.localhost');
  const first = await clickAndOpen(shop, 'window:connect', {});
  await expect(chooser(first)).toContainText(shop.origin);
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
    addKey: { publicKey, receiverId: 'game.testnet', methodNames: ['play'] },
  });
  await expect(chooser(second)).toContainText(game.origin);
  await expect(chooser(second)).toContainText('a key that calls game.testnet');
  await agreeIn(second, 'Connect an account', 'Connect');
  const both = second.getByRole('dialog', { name: 'Sign a message and a transaction' });
  await expect(both).toContainText('Log in');
  await expect(both).toContainText(publicKey);
  await expect(both).toContainText(game.origin);
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
    FunctionCall: { receiver_id: 'game.testnet', method_names: ['play'] },
  });
});

const transfer = (nearAccountId: string, more: object = {}) => ({
  nearAccountId,
  transactions: [{ receiverId: nearAccountId, actions: [{ type: 'Transfer', amount: '1' }] }],
  ...more,
});

test('an opener skips no click, learns no account that the user did not choose for it, and a stop is kept [S21]', async ({
  dapps,
  username,
}) => {
  const shop = await knownAt(dapps, 'shop.localhost', username);
  const accountId = accountOf(username);

  const unseen = { confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed', autoProceedDelayMs: 0 } };
  const paying = await clickAndOpen(
    shop,
    'window:signAndSendTransactions',
    transfer(accountId, { options: unseen }),
  );
  const dialog = paying.getByRole('dialog', { name: TRANSACTION });
  await expect(dialog).toContainText(shop.origin);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(shop)).toMatchObject({ value: [{ success: false, errorCode: 'CANCELLED' }] });
  await closed(paying);

  const choosing = await clickAndOpen(shop, 'window:connect', {});
  await chooser(choosing).getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(shop)).toMatchObject({
    value: { success: false, accountId: null, errorCode: 'CANCELLED' },
  });
  await closed(choosing);

  const before = dapps.ceremonies.length;
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
    const early = await Promise.race([answerOf(stranger), asking.waitForTimeout(1_500)]);
    expect(early, name).toBeUndefined();
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

test('no address of the wallet’s window takes clicks that follow each other fast', async ({
  dapps,
  username,
}) => {
  const shop = await knownAt(dapps, 'shop.localhost', username);
  const before = dapps.ceremonies.length;

  const again = await clickAndOpen(shop, 'window:connect', {});
  await mash(again, chooser(again).getByRole('button', { name: 'Connect' }));
  await again.close();

  const sign = await clickAndOpen(shop, 'window:signAndSendTransactions', transfer(accountOf(username)));
  const dialog = sign.getByRole('dialog', { name: TRANSACTION });
  await seeAll(dialog);
  await mash(sign, dialog.getByRole('button', { name: AGREE }));
  await sign.close();
  expect(dapps.ceremonies).toHaveLength(before);
});

withPlainBrowser.describe('without a passkey', () => {
  const open = async (
    { context, stack }: Pick<Parameters<Parameters<typeof withPlainBrowser>[2]>[0], 'context' | 'stack'>,
    host: string,
  ): Promise<Dapp> => {
    await stack.addPage(ADDRESS, 'dapp');
    return openDapp(context, stack, host);
  };

  withPlainBrowser('an address answers its own requests and no others [S21]', async ({ context, stack }) => {
    const dapp = await open({ context, stack }, 'shop.localhost');
    for (const [address, type] of [
      ['/connect', 'PM_EXPORT_NEAR_KEYPAIR_UI'],
      ['/connect', 'PM_SIGN_AND_SEND_TXS'],
      ['/sign', 'PM_GET_RECENT_LOGINS'],
      ['/sign', 'PM_CONNECT'],
    ]) {
      await clickAndOpen(dapp, `raw:${address}`, { type, requestId: '1-1', payload: {} });
      expect(await answerOf(dapp)).toMatchObject({
        value: {
          type: 'ERROR',
          payload: { code: 'INVALID_MESSAGE', message: expect.stringContaining('this address') },
        },
      });
    }
  });

  withPlainBrowser(
    'a page whose Cross-Origin-Opener-Policy cuts the window off is told the header, in both windows',
    async ({ context, stack }) => {
      await context.route('**/dapp/index.html', async (route) => {
        // Node resolves no name below localhost.
        const response = await route.fetch({ url: route.request().url().replace('isolated.', '') });
        const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' };
        await route.fulfill({ response, headers });
      });
      const dapp = await open({ context, stack }, 'isolated.localhost');
      const window = await clickAndOpen(dapp, 'window:connect', {});
      await expect(window.getByRole('main')).toContainText(
        'Cross-Origin-Opener-Policy: same-origin-allow-popups',
      );
      expect(await answerOf(dapp)).toMatchObject({
        value: { errorCode: 'WINDOW_SILENT', error: expect.stringContaining('same-origin-allow-popups') },
      });
    },
  );

  withPlainBrowser(
    'a document without an origin of its own is told nothing, and the user reads why',
    async ({ context, stack }) => {
      const dapp = await open({ context, stack }, 'shop.localhost');
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

  withPlainBrowser(
    'a user who opens the address by hand reads that no page asks',
    async ({ context, stack }) => {
      const page = await context.newPage();
      await page.goto(`${stack.walletOrigin}/connect`);
      await expect(page.getByRole('heading', { name: 'No page asks for anything here' })).toBeVisible();
    },
  );
});
