// The wallet page on its own, served like a deployed one, under its strict policy: what it shows to whom.
// Specification: core 2, frame 2, frame 6, kit 2
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import { walletFolder } from 'latchkey-react/vite';
import { type WalletPageData, walletSite } from 'latchkey-server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey-server/wallet/node';
import { addVirtualPasskey } from '../support/browser.js';
import { pressUntilGone } from '../support/steps.js';
import { test as base, expect, WHOLE_BROWSER } from './fixtures.js';

interface Origins {
  /** A page that may frame a wallet. */
  host: string;
  /** A wallet whose operator lists this host. */
  wallet: string;
  /** A wallet with no list of its own: only the registry decides who may frame it. */
  closed: string;
  /** The same, from a static host that lets every page frame it: only the page can refuse. */
  open: string;
  /** One whose operator has a brand, and speaks German. */
  branded: string;
}

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const test = base.extend<{ origins: Origins }>({
  origins: async ({ stack }, use) => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Host</title><h1>Host</h1>'),
    );
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const host = `http://app.localhost:${(server.address() as AddressInfo).port}`;
    const config = { relayer: { url: stack.relay.url }, rpcUrl: stack.chain.url };
    const served = async (
      allowedHosts: readonly string[],
      change = (answer: Response) => answer,
      more: Partial<WalletPageData> = {},
    ) => {
      const site = walletSite({
        config: { ...config, ...more, allowedHosts },
        files: filesOf(walletFolder),
        log: silent,
      });
      return serveSite(async (request) => change(await site(request)), 0);
    };
    const brand = { font: 'Georgia, serif', logo: `data:image/svg+xml,${encodeURIComponent(LOGO)}` };
    const sites = [
      await served([host]),
      await served([]),
      await served([], framedByAll),
      await served([host], undefined, { brand, language: 'de' }),
    ];
    const [wallet, closed, open, branded] = sites.map(({ port }) => `http://wallet.localhost:${port}`) as [
      string,
      string,
      string,
      string,
    ];
    await use({ host, wallet, closed, open, branded });
    server.close();
    for (const { close } of sites) await close();
  },
});

function framedByAll(answer: Response): Response {
  const headers = new Headers(answer.headers);
  const policy = headers.get('content-security-policy') ?? '';
  headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
  return new Response(answer.body, { status: answer.status, headers });
}

/** The console messages that none of our pages may cause. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Permissions policy|Refused to/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

/** Opens the host's page with the wallet in a frame over all of it. */
async function framed(page: Page, host: string, wallet: string, query?: string): Promise<FrameLocator> {
  await page.goto(host);
  await page.evaluate(
    (src) => {
      const frame = document.createElement('iframe');
      frame.allow = 'publickey-credentials-get; publickey-credentials-create; clipboard-write';
      frame.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0';
      frame.src = src;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      document.body.append(frame);
      return loaded;
    },
    `${wallet}/wallet-service/${query ?? `?host=${encodeURIComponent(host)}`}`,
  );
  return page.frameLocator('iframe');
}

/** Sends CONNECT as a host does, until the wallet says READY or refuses; then one request, whose answer it returns. */
function connect(
  page: Page,
  origin: string,
  request?: { type: string; payload?: unknown },
): Promise<unknown> {
  return page.evaluate(
    ([walletOrigin, asked]) =>
      new Promise((resolve) => {
        const target = document.querySelector('iframe')!.contentWindow!;
        addEventListener('message', ({ data, origin: from }) => {
          if (from === walletOrigin && data.type === 'ERROR') resolve(data);
        });
        const tries = setInterval(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => {
            clearInterval(tries);
            if (data.type !== 'READY' || !asked) return resolve(data);
            port1.postMessage({ requestId: `${Date.now()}-1`, ...asked });
          };
          target.postMessage({ type: 'CONNECT' }, walletOrigin, [port2]);
        }, 50);
      }),
    [origin, request] as const,
  );
}

