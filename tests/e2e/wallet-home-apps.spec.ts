// The apps that the wallet's own page lists, and the pages around it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { AGREE, agree, approveUntil, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect } from './fixtures.js';
import { goTo, register, row, test } from './home-page.js';

test('an app of the same site shows under Apps: its key is revoked, its requests stop, and it is forgotten', async ({
  home,
  stack,
  username,
}) => {
  const { page, origin } = home;
  const account = accountOf(username);
  await register(page, username);
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Game</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // A browser gives a frame of the same site the storage of this page.
  const app = `http://game.wallet.localhost:${(server.address() as AddressInfo).port}`;
  await stack.oracle.allowHost(app);
  await page.goto(app);
  const login = { type: 'PM_LOGIN', payload: { nearAccountId: account } };
  const key = { nearAccountId: account, receiverId: 'game.testnet', methodNames: ['play'] };
  const added = ask(page, origin, [login, { type: 'PM_ADD_APP_KEY', payload: key }]);
  await agree(page.frameLocator('iframe').getByRole('dialog', { name: TRANSACTION }), AGREE);
  expect(await added).toMatchObject([
    { payload: { result: { success: true } } },
    { payload: { result: { success: true } } },
  ]);

  await page.goto(`${origin}/#/keys`);
  await page.getByRole('button', { name: `Open ${account}` }).click();
  const keys = page.getByRole('region', { name: 'Access for game.testnet' });
  await expect(keys).toContainText('Only: play');
  await keys.getByRole('button', { name: /^Remove access: game\.testnet/ }).click();
  await approveUntil(page, page.getByText('No app has access'));
  await goTo(page, 'Activity');
  await expect(row(page, 'Gave app access to game.testnet')).toContainText(`Asked by ${app}`);
  await expect(row(page, 'Removed a key')).not.toContainText('Asked by');

  await goTo(page, 'Apps');
  const card = page.getByRole('region', { name: app });
  await expect(card).toContainText(account);
  await expect(card.getByRole('status')).toHaveText('It may ask you');
  await card.getByRole('button', { name: `Stop its requests: ${app}` }).click();
  await expect(card.getByRole('status')).toContainText('You stopped its requests');
  await page.goto(app);
  const refused = await ask(page, origin, [login, { type: 'PM_ADD_APP_KEY', payload: key }]);
  expect(JSON.stringify(refused)).toContain('HOST_STOPPED');

  await page.goto(`${origin}/#/apps`);
  await page.getByRole('button', { name: `Open ${account}` }).click();
  await card.getByRole('button', { name: `Allow requests again: ${app}` }).click();
  await expect(card.getByRole('status')).toHaveText('It may ask you');
  await card.getByRole('button', { name: `Forget this app: ${app}` }).click();
  await page
    .getByRole('dialog', { name: 'Forget this app?' })
    .getByRole('button', { name: 'Forget', exact: true })
    .click();
  await expect(page.getByText('No apps yet')).toBeVisible();
  server.close();
});

interface Request {
  readonly type: string;
  readonly payload: object;
}

/** As a host's page: embeds the wallet and makes these requests. Resolves with their answers. */
function ask(page: Page, walletOrigin: string, requests: readonly Request[]): Promise<unknown> {
  return page.evaluate(
    async ([origin, asked]) => {
      const frame = document.createElement('iframe');
      frame.allow = 'publickey-credentials-get; publickey-credentials-create';
      frame.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0';
      frame.src = `${origin}/wallet-service/?host=${encodeURIComponent(location.origin)}`;
      for (const old of document.querySelectorAll('iframe')) old.remove();
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      document.body.append(frame);
      await loaded;
      const port = await new Promise<MessagePort>((resolve) => {
        const tries = setInterval(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => {
            if (data.type !== 'READY') return;
            clearInterval(tries);
            resolve(port1);
          };
          frame.contentWindow?.postMessage({ type: 'CONNECT' }, origin, [port2]);
        }, 50);
      });
      const answers: unknown[] = [];
      for (const [index, request] of asked.entries()) {
        answers.push(
          await new Promise((resolve) => {
            port.onmessage = ({ data }) => {
              if (['PM_RESULT', 'ERROR'].includes(data.type)) resolve(data);
            };
            port.postMessage({ requestId: `${Date.now()}-${index + 1}`, ...request });
          }),
        );
      }
      return answers;
    },
    [walletOrigin, requests] as const,
  );
}

test('no page may frame the wallet’s own page or its check, and a page that opened one keeps no handle on it [S24]', async ({
  home,
  stack,
}) => {
  const { page, origin } = home;
  const { headers } = await fetch(`${origin.replace('wallet.localhost', 'localhost')}/`);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  for (const [path, title] of [
    ['/', 'Your wallet'],
    ['/check', 'Check your passkey'],
  ] as const) {
    await page.goto(stack.appUrl);
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
    }, `${origin}${path}`);
    await expect
      .poll(() => page.frames().some((frame) => frame.url() === 'chrome-error://chromewebdata/'))
      .toBe(true);
    const popup = page.waitForEvent('popup');
    await page.evaluate((url) => {
      Object.assign(globalThis, { opened: window.open(url) });
    }, `${origin}${path}`);
    const opened = await popup;
    await expect(opened.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(await page.evaluate(() => (globalThis as unknown as { opened: Window }).opened.closed)).toBe(true);
  }
});
