// The wallet's own page: the wallet origin opened by its user, under its strict policy, over the real chain and relay.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { addVirtualPasskey } from '../../demo/stack/browser.js';
import { holdEverywhere } from '../../demo/stack/local-stack.js';
import { REGISTRY } from '../../demo/stack/services.js';
import { agree, approveUntil, confirmDialog, loginMenu, pressUntilGone } from '../../demo/stack/steps.js';
import { accountOf } from '../../demo/stack/wallet.js';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { expect, leaveOutBlur, test as withStack } from './fixtures.js';

interface Home {
  page: Page;
  origin: string;
  /** What the browser said against the page: its policy, its errors. */
  complaints: string[];
}

const test = withStack.extend<{ home: Home }>({
  home: async ({ context, stack }, use) => {
    const origin = stack.walletOrigin ?? '';
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await leaveOutBlur(page);
    await addVirtualPasskey(page);
    await page.goto(`${origin}/`);
    await use({ page, origin, complaints });
    for (const proxy of [stack.chain, stack.spareChain, stack.relay]) proxy.heal();
  },
});

const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });
const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' });
const goTo = (page: Page, name: string): Promise<void> =>
  sections(page).getByRole('link', { name, exact: true }).click();

/** Types the name into the menu that shows, and waits until the wallet is open. */
async function useMenu(page: Page, mode: 'Register' | 'Recover', username: string): Promise<void> {
  await loginMenu(page).waitFor();
  await page.getByRole('radio', { name: mode }).check({ force: true });
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await approveUntil(page, sections(page));
}

const register = (page: Page, username: string): Promise<void> => useMenu(page, 'Register', username);

/** Fills in the form and presses Send. */
async function startSending(page: Page, receiver: string, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Receiver' }).fill(receiver);
  await page.getByRole('textbox', { name: 'Amount in NEAR' }).fill(amount);
  await page.getByRole('main').getByRole('button', { name: 'Send' }).click();
}

const row = (page: Page, text: string): Locator =>
  page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').filter({ hasText: text });

test('a user registers on the wallet’s own page, sends, and finds it in the activity after a reload', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  await expect(heading(page, 'Your wallet')).toBeVisible();
  await register(page, username);
  await expect(heading(page, 'Overview')).toBeVisible();
  await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/\d NEAR/);
  await expect(page.getByText('Nothing yet')).toBeVisible();

  const before = await stack.oracle.balance(REGISTRY);
  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await startSending(page, REGISTRY, '0.010000000000000000000001');
  const receipt = page.getByRole('heading', { name: 'Done', exact: true });
  await approveUntil(page, receipt);
  const link = page.getByRole('link', { name: 'Look it up in the explorer' });
  const [, transaction = ''] = /\/transactions\/(\w+)$/.exec((await link.getAttribute('href')) ?? '') ?? [];
  expect(await stack.oracle.transaction(transaction, accountOf(username))).toMatchObject({
    receiverId: REGISTRY,
    succeeded: true,
  });
  expect((await stack.oracle.balance(REGISTRY)) - before).toBe(10_000_000_000_000_000_000_001n);

  await page.reload();
  await page.getByRole('button', { name: `Open ${accountOf(username)}` }).click();
  await goTo(page, 'Activity');
  await expect(row(page, 'Sent ≈ 0.01 NEAR')).toContainText(`to ${REGISTRY}`);
  await expect(row(page, 'Sent ≈ 0.01 NEAR')).toContainText('Done');
  expect(complaints).toEqual([]);
});

