// Device2's side of linking: an empty browser that joins the account of another one.
import type { Device2Linking, LinkedAccount } from 'latchkey';
import type { WatchedWallet } from '../../support/wallet.js';
import { expect, settle } from '../fixtures.js';
import { test as base, type Facade, openFacade, withAccount } from './fixture.js';
import type { FacadePage } from './main.js';

declare const facade: FacadePage;

interface Fixtures {
  /** A registered account in a separate browser. */
  device1: Facade;
  /** Another, empty browser. */
  device2: WatchedWallet;
}

const LINK_TIMEOUT = 30_000;

export const test = base.extend<Fixtures>({
  device1: async ({ browser, stack, facadeUrl, username }, use) => {
    const context = await browser.newContext();
    // No test here waits for it, and it must not interrupt a slow one.
    const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: 10 * 60_000 } });
    const address = `${facadeUrl}?${new URLSearchParams({ config })}`;
    const wallet = await openFacade(context, stack, address);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, []);
    await context.close();
  },
  device2: async ({ browser, stack, facadeUrl, expectedConsole }, use) => {
    const context = await browser.newContext();
    const wallet = await openFacade(context, stack, facadeUrl);
    await use(wallet);
    settle(stack, wallet, expectedConsole);
    await context.close();
  },
});

/** Device1 has scanned the code. */
export async function authorize({ page }: Pick<Facade, 'page'>, { qrData }: Device2Linking): Promise<void> {
  const result = await page.evaluate((data) => facade.manager.linkDeviceWithScannedQRData(data), qrData);
  expect(result).toMatchObject({ success: true, device2PublicKey: qrData.device2PublicKey });
}

/** Waits for the end of the linking, and expects that Device2 has joined. */
export async function linked({ page }: WatchedWallet): Promise<LinkedAccount> {
  await page.waitForFunction(() => facade.linked !== undefined, undefined, {
    timeout: LINK_TIMEOUT,
    polling: 100,
  });
  const end = await page.evaluate(() => facade.linked);
  if (typeof end === 'object') return end;
  throw new Error(`The linking ended with ${end}.`);
}
