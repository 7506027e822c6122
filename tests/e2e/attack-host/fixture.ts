// Hosts of every kind around one wallet origin: listed, unlisted, on the victim's own site.
import type { BrowserContext, FrameLocator, Page } from '@playwright/test';
import type { IframeWalletConfig } from 'latchkey';
import { REGISTRY } from '../../../dev/services/services.js';
import {
  addVirtualPasskey,
  type CeremonyRecord,
  type PrfOutputs,
  type Prompt,
  recordCeremonies,
  type VirtualPasskey,
} from '../../support/browser.js';
import type { LocalStack } from '../../support/local-stack.js';
import { AGREE, agree } from '../../support/steps.js';
import { accountOf } from '../../support/wallet.js';
import { test as base, expect } from '../fixtures.js';
import type { AttackPage } from './main.js';

declare const attack: AttackPage;

/** The attack host's page, open on some origin. */
export interface Host {
  page: Page;
  /** The wallet's page in it. */
  wallet: FrameLocator;
  passkey: VirtualPasskey;
  prompts: Prompt[];
  /** Secrets, to search for in forbidden places. */
  prfOutputs: PrfOutputs[];
  /** The failures that the pages reported. */
  failures: string[];
}

interface TestFixtures {
  /** Opens the page on this origin in the test's browser. */
  open(origin: string, wallet?: string): Promise<Host>;
  /** Opens the page on a listed origin, by default the neighbour's, connects it, and registers the test's account through it. */
  openRegistered(origin?: string): Promise<{ host: Host; nearAccountId: string }>;
}

export const test = base.extend<TestFixtures>({
  open: async ({ context, stack, places }, use) => {
    const hosts: Host[] = [];
    const ceremonies = await recordCeremonies(context);
    await use(async (origin, wallet = places.wallet) => {
      const host = await openHost(context, stack, origin, wallet, ceremonies);
      hosts.push(host);
      return host;
    });
    for (const { failures } of hosts) expect(failures, 'what no attack may cause').toEqual([]);
  },
  openRegistered: async ({ open, places, username }, use) => {
    await use(async (origin = places.neighbour) => {
      const host = await open(origin);
      await connect(host);
      return { host, nearAccountId: await register(host, username) };
    });
  },
});

export async function openHost(
  context: BrowserContext,
  stack: LocalStack,
  origin: string,
  wallet: string,
  ceremonies: CeremonyRecord,
  iframeWallet: IframeWalletConfig = {},
): Promise<Host> {
  const page = await context.newPage();
  const passkey = await addVirtualPasskey(page);
  const failures: string[] = [];
  page.on('pageerror', (error) => void failures.push(error.stack ?? error.message));
  page.on('crash', () => void failures.push('a page crashed'));
  const config = {
    rpcUrl: stack.nodes.map(({ url }) => url),
    contractId: REGISTRY,
    relayer: { url: stack.relay.url },
    iframeWallet: { ...iframeWallet, walletOrigin: wallet },
  };
  const query = new URLSearchParams({ wallet, config: JSON.stringify(config) });
  await page.goto(`${origin}/attack/index.html?${query}`);
  return { page, wallet: page.frameLocator(`iframe[src^="${wallet}/"]`), passkey, ...ceremonies, failures };
}

/** Frames the wallet and shakes hands with it. */
export async function connect({ page }: Host): Promise<void> {
  expect(await page.evaluate(() => attack.connect())).toMatchObject({ type: 'READY' });
}

/** Connects a host and registers an account through it. Returns the account's id. */
export async function register(host: Host, username: string): Promise<string> {
  const accountId = accountOf(username);
  const id = await start(host, 'PM_REGISTER', { nearAccountId: accountId });
  await agree(host.wallet.getByRole('dialog'), 'Create passkey');
  expect(await endOf(host, id)).toMatchObject({ type: 'PM_RESULT', payload: { result: { success: true } } });
  return accountId;
}

/** Sends a new request of the host. Returns its id. */
export const start = ({ page }: Host, type: string, payload?: unknown): Promise<string> =>
  page.evaluate(({ type, payload }) => attack.start(type, payload), { type, payload });

/** How a request ended. */
export const endOf = ({ page }: Host, requestId: string) =>
  page.evaluate((id) => attack.endOf(id), requestId);

/** Sends a new request of the host, and returns how it ended. */
export const ask = async (host: Host, type: string, payload?: unknown) =>
  endOf(host, await start(host, type, payload));

/** Cancels a request of the host, and waits until the wallet shows nothing of it. */
export async function cancel(host: Host, requestId: string): Promise<void> {
  expect(await ask(host, 'PM_CANCEL', { requestId })).toMatchObject({ type: 'PONG' });
  expect(await endOf(host, requestId)).toMatchObject(refusedWith('CANCELLED'));
  await expect(host.wallet.getByRole('dialog')).toHaveCount(0);
  await expect(viewerLayer(host)).toHaveCount(0);
}

/** The refusal with this reason. */
export const refusedWith = (code: string) => ({ type: 'ERROR', payload: { code } });

/** A host's wish to skip the confirmation. */
export const UNSEEN = {
  confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed', autoProceedDelayMs: 0 },
};

/** The layer with the key viewer. */
export const viewerLayer = ({ wallet }: Host) => wallet.locator('latchkey-key-viewer');

/** The key viewer's own document. */
export const viewerOf = (host: Host) => viewerLayer(host).frameLocator('iframe');

/** The control that the user presses. */
export const confirmButton = ({ wallet }: Host) => wallet.getByRole('button', { name: AGREE });

/** Presses it until a press counts. */
export const confirm = ({ wallet }: Host) => agree(wallet.getByRole('dialog'), AGREE);

export { expect };