test('the form refuses what cannot be sent before anything is asked', async ({ home, username }) => {
  const { page, complaints } = home;
  await register(page, username);
  await page.goto(`${home.origin}/#/send`);
  const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
  for (const [receiver, amount, problem] of [
    ['', '1', 'Type the account that gets it.'],
    ['not an account', '1', 'This is no account id.'],
    [accountOf(username), '1', 'the account that you send from'],
    [REGISTRY, '', 'Type how much'],
    [REGISTRY, '1,5', 'Write the amount in digits with a point'],
    [REGISTRY, '0.0000000000000000000000001', 'at most 24 decimals'],
    [REGISTRY, '0', 'more than 0'],
    [REGISTRY, '1000000', 'more than you can spend'],
    ['nobody-has-this.testnet', '0.001', 'There is no account nobody-has-this.testnet'],
  ] as const) {
    await startSending(page, receiver, amount);
    await expect(alert(problem)).toBeVisible();
    await expect(confirmDialog(page)).toBeHidden();
  }
  // What its fee makes too dear, the wallet itself refuses before its prompt.
  const spendable = await page.getByText(/^You can spend [\d.]+ NEAR/).textContent();
  await startSending(page, REGISTRY, /[\d.]+/.exec(spendable ?? '')?.[0] ?? '');
  await expect(alert(/balance|enough|needs/i)).toBeVisible();
  await goTo(page, 'Activity');
  await expect(page.getByText('Nothing yet')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a user sends all but what fees need to an account that it makes, and can still send after it', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  await register(page, username);
  await page.goto(`${home.origin}/#/send`);
  const made = createHash('sha256').update(username).digest('hex');
  await page.getByRole('textbox', { name: 'Receiver' }).fill(made);
  const before = await stack.oracle.balance(accountOf(username));
  await page.getByRole('button', { name: 'All but 0.01 NEAR, kept for fees' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Send', exact: true }).click();
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  expect(await stack.oracle.balance(made)).toBe(before - 10n ** 22n);

  await page.getByRole('button', { name: 'Send something else' }).click();
  await expect(page.getByText(/^You can spend 0\.00/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^All but/ })).toBeHidden();
  const had = await stack.oracle.balance(REGISTRY);
  await startSending(page, REGISTRY, '0.001');
  await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
  expect((await stack.oracle.balance(REGISTRY)) - had).toBe(10n ** 21n);
  expect(complaints).toEqual([]);
});

test('a transfer that the user does not approve is not sent, and one without an answer is not known yet until it is', async ({
  home,
  stack,
  username,
}) => {
  const { page } = home;
  await register(page, username);
  await goTo(page, 'Settings');
  await page.getByRole('button', { name: 'Change' }).click();
  const settings = page.getByRole('dialog', { name: 'Transaction Settings' });
  const behavior = settings.getByLabel('When a request comes');
  await expect(behavior).toBeEnabled();
  await behavior.selectOption('Require click');
  await expect(settings.getByText('Saved')).toBeVisible();
  await pressUntilGone(settings.getByRole('button', { name: 'Close' }), settings);
  await page.goto(`${home.origin}/#/send`);
  await startSending(page, REGISTRY, '0.001');
  await pressUntilGone(confirmDialog(page).getByRole('button', { name: 'Cancel' }), confirmDialog(page));
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was sent' })).toBeVisible();

  const release = holdEverywhere(stack, 'send_tx');
  await startSending(page, REGISTRY, '0.002');
  await agree(confirmDialog(page), 'Confirm');
  await expect
    .poll(async () => page.evaluate(readActivity, accountOf(username)))
    .toMatchObject({ version: 1, entries: [{ fate: 'unknown', receiverId: REGISTRY }] });
  await page.reload();
  await page.getByRole('button', { name: `Open ${accountOf(username)}` }).click();
  await goTo(page, 'Activity');
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('Not known yet');
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('Do not send it again');
  // The nodes get it now, and the page follows it by itself.
  release();
  await expect(row(page, 'Sent 0.002 NEAR')).toContainText('Done', { timeout: 60_000 });
});

/** The stored activity of an account, as it lies on disk. */
async function readActivity(accountId: string): Promise<unknown> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open('PasskeyClientDB'));
  const record = await settled(
    database.transaction('appState').objectStore('appState').get(`activity:${accountId}`),
  );
  database.close();
  return record?.value;
}

test('an account is removed from this browser alone, and recovered with its passkey', async ({
  home,
  stack,
  username,
}) => {
  const { page, complaints } = home;
  const account = accountOf(username);
  await register(page, username);
  await goTo(page, 'Accounts');
  await page.getByRole('button', { name: `Remove ${account} from this browser` }).click();
  const question = page.getByRole('dialog', { name: 'Remove from this browser?' });
  await expect(question).toContainText('It does not delete the account, its money or its passkey.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(loginMenu(page)).toBeVisible();
  const left = await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const found: unknown[] = [];
    for (const [name, stores] of [
      ['PasskeyClientDB', ['users', 'authenticators', 'appState']],
      ['PasskeyNearKeys', ['encryptedKeys']],
    ] as const) {
      const database = await settled(indexedDB.open(name));
      for (const store of stores)
        found.push(...(await settled(database.transaction(store).objectStore(store).getAll())));
      database.close();
    }
    return JSON.stringify(found);
  });
  expect(left).not.toContain(username);
  expect(await stack.oracle.accountExists(account)).toBe(true);

  await useMenu(page, 'Recover', username);
  await expect(page.getByRole('main')).toContainText(account);
  expect(complaints).toEqual([]);
});

