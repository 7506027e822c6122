// The wallet's screens in its frame: reachable on a desktop, a phone and zoomed. axe-core checks those that no picture shows.
// Specification: frame 2, frame 4
import type { Locator, Page } from '@playwright/test';
import { confirmed } from '../../demo/tour/wait.js';
import {
  AGREE,
  cancel,
  chooseInMenu,
  closeKeyViewer,
  closeSettings,
  confirmDialog,
  continueToKey,
  loginMenu,
  openKeyViewer,
  register,
  seeAll,
  startBatch,
  startGreeting,
  startMessage,
  startRecovery,
  startRegistration,
} from '../support/steps.js';
import { drawnIn } from '../support/wallet.js';
import { expectNothingSideways, expectNoViolations } from './accessible.js';
import { openFacade, withAccount, test as withFacade } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, test } from './fixtures.js';

declare const facade: FacadePage;

/** A dark page has about 20 of 255; a white frame over it has at least 97, even under a backdrop. */
const DARK = 60;

/** The windows that each screen is seen in. */
const WINDOWS = [
  { width: 1100, height: 860 },
  { width: 360, height: 740 },
  // Zoom halves the pixels of CSS: a window of 1280 by 800.
  { width: 640, height: 400 },
];

/** Expects, in every window, nothing wider than it and that a press on every button would count. */
async function expectReachable(page: Page, within: Locator): Promise<void> {
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    await expectNothingSideways(page);
    // 'Show more' disappears once all of a confirmation has been seen.
    await seeAll(within);
    // A trial click waits until the press would count: fully visible, uncovered, and allowed by the guard.
    for (const button of await within.getByRole('button').all()) await button.click({ trial: true });
  }
}

test('every button of the confirmations, the settings and the key viewer is reachable on a desk, a phone and at 200 % zoom', async ({
  wallet,
  username,
}, testInfo) => {
  const { page } = wallet;
  const dialog = confirmDialog(page);
  const look = async (agreement: string | RegExp) => {
    await confirmed(wallet, agreement);
    await expectReachable(page, dialog);
    await cancel(wallet);
  };
  await startRegistration(wallet, username);
  await look('Create passkey');
  await loginMenu(page).waitFor();
  await register(wallet, username);

  await startGreeting(wallet, 'not sent');
  await look(AGREE);
  await startBatch(wallet, [
    { recipient: 'relayer.testnet', near: '0.001' },
    { recipient: 'w3a-v1.testnet', near: '0.002' },
  ]);
  await look(AGREE);
  await startMessage(wallet, 'not signed', 'guestbook.testnet');
  await look('Sign message');

  await chooseInMenu(page, 'Transaction Settings');
  const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
  await expect(settings.getByLabel('Theme')).toBeEnabled();
  await expectReachable(page, settings);
  await settings.getByLabel('Theme').selectOption('light');
  await expect(settings.getByText('Saved')).toBeVisible();
  for (const theme of ['light', 'dark'] as const)
    await expectNoViolations(page, theme, 'settings-saved', testInfo);
  await closeSettings(page);

  const viewer = await openKeyViewer(wallet);
  await expectReachable(page, viewer.getByRole('dialog'));
  await continueToKey(viewer);
  await expectReachable(page, viewer.getByRole('dialog'));
  await closeKeyViewer(page, 'Done');
});

withFacade(
  'the buttons that the wallet draws in a page, its linking code and its page without a request violate no axe rule, and take a press',
  async ({ context, stack, facadeUrl, username }, testInfo) => {
    const wallet = await openFacade(context, stack, facadeUrl);
    const { page } = wallet;
    const axe = async (name: string) => {
      for (const theme of ['light', 'dark'] as const) await expectNoViolations(page, theme, name, testInfo);
    };
    await page.evaluate(() => {
      const container = document.createElement('div');
      container.id = 'register';
      container.style.cssText = 'margin: 40px auto; width: 280px; height: 56px';
      document.body.append(container);
      return facade.manager
        .registerButton({ container, nearAccountId: 'newcomer.w3a-v1.testnet' })
        .then((button) => void Object.assign(globalThis, { button }));
    });
    await expect(drawnIn(page).getByRole('button', { name: 'Create a passkey' })).toBeVisible();
    await expectReachable(page, drawnIn(page).locator('body'));
    await axe('register-button');
    await page.evaluate(() => (globalThis as unknown as { button: { dispose(): void } }).button.dispose());

    await page.evaluate(() => facade.manager.startDevice2LinkingFlow({ ui: 'modal' }).then(() => undefined));
    const code = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
    await expect(code.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
    await expectReachable(page, code);
    await axe('linking-code');
    await code.getByRole('button', { name: 'Close' }).click();
    await expect(code).toHaveCount(0);

    const { accountId } = await withAccount(wallet, username);
    await page.evaluate(async (nearAccountId) => {
      const container = document.createElement('div');
      container.style.cssText = 'margin: 40px auto; width: 300px; height: 360px';
      document.body.append(container);
      await facade.manager.transactionButton({
        container,
        nearAccountId,
        transactions: [
          { receiverId: 'relayer.testnet', actions: [{ type: 'Transfer', amount: '100000000000000000000' }] },
          {
            receiverId: 'guestbook.testnet',
            actions: [
              {
                type: 'FunctionCall',
                methodName: 'set_greeting',
                args: { greeting: 'hi' },
                gas: '30000000000000',
                deposit: '0',
              },
            ],
          },
        ],
      });
    }, accountId);
    await expect(drawnIn(page).locator('button.pay')).toBeVisible();
    await axe('transaction-button');

    await page.goto(`${stack.walletOrigin}/wallet-service/?popup#create:1:x`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectReachable(page, page.locator('main'));
  },
);

test('a dark page shows through the wallet: next to a dialog, and while the browser asks for the passkey', async ({
  wallet,
  username,
}) => {
  const { page, passkey } = wallet;
  await page.emulateMedia({ colorScheme: 'dark' });
  await startRegistration(wallet, username);
  await confirmed(wallet, 'Create passkey');
  expect(await brightness(page)).toBeLessThan(DARK);
  await cancel(wallet);

  const asked = wallet.prompts.length;
  await passkey.setPresence(false);
  await startRecovery(wallet, '');
  await expect.poll(() => wallet.prompts.length).toBeGreaterThan(asked);
  await expect(page.locator('latchkey-wallet dialog')).toHaveAttribute('data-at', 'fullscreen');
  expect(await brightness(page)).toBeLessThan(DARK);
});

/** How bright the page's left edge is, from 0 to 255. */
async function brightness(page: Page): Promise<number> {
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 20, height: 600 } });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen?.drawImage(image, 0, 0);
    const { data } = pen?.getImageData(0, 0, image.width, image.height) ?? new ImageData(1, 1);
    return data.reduce((sum, value, at) => sum + (at % 4 === 3 ? 0 : value), 0) / ((data.length / 4) * 3);
  }, picture.toString('base64'));
}
