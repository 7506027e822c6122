// The screens of the wallet's window, light and dark, on a phone's and on the narrowest width: axe, and nothing sideways.
import type { Page, TestInfo } from '@playwright/test';
import { KeyPair } from 'near-api-js';
import { violations } from '../../demo/tour/accessibility.js';
import { showTheme } from '../../demo/tour/camera.js';
import { agree } from '../support/steps.js';
import { answerOf, chooser, clickAndOpen, closed, makeAccount, test } from './connect-page/fixture.js';
import { expect } from './fixtures.js';

test.describe.configure({ timeout: 240_000 });

const WIDTHS = [480, 320] as const;

/** Takes its pictures, and expects no violation and no text beyond the edge. */
async function look(window: Page, name: string, testInfo: TestInfo): Promise<void> {
  for (const width of WIDTHS) {
    await window.setViewportSize({ width, height: 720 });
    for (const theme of ['light', 'dark'] as const) {
      await window.evaluate((shown) => {
        document.documentElement.dataset.latchkeyTheme = shown;
      }, theme);
      await showTheme(window, theme);
      await window.screenshot({
        path: testInfo.outputPath(`${name}-${width}-${theme}.png`),
        animations: 'disabled',
      });
      expect(await violations(window), `${name}, ${width}, ${theme}`).toEqual([]);
    }
    expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

test('the screens of the window pass axe in both themes, and fit 320 pixels', async ({
  dapps,
  context,
  stack,
  username,
}, testInfo) => {
  const shop = await dapps.open('a-shop-with-a-rather-long-name.localhost');
  const first = await clickAndOpen(shop, 'window:connect', {});
  await chooser(first).waitFor();
  await look(first, 'first-account', testInfo);
  await makeAccount(first, username);
  await closed(first);

  const second = await clickAndOpen(shop, 'window:connect', {
    signMessage: {
      message: 'Log in to the shop',
      recipient: 'shop.example',
      nonce: { bytes: [...new Uint8Array(32)] },
    },
    addKey: {
      publicKey: KeyPair.fromRandom('ed25519').getPublicKey().toString(),
      receiverId: 'a-contract-with-a-long-name.testnet',
    },
  });
  await chooser(second).waitFor();
  await look(second, 'choose', testInfo);
  await agree(chooser(second), 'Connect');
  await second.getByRole('dialog', { name: 'Sign a message and a transaction' }).waitFor();
  await look(second, 'both', testInfo);
  await second.close();
  await answerOf(shop);

  const alone = await context.newPage();
  await alone.goto(`${stack.walletOrigin}/sign`);
  await alone.getByRole('heading', { name: 'No page asks for anything here' }).waitFor();
  await look(alone, 'no-opener', testInfo);
});