test('another tab that has the removed account open is locked', async ({ home, context, username }) => {
  const { page, origin } = home;
  await register(page, username);
  const other = await context.newPage();
  await addVirtualPasskey(other);
  await other.goto(`${origin}/`);
  await other.getByRole('button', { name: `Open ${accountOf(username)}` }).click();
  await expect(sections(other)).toBeVisible();
  await goTo(page, 'Accounts');
  await page.getByRole('button', { name: `Remove ${accountOf(username)} from this browser` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(loginMenu(page)).toBeVisible();
  await expect(heading(other, 'Your wallet')).toBeVisible();
});

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
  await agree(page.frameLocator('iframe').getByRole('dialog', { name: 'Confirm transaction' }), 'Confirm');
  expect(await added).toMatchObject([
    { payload: { result: { success: true } } },
    { payload: { result: { success: true } } },
  ]);

  await page.goto(`${origin}/#/keys`);
  await page.getByRole('button', { name: `Open ${account}` }).click();
  const keys = page.getByRole('region', { name: 'Keys for game.testnet' });
  await expect(keys).toContainText('Methods: play');
  await keys.getByRole('button', { name: /^Revoke the key for game\.testnet/ }).click();
  await approveUntil(page, page.getByText('No app keys'));
  await goTo(page, 'Activity');
  await expect(row(page, 'Added an app key for game.testnet')).toContainText(`Asked by ${app}`);
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

test('no page may frame the wallet’s own page, and a page that opened it keeps no handle on it', async ({
  home,
  stack,
}) => {
  const { page, origin } = home;
  const { headers } = await fetch(`${origin.replace('wallet.localhost', 'localhost')}/`);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  await page.goto(stack.appUrl);
  await page.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.id = 'taken';
    frame.src = url;
    document.body.append(frame);
  }, `${origin}/`);
  await expect
    .poll(() => page.frames().some((frame) => frame.url() === 'chrome-error://chromewebdata/'))
    .toBe(true);
  const popup = page.waitForEvent('popup');
  await page.evaluate((url) => {
    Object.assign(globalThis, { opened: window.open(url) });
  }, `${origin}/`);
  await expect((await popup).getByRole('heading', { name: 'Your wallet' })).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { opened: Window }).opened.closed)).toBe(true);
});

const SCREENS = ['', 'send', 'receive', 'activity', 'devices', 'keys', 'apps', 'accounts', 'settings'];

for (const [place, viewport] of [
  ['a desk', { width: 1100, height: 860 }],
  ['a phone of 320 pixels', { width: 320, height: 640 }],
  // Zoom halves the pixels of CSS: a window of 1280 by 800.
  ['a desk at 200 % zoom', { width: 640, height: 400 }],
] as const) {
  test.describe(`on ${place}`, () => {
    test.use({ viewport, deviceScaleFactor: place.endsWith('zoom') ? 2 : 1 });

    test('every screen violates no axe rule, light and dark, and scrolls only down', async ({
      home,
      username,
    }, testInfo) => {
      const { page, origin, complaints } = home;
      const look = async (name: string): Promise<void> => {
        await expect(page.getByText(/^Reading/)).toHaveCount(0);
        for (const theme of ['light', 'dark'] as const) {
          await showTheme(page, theme);
          // A picture ends every transition, so no colour is still changing.
          await page.screenshot({
            path: testInfo.outputPath(`${name}-${theme}.png`),
            animations: 'disabled',
            fullPage: true,
          });
          expect(await violations(page), `${name}, ${theme}`).toEqual([]);
        }
        const { scrollWidth, clientWidth } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          clientWidth: document.documentElement.clientWidth,
        }));
        expect([name, scrollWidth]).toEqual([name, clientWidth]);
      };
      await loginMenu(page).waitFor();
      await look('welcome');
      await register(page, username);
      await page.goto(`${origin}/#/send`);
      await startSending(page, REGISTRY, '0.001');
      await approveUntil(page, page.getByRole('heading', { name: 'Done', exact: true }));
      await look('receipt');
      for (const screen of SCREENS) {
        await page.goto(`${origin}/#/${screen}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await look(screen || 'overview');
      }
      await page.emulateMedia({ forcedColors: 'active' });
      await page.goto(`${origin}/#/`);
      await look('forced-colours');
      await page.emulateMedia({ forcedColors: 'none' });
      await page.goto(`${origin}/#/accounts`);
      await page.getByRole('button', { name: /^Remove / }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath('remove.png'), animations: 'disabled' });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.reload();
      await expect(page.getByRole('button', { name: /^Open / })).toBeVisible();
      await look('choose');
      expect(complaints).toEqual([]);
    });
  });
}

test('the keyboard alone goes from screen to screen, and the title of each gets the focus', async ({
  home,
  username,
}) => {
  const { page } = home;
  await register(page, username);
  await sections(page).getByRole('link', { name: 'Overview' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Activity')).toBeFocused();
  await expect(page).toHaveTitle('Activity · Wallet');
  await expect(sections(page).getByRole('link', { name: 'Activity' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.goBack();
  await expect(heading(page, 'Overview')).toBeFocused();
});

test('the address to receive at is copied and drawn as a code', async ({ home, context, username }) => {
  const { page, origin, complaints } = home;
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await register(page, username);
  await page.goto(`${origin}/#/receive`);
  await expect(page.getByRole('img', { name: 'QR code of your address' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy Your address' }).click();
  await expect(page.getByText('Copied')).toBeAttached();
  complaints.length = 0;
});
