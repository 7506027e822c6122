// Device1's side of linking: a page of the facade whose clock the test sets forward, and the other device's code.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { FlowEvent, LinkDeviceResult } from 'latchkey';
import { Account, KeyPair, KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../../dev/services/keys.js';
import { REGISTRY } from '../../../dev/services/services.js';
import type { LocalStack } from '../../support/local-stack.js';
import { expect, settle } from '../fixtures.js';
import { test as base, type Facade, openFacade, withAccount } from './fixture.js';
import type { FacadePage } from './main.js';

declare const facade: FacadePage;

/**
 * A temporary key's lifetime on the page's clock, which the test sets forward: long enough for a reload or a transaction
 * within it, and shorter than the page waits for an answer.
 */
export const DELAY_MS = 20_000;
/** The last part of it, in which the page may need some real time. */
export const MARGIN_MS = 8_000;
/** How far each poll of the chain sets the page's clock forward, and how many blocks the chain makes first. */
const LOOK_MS = 1_000;
const LOOK_BLOCKS = 2;
/** Time for a page to send a pending transaction. */
const QUIET_MS = 500;
export const FAILED = 'Failed to scan and link device: ';

export const test = base.extend<{ device1: Facade; delayMs: number }>({
  delayMs: [DELAY_MS, { option: true }],
  /** The test's own account, registered and logged in. */
  device1: async ({ context, stack, facadeUrl, username, expectedConsole, delayMs }, use) => {
    const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: delayMs } });
    await context.clock.install();
    const wallet = await openFacade(context, stack, `${facadeUrl}?${new URLSearchParams({ config })}`);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, expectedConsole);
  },
});

/** The other device: a key and its QR code's content. */
export function otherDevice() {
  const secret = secretKeyText(randomBytes(32));
  const publicKey = KeyPair.fromString(secret).getPublicKey().toString();
  const qr = (more: object = {}): string =>
    JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0', ...more });
  const signingOn = (stack: LocalStack, accountId: string) =>
    new Account(accountId, stack.oracle.provider, KeyPairSigner.fromSecretKey(secret));
  return { secret, publicKey, qr, signingOn };
}

export const link = (
  page: Page,
  qr: string,
  options: { fundingAmount?: string } = {},
): Promise<LinkDeviceResult> =>
  page.evaluate(
    ({ text, given }) =>
      facade.manager.linkDeviceWithScannedQRData(text, {
        ...given,
        onEvent: (event) => facade.events.push(event as FlowEvent),
      }),
    { text: qr, given: options },
  );

export const errorOf = async (page: Page, qr: string, options: { fundingAmount?: string } = {}) => {
  const { success, error, errorCode } = await link(page, qr, options);
  expect(success).toBe(false);
  return { error, errorCode };
};

export const devicesOf = (wallet: Facade) =>
  wallet.page.evaluate((id) => facade.manager.getLinkedDevices(id), wallet.accountId);

export const greet = (wallet: Facade, greeting: string) =>
  wallet.page.evaluate(
    ({ nearAccountId, text, receiverId }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId,
        actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: text } },
      }),
    { nearAccountId: wallet.accountId, text: greeting, receiverId: REGISTRY },
  );

export const keysOf = (stack: LocalStack, accountId: string) => stack.oracle.fullAccessKeys(accountId);
/** When the latest transaction left, in milliseconds since the epoch. */
export const lastSentAt = (stack: LocalStack): number =>
  stack.chain.calls.findLast(({ name }) => name === 'send_tx')?.at ?? 0;

/** Lets this time pass in every tab, and then waits a moment in which a tab could act. */
export async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms);
  await page.waitForTimeout(QUIET_MS);
}

/** The wait level of each transaction. */
export const levelsOf = (stack: LocalStack): string[] =>
  stack.chain.calls
    .filter(({ name }) => name === 'send_tx')
    .map(({ body }) => JSON.parse(body).params.wait_until);

/** Waits until the account has no such key. */
export const expectGone = (stack: LocalStack, accountId: string, publicKey: string): Promise<void> =>
  expect
    .poll(async () => (await keysOf(stack, accountId)).includes(publicKey), { timeout: 30_000 })
    .toBe(false);

/** Sets the page's clock forward after new blocks: a wallet whose clock outruns them gives up on nodes that show none. */
async function passWithBlocks(page: Page, { oracle }: LocalStack): Promise<void> {
  const height = await oracle.height();
  await expect.poll(() => oracle.height()).toBeGreaterThanOrEqual(height + LOOK_BLOCKS);
  await page.clock.fastForward(LOOK_MS);
}

/** Lets the time of a temporary key pass, and waits until the account has no such key. */
export async function expectGoneInTime(
  { page, accountId }: Facade,
  stack: LocalStack,
  publicKey: string,
): Promise<void> {
  await page.clock.fastForward(DELAY_MS);
  const isThere = async () => {
    await passWithBlocks(page, stack);
    return (await keysOf(stack, accountId)).includes(publicKey);
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
}

/** Lets time pass until the journal has no open deletion. */
export async function expectSettled(page: Page, stack: LocalStack): Promise<void> {
  const open = async () => {
    await passWithBlocks(page, stack);
    return waiting(page);
  };
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
}

export const mappingOf = (stack: LocalStack, publicKey: string) =>
  stack.oracle.provider.callFunction({
    contractId: REGISTRY,
    method: 'get_device_linking_account',
    args: { device_public_key: publicKey },
  });

/** The journal's open deletions. */
export const waiting = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open('PasskeyClientDB');
    const db = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    const keys = db.transaction('appState').objectStore('appState').getAllKeys();
    const found = await new Promise<IDBValidKey[]>((resolve) => {
      keys.onsuccess = () => resolve(keys.result);
    });
    db.close();
    return found.filter((key) => String(key).startsWith('journal:deletion:'));
  });

/** Opens the same page again, as after a reload or in another tab. */
export async function startAgain(page: Page): Promise<void> {
  await page.evaluate(() => facade.manager.init());
}
