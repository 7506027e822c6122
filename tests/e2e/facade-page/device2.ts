// Device2's side of linking: an empty browser that joins the account of another one.
import type { Device2Linking, FlowEvent, LinkedAccount } from 'latchkey';
import { REGISTRY } from '../../../dev/services/services.js';
import type { LocalStack } from '../../support/local-stack.js';
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

export const LINK_TIMEOUT = 30_000;

export const test = base.extend<Fixtures>({
  device1: async ({ browser, stack, facadeUrl, prf, username }, use) => {
    const context = await browser.newContext();
    // No test here waits for it, and it must not interrupt a slow one.
    const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: 10 * 60_000 } });
    const address = `${facadeUrl}?${new URLSearchParams({ config })}`;
    const wallet = await openFacade(context, stack, address, prf);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, []);
    await context.close();
  },
  device2: async ({ browser, stack, facadeUrl, prf, expectedConsole }, use) => {
    const context = await browser.newContext();
    const wallet = await openFacade(context, stack, facadeUrl, prf);
    await use(wallet);
    settle(stack, wallet, expectedConsole);
    await context.close();
  },
});

export const start = ({ page }: WatchedWallet, accountId?: string): Promise<Device2Linking> =>
  page.evaluate((id) => facade.startLinking(id), accountId);

/** Device1 has scanned the code. */
export async function authorize({ page }: Pick<Facade, 'page'>, { qrData }: Device2Linking): Promise<void> {
  const result = await page.evaluate((data) => facade.manager.linkDeviceWithScannedQRData(data), qrData);
  expect(result).toMatchObject({ success: true, device2PublicKey: qrData.device2PublicKey });
}

export const deleteKey = ({ page, accountId }: Facade, publicKey: string) =>
  page.evaluate(
    ({ id, key }) =>
      facade.manager.executeAction({
        nearAccountId: id,
        receiverId: id,
        actionArgs: { type: 'DeleteKey', publicKey: key },
        options: { waitUntil: 'FINAL' },
      }),
    { id: accountId, key: publicKey },
  );

/** Waits for the end of the linking. */
export async function ended({ page }: WatchedWallet): Promise<LinkedAccount | string> {
  await page.waitForFunction(() => facade.linked !== undefined, undefined, {
    timeout: LINK_TIMEOUT,
    polling: 100,
  });
  return page.evaluate(() => facade.linked as LinkedAccount | string);
}

export async function linked(wallet: WatchedWallet): Promise<LinkedAccount> {
  const end = await ended(wallet);
  if (typeof end === 'string') {
    const events = await eventsOf(wallet);
    throw new Error(`The linking ended with ${end}: ${events.at(-1)?.message}`);
  }
  return end;
}

export const eventsOf = ({ page }: WatchedWallet): Promise<FlowEvent[]> =>
  page.evaluate(() => facade.events.filter(({ flow }) => flow === 'linking'));

export async function phase(wallet: WatchedWallet, name: string): Promise<FlowEvent> {
  const found = async () => (await eventsOf(wallet)).find((event) => event.phase === name);
  await expect.poll(found, { timeout: LINK_TIMEOUT }).toBeDefined();
  return (await found()) as FlowEvent;
}

/** Both devices sign, each with its own key. */
export async function signs({ page }: WatchedWallet, accountId: string, greeting: string): Promise<void> {
  const result = await page.evaluate(
    ({ id, registry, text }) =>
      facade.manager.executeAction({
        nearAccountId: id,
        receiverId: registry,
        actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: text } },
        options: { waitUntil: 'FINAL' },
      }),
    { id: accountId, registry: REGISTRY, text: greeting },
  );
  expect(result).toMatchObject({ success: true });
}

/** Expects the chain's state after device `n` has joined: exactly these keys, each named by an authenticator. */
export async function expectDevices(stack: LocalStack, accountId: string, devices: number): Promise<void> {
  const [keys, authenticators] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
  ]);
  expect(authenticators.map(([, { device_number }]) => device_number)).toEqual(
    Array.from({ length: devices }, (_, index) => index + 1),
  );
  expect(authenticators.map(([, { near_public_key }]) => near_public_key).sort()).toEqual([...keys].sort());
}

export const storedKeys = ({ page }: WatchedWallet): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('PasskeyNearKeys');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result
            .transaction('encryptedKeys')
            .objectStore('encryptedKeys')
            .getAllKeys();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(String));
          };
        };
      }),
  );

/** A thief of the disk: opens every sealed key in storage that a CryptoKey in storage opens. */
export const keysOpenedByStorage = ({ page }: WatchedWallet): Promise<{ sealed: number; opened: string[] }> =>
  page.evaluate(async () => {
    const wrapping: CryptoKey[] = [];
    const sealed: { publicKey: string; encryptedData: string; iv: string }[] = [];
    const collect = (value: unknown): void => {
      if (value instanceof CryptoKey) wrapping.push(value);
      else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
        if ('publicKey' in value && 'encryptedData' in value) sealed.push(value as (typeof sealed)[0]);
        for (const part of Object.values(value)) collect(part);
      }
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const reading = db.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          reading.onsuccess = resolve;
        });
        collect(reading.result);
      }
      db.close();
    }
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const opened: string[] = [];
    for (const { publicKey, encryptedData, iv } of sealed) {
      const parameters = {
        name: 'AES-GCM',
        iv: bytes(iv),
        additionalData: new TextEncoder().encode(publicKey),
      };
      for (const key of wrapping) {
        await crypto.subtle.decrypt(parameters, key, bytes(encryptedData)).then(
          () => opened.push(publicKey),
          () => undefined,
        );
      }
    }
    return { sealed: sealed.length, opened };
  });