test('is a wallet of its own when it is opened on its own, and has nothing to do as a window that no wallet opened', async ({
  page,
  origins,
}) => {
  const complaints = complaintsOf(page);
  for (const path of ['/', '/wallet-service/', '/service/#/send']) {
    await page.goto(`${origins.wallet}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your wallet');
    await expect(page.getByRole('contentinfo')).toContainText('never asks you to type a password');
  }
  await page.goto(`${origins.wallet}/wallet-service/?popup#create:1:x`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is nothing to do here');
  await expect(page.getByRole('main')).toContainText(
    'This window lost the page that opened it. Close it, go back, and press the button again.',
  );
  expect(complaints).toEqual([]);
});

test('has the brand and the language of its operator', async ({ page, origins }) => {
  const complaints = complaintsOf(page);
  await page.goto(origins.branded);
  const mark = page.getByRole('banner').locator('.mark');
  await expect(mark).toHaveCSS('background-image', /^url\("data:image\/svg\+xml/);
  await expect(page.getByRole('main')).toHaveCSS('font-family', 'Georgia, serif');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deine Wallet');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(new URL('/check', origins.branded).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Prüfe deinen Passkey');
  await expect(page.getByRole('button', { name: 'Passkey anlegen' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(complaints).toEqual([]);
});

test('speaks as its user chose, in every page of it, else as its operator, as the page around it, or as the browser', async ({
  browser,
  origins: { host, wallet, branded },
}) => {
  const context = await browser.newContext({ locale: 'ar-EG' });
  const page = await context.newPage();
  const spokenIn = async (site: string, language?: string) => {
    const root = (await framed(page, host, site)).locator('html');
    await connect(page, site, { type: 'PM_SET_CONFIG', payload: { ...(language && { language }) } });
    return root;
  };
  const arabic = await spokenIn(wallet);
  await expect(arabic).toHaveAttribute('lang', 'ar');
  await expect(arabic).toHaveAttribute('dir', 'rtl');
  await expect(await spokenIn(wallet, 'en-GB')).toHaveAttribute('lang', 'en');
  await expect(await spokenIn(wallet, 'tlh')).toHaveAttribute('lang', 'ar');
  await expect(await spokenIn(branded, 'en')).toHaveAttribute('lang', 'de');
  const settings = await framed(page, host, branded);
  // Is answered when its user closes them, which this page does not outlive.
  connect(page, branded, { type: 'PM_OPEN_SETTINGS' }).catch(() => undefined);
  await settings.getByLabel('Sprache').selectOption('العربية');
  await expect(settings.getByRole('dialog')).toHaveCSS('direction', 'rtl');
  await expect(await spokenIn(branded, 'en')).toHaveAttribute('lang', 'ar');
  await expect(await spokenIn(wallet, 'de')).toHaveAttribute('lang', 'de');

  const [home, check] = [await context.newPage(), await context.newPage()];
  await home.goto(wallet);
  await expect(home.locator('html')).toHaveAttribute('lang', 'ar');
  await check.goto(`${wallet}/check`);
  await check.evaluate(() => localStorage.setItem('latchkey-language', 'de'));
  await expect(home.getByRole('heading', { level: 1 })).toHaveText('Deine Wallet');
  await context.close();
});

test('connects to a host that its operator or the registry lists, and shows nothing until it is asked', async ({
  page,
  origins,
  stack,
}) => {
  const complaints = complaintsOf(page);
  const frame = await framed(page, origins.host, origins.wallet);
  const ready = { type: 'READY', payload: { protocolVersion: '1.0.0' } };
  expect(await connect(page, origins.wallet)).toMatchObject(ready);
  await expect(frame.locator('body')).toBeEmpty();
  // It is transparent: the page behind it stays visible.
  await expect(page.getByRole('heading', { name: 'Host' })).toBeVisible();

  await stack.oracle.allowHost(origins.host);
  await framed(page, origins.host, origins.closed);
  expect(await connect(page, origins.closed)).toMatchObject(ready);
  expect(complaints).toEqual([]);
});

test('is blocked by the browser in a page that is not listed, and gives the host the reason where only it can refuse', async ({
  page,
  origins,
}) => {
  const complaints = complaintsOf(page);
  await framed(page, origins.host, origins.closed);
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  expect(complaints.splice(0).join()).toContain("frame-ancestors 'none'");

  const frame = await framed(page, origins.host, origins.open, '');
  expect(await connect(page, origins.open)).toMatchObject({
    type: 'ERROR',
    payload: { code: 'HOST_NOT_ALLOWED' },
  });
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('This app may not use this wallet');
  await expect(frame.getByRole('main')).toContainText(origins.host);
  expect(complaints).toEqual([]);
});

test(
  'draws its settings, its linking code and its register button under its content security policy',
  WHOLE_BROWSER,
  async ({ page, origins, stack }) => {
    const complaints = complaintsOf(page);
    await stack.oracle.allowHost(origins.host);
    await addVirtualPasskey(page);

    await test.step('settings', async () => {
      const frame = await framed(page, origins.host, origins.wallet);
      const answer = connect(page, origins.wallet, { type: 'PM_OPEN_SETTINGS' });
      const settings = frame.getByRole('dialog', { name: 'Transaction Settings' });
      await expect(settings).toContainText('Log in first');
      await pressUntilGone(settings.getByRole('button', { name: 'Close' }), settings);
      expect(await answer).toMatchObject({ type: 'WALLET_UI_OPENED' });
    });

    await test.step('a linking code, whose end is the end of the linking', async () => {
      const frame = await framed(page, origins.host, origins.wallet);
      const request = { type: 'PM_START_DEVICE2_LINKING_FLOW', payload: { ui: 'modal' } };
      // Is answered when the linking ends, which this page need not outlive.
      connect(page, origins.wallet, request).catch(() => undefined);
      const modal = frame.getByRole('dialog', { name: 'Scan and Link Device' });
      await expect(modal.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
      await modal.getByRole('button', { name: 'It was scanned' }).click();
      await expect(modal.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){3}$/)).toBeVisible();
      await pressUntilGone(modal.getByRole('button', { name: 'Close' }), modal);
    });

    await test.step('a register button, which hides for the confirmation and comes back', async () => {
      const frame = await framed(page, origins.host, origins.wallet);
      const told = () => page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told);
      const place = (style: string) =>
        page.locator('iframe').evaluate((element, text) => element.setAttribute('style', text), style);
      await page.evaluate((walletOrigin) => {
        const messages: unknown[] = [];
        Object.assign(globalThis, { told: messages });
        addEventListener('message', ({ data, origin }) => {
          if (origin === walletOrigin && data.type !== 'SERVICE_HOST_BOOTED') messages.push(data);
        });
      }, origins.wallet);
      const button = frame.getByRole('button', { name: 'Create a passkey' });

      await place('position: fixed; left: 40px; top: 120px; width: 280px; height: 56px; border: 0');
      const payload = { nearAccountId: 'newcomer.w3a-v1.testnet' };
      await connect(page, origins.wallet, { type: 'PM_MOUNT_REGISTER_BUTTON', payload });
      await expect(button).toContainText('newcomer.w3a-v1.testnet');
      await expect(button).toHaveCSS('width', '280px');
      await button.click();
      const dialog = frame.getByRole('dialog', { name: 'Create your passkey' });
      await place('position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(told).toMatchObject([
        { type: 'REGISTER_BUTTON_SUBMIT', payload },
        { type: 'REGISTER_BUTTON_RESULT', payload: { ok: false, cancelled: true } },
      ]);
      await place('position: fixed; left: 40px; top: 120px; width: 280px; height: 56px; border: 0');
      await expect(button).toBeEnabled();
    });
    expect(complaints).toEqual([]);
  },
);
