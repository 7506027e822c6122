// axe-core checks the wallet's screens in its frame, on a desktop and a phone, light and dark.
// Specification: frame 2, frame 4
import type { Page } from '@playwright/test';
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
import { openFacade, test as withFacade } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

/** A dark page has about 20 of 255; a white frame over it has at least 97, even under a backdrop. */
const DARK = 60;

interface Fixtures {
  /** Checks the current screen, and expects every button in it to be reachable. */
  look: (page: Page, name: string, within: ReturnType<Page['locator']>) => Promise<void>;
}

const test = withFacade.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  look: async ({}, use, testInfo) => {
    await use(async (page, name, within) => {
      await expectNothingSideways(page);
      for (const theme of ['light', 'dark'] as const) await expectNoViolations(page, theme, name, testInfo);
      // 'Show more' disappears once all of a confirmation has been seen.
      await seeAll(within);
      // A trial click waits until the press would count: fully visible, uncovered, and allowed by the guard.
      for (const button of await within.getByRole('button').all()) await button.click({ trial: true });
    });
  },
});

for (const [place, viewport] of [
  ['a desk', { width: 1100, height: 860 }],
  ['a phone', { width: 360, height: 740 }],
  // Zoom halves the pixels of CSS: a window of 1280 by 800.
  ['a desk at 200 % zoom', { width: 640, height: 400 }],
] as const) {
  test.describe(`on ${place}`, () => {
    test.use({ viewport, deviceScaleFactor: place.endsWith('zoom') ? 2 : 1 });

    test('confirmations, settings and the key viewer violate no axe rule, and every button is reachable', async ({
      wallet,
      username,
      look,
    }) => {
      // Seven dialogs, each checked twice, take minutes on a busy machine.
      test.setTimeout(240_000);
      const { page } = wallet;
      const dialog = confirmDialog(page);
      await startRegistration(wallet, username);
      await confirmed(wallet, 'Create passkey');
      await look(page, 'registration', dialog);
      await cancel(wallet);
      await loginMenu(page).waitFor();
      await register(wallet, username);

      await startGreeting(wallet, 'not sent');
      await confirmed(wallet, AGREE);
      await look(page, 'transaction', dialog);
      await cancel(wallet);
      await startBatch(wallet, [
        { recipient: 'relayer.testnet', near: '0.001' },
        { recipient: 'w3a-v1.testnet', near: '0.002' },
      ]);
      await confirmed(wallet, AGREE);
      await look(page, 'batch', dialog);
      await cancel(wallet);
      await startMessage(wallet, 'not signed', 'guestbook.testnet');
      await confirmed(wallet, 'Sign message');
      await look(page, 'message', dialog);
      await cancel(wallet);

      await chooseInMenu(page, 'Transaction Settings');
      const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
      await expect(settings.getByLabel('Theme')).toBeEnabled();
      await look(page, 'settings', settings);
      await settings.getByLabel('Theme').selectOption('light');
      await expect(settings.getByText('Saved')).toBeVisible();
      await look(page, 'settings-saved', settings);
      await closeSettings(page);

      const viewer = await openKeyViewer(wallet);
      await look(page, 'key-viewer-warning', viewer.getByRole('dialog'));
      await continueToKey(viewer);
      await look(page, 'key-viewer', viewer.getByRole('dialog'));
      await closeKeyViewer(page, 'Done');
    });

    test('the register button and the linking code violate no axe rule, and every button is reachable', async ({
      context,
      stack,
      facadeUrl,
      look,
    }) => {
      const { page } = await openFacade(context, stack, facadeUrl);
      await page.evaluate(() => {
        const container = document.createElement('div');
        container.id = 'register';
        container.style.cssText = 'margin: 40px auto; width: 280px; height: 56px';
        document.body.append(container);
        return facade.manager
          .registerButton({ container, nearAccountId: 'newcomer.w3a-v1.testnet' })
          .then((button) => void Object.assign(globalThis, { button }));
      });
      const button = drawnIn(page).getByRole('button', { name: 'Create a passkey' });
      await expect(button).toBeVisible();
      await look(page, 'register-button', drawnIn(page).locator('body'));
      await page.evaluate(() => (globalThis as unknown as { button: { dispose(): void } }).button.dispose());

      await page.evaluate(() =>
        facade.manager.startDevice2LinkingFlow({ ui: 'modal' }).then(() => undefined),
      );
      const code = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
      await expect(code.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
      await look(page, 'linking-code', code);
      await code.getByRole('button', { name: 'Close' }).click();
      await expect(code).toHaveCount(0);
    });

    test('the wallet page without a request violates no axe rule', async ({ page, stack, look }) => {
      await page.goto(`${stack.walletOrigin}/wallet-service/?popup#create:1:x`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(page, 'lost', page.locator('main'));
    });
  });
}

withFacade(
  "the wallet's transaction button violates no axe rule, in light and in dark",
  async ({ facade: wallet }, testInfo) => {
    const { page } = wallet;
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
    }, wallet.accountId);
    await expect(drawnIn(page).locator('button.pay')).toBeVisible();
    for (const theme of ['light', 'dark'] as const)
      await expectNoViolations(page, theme, 'transaction-button', testInfo);
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
