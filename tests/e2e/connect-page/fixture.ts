// A dapp's page with the wallet in windows, in a browser with software passkeys in every document.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, FrameLocator, Page } from '@playwright/test';
import type { Ceremony } from '../../../dev/authenticators/software-passkeys.js';
import { installPasskeys } from '../../../dev/playwright/passkeys.js';
import type { LocalStack } from '../../support/local-stack.js';
import { agree } from '../../support/steps.js';
import { accountOf } from '../../support/wallet.js';
import { test as base, expect } from '../fixtures.js';
import type { Given } from './builders.js';
import type { ConnectPage, OwnWalletOfPage } from './main.js';

declare const dapp: ConnectPage;

export interface Dapp {
  page: Page;
  /** Its origin. */
  origin: string;
}

export interface Dapps {
  /** Opens a dapp's page on a host of this name. */
  open(host: string): Promise<Dapp>;
  /** Every passkey ceremony of every document. */
  ceremonies: readonly Ceremony[];
}

export const ADDRESS = fileURLToPath(new URL('./', import.meta.url));

export const test = base.extend<{ dapps: Dapps }>({
  dapps: async ({ context, stack }, use) => {
    const { ceremonies } = await installPasskeys(context);
    await stack.addPage(ADDRESS, 'dapp');
    await use({ ceremonies, open: (host) => openDapp(context, stack, host) });
  },
});

export async function openDapp(context: BrowserContext, stack: LocalStack, host: string): Promise<Dapp> {
  const page = await context.newPage();
  const origin = `http://${host}:${new URL(stack.appUrl).port}`;
  await page.goto(`${origin}/dapp/index.html`);
  return { page, origin };
}

/** Makes a click of the user in the dapp, which calls the wallet of the connector. Returns the window that it opens. */
export async function clickAndOpen({ page }: Dapp, name: string, params: unknown): Promise<Page> {
  await setClick({ page }, name, params);
  const coming = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Ask' }).click();
  return coming;
}

/** A call of the connector (`connect`), of its wallet, or of the wallet in a window (`window:connect`). */
export async function setClick({ page }: Pick<Dapp, 'page'>, name: string, params: unknown): Promise<void> {
  await page.evaluate(
    ({ name, params }) => {
      const given = revived(params) as never;
      dapp.onClick(() => {
        if (name === 'connect')
          return dapp.connector.connect(given).then(async (wallet) => wallet.getAccounts());
        const [place, call = ''] = name.split(':');
        if (place === 'raw') return dapp.raw(call, given);
        if (place === 'one') {
          const made = dapp.oneByOne(params as Given) as unknown as Record<string, unknown>;
          return dapp.call('signAndSendTransaction', made[call]);
        }
        if (place === 'nearKit') return dapp.nearKit[call]!(given);
        if (place === 'builders') {
          const { signer, registry } = params as { signer: string; registry: string };
          return dapp.call(call, { transactions: dapp.everyBuilder(signer, registry) });
        }
        if (place === 'window')
          return (dapp.inWindow as never as Record<string, (p: never) => Promise<unknown>>)[call]!(given);
        return dapp.call(name, given);
      });
      /** Bytes cross as `{ bytes: number[] }`. */
      function revived(value: unknown): unknown {
        if (typeof value !== 'object' || value === null) return value;
        if ('bytes' in value) return Uint8Array.from(value.bytes as number[]);
        if (Array.isArray(value)) return value.map(revived);
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revived(part)]));
      }
    },
    { name, params },
  );
}

export const answerOf = ({ page }: Dapp): Promise<{ value?: never; error?: string }> =>
  page.evaluate(() => dapp.answer()) as Promise<never>;

export const addSandboxed = ({ page }: Dapp): Promise<string> => page.evaluate(() => dapp.addSandboxed());
export const knownToLaterConnector = ({ page }: Dapp): Promise<string[]> =>
  page.evaluate(() => dapp.knownToLaterConnector());
export const addInjected = ({ page }: Dapp, own?: OwnWalletOfPage): Promise<string> =>
  page.evaluate((wallet) => dapp.addInjected(wallet), own);

export const chooser = (window: Page | FrameLocator) =>
  window.getByRole('dialog', { name: 'Connect an account' });

/** Makes a new account in the window. */
export async function makeAccount(window: Page | FrameLocator, name: string): Promise<void> {
  const dialog = chooser(window);
  await dialog.getByRole('radio', { name: 'A new account' }).check();
  await dialog.getByRole('textbox', { name: 'Name of the new account' }).fill(name);
  await agree(dialog, 'Connect');
  await agree(window.getByRole('dialog', { name: 'Create your passkey' }), 'Create passkey');
}

/** Presses a button of a dialog in a window that may close with it. */
export async function agreeIn(window: Page, name: string | RegExp, button: string | RegExp): Promise<void> {
  const dialog = window.getByRole('dialog', { name });
  await dialog.waitFor();
  await agree(dialog, button).catch((error: unknown) => {
    if (!window.isClosed()) throw error;
  });
}

/** Resolves when the window has closed. */
export async function closed(window: Page): Promise<void> {
  if (!window.isClosed()) await window.waitForEvent('close');
}

/** The wallet's frame in a dapp that offers the wallet itself. */
export const frameIn = ({ page }: Dapp, walletOrigin: string): FrameLocator =>
  page.frameLocator(`iframe[src^="${walletOrigin}/"]`);

/** Makes a click of the user, and returns what became of it. */
export async function press(
  dapp: Dapp,
  name: string,
  params: unknown,
): Promise<{ value?: never; error?: string }> {
  await setClick(dapp, name, params);
  await dapp.page.getByRole('button', { name: 'Ask' }).click();
  return answerOf(dapp);
}

/** A dapp of this host, which a new account of this name was introduced to in the wallet's window. */
export async function knownAt(dapps: Dapps, host: string, username: string): Promise<Dapp> {
  const dapp = await dapps.open(host);
  const window = await clickAndOpen(dapp, 'window:connect', {});
  await makeAccount(window, username);
  await closed(window);
  return dapp;
}

/** Signs in at a dapp of this host, with a new account of this name. */
export async function signedIn(
  dapps: Dapps,
  host: string,
  username: string,
): Promise<Dapp & { walletId: string }> {
  const dapp = await dapps.open(host);
  const walletId = await addSandboxed(dapp);
  const window = await clickAndOpen(dapp, 'connect', { walletId });
  await makeAccount(window, username);
  expect(await answerOf(dapp)).toMatchObject({ value: [{ accountId: accountOf(username) }] });
  await closed(window);
  return { ...dapp, walletId };
}
