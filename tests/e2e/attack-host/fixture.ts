// Hosts of every kind around one wallet origin: listed, unlisted, on the victim's own site.
import { fileURLToPath } from 'node:url';
import type { BrowserContext, FrameLocator, Page } from '@playwright/test';
import type { IframeWalletConfig } from 'latchkey';
import { walletSite } from 'latchkey/server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey/server/wallet/node';
import { walletFolder } from 'latchkey-react/vite';
import {
  addVirtualPasskey,
  type CeremonyRecord,
  type PrfOutputs,
  type Prompt,
  recordCeremonies,
} from '../../../demo/stack/browser.js';
import type { LocalStack } from '../../../demo/stack/local-stack.js';
import { REGISTRY } from '../../../demo/stack/services.js';
import { agree } from '../../../demo/stack/steps.js';
import { accountOf } from '../../../demo/stack/wallet.js';
import { test as base, expect } from '../fixtures.js';
import type { AttackPage } from './main.js';

declare const attack: AttackPage;

/** Origins; `at` makes more of them. */
export interface Places {
  /** Any origin that serves the attack host's page. */
  at(name: string): string;
  /** An honest host that the registry lists. */
  shop: string;
  /** Another listed host on the same site: the browser gives both the same wallet storage. */
  neighbour: string;
  /** A listed host on another site: the wallet's storage there is separate, as on another device. */
  elsewhere: string;
  wallet: string;
  /** The wallet from a server that lets every page frame it: only the page can refuse a host. */
  unguarded: string;
}

/** The attack host's page, open on some origin. */
export interface Host {
  page: Page;
  /** The wallet's page in it. */
  wallet: FrameLocator;
  prompts: Prompt[];
  /** Secrets, to search for in forbidden places. */
  prfOutputs: PrfOutputs[];
  /** The failures that the pages reported. */
  failures: string[];
}

interface WorkerFixtures {
  places: Places;
}

interface TestFixtures {
  /** Opens the page on this origin in the test's browser. */
  open(origin: string, wallet?: string): Promise<Host>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  places: [
    async ({ stack }, use) => {
      await stack.addPage(fileURLToPath(new URL('./', import.meta.url)), 'attack');
      const { port } = new URL(stack.appUrl);
      const at = (name: string): string => `http://${name}:${port}`;
      const [shop, neighbour, elsewhere] = [
        at('shop.app.localhost'),
        at('evil.app.localhost'),
        at('phone.localhost'),
      ];
      for (const host of [shop, neighbour, elsewhere]) await stack.oracle.allowHost(host);
      const open = await serveUnguarded(stack);
      await use({ at, shop, neighbour, elsewhere, wallet: stack.walletOrigin ?? '', unguarded: open.url });
      await open.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
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
  await addVirtualPasskey(page);
  const failures: string[] = [];
  page.on('pageerror', (error) => void failures.push(error.stack ?? error.message));
  page.on('crash', () => void failures.push('a page crashed'));
  const config = {
    rpcUrl: [stack.chain.url, stack.spareChain.url],
    contractId: REGISTRY,
    relayer: { url: stack.relay.url },
    iframeWallet: { ...iframeWallet, walletOrigin: wallet },
  };
  const query = new URLSearchParams({ wallet, config: JSON.stringify(config) });
  await page.goto(`${origin}/attack/index.html?${query}`);
  return { page, wallet: page.frameLocator(`iframe[src^="${wallet}/"]`), ...ceremonies, failures };
}

// A static host lists at most 50 pages that may frame the wallet; the registry may have removed some since.
async function serveUnguarded(stack: LocalStack): Promise<{ url: string; close(): Promise<void> }> {
  const site = walletSite({
    config: { relayer: { url: stack.relay.url }, rpcUrl: stack.chain.url, contractId: REGISTRY },
    files: filesOf(walletFolder),
  });
  const { port, close } = await serveSite(async (request) => {
    const { pathname } = new URL(request.url);
    const answer = await site(
      pathname === '/service/' ? new Request(new URL(pathname, request.url)) : request,
    );
    const headers = new Headers(answer.headers);
    const policy = headers.get('content-security-policy') ?? '';
    headers.set('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
    return new Response(answer.body, { status: answer.status, headers });
  }, 0);
  return { url: `http://wallet.localhost:${port}`, close };
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

/** The refusal with this reason. */
export const refusedWith = (code: string) => ({ type: 'ERROR', payload: { code } });

/** A host's wish to skip the confirmation. */
export const UNSEEN = {
  confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed', autoProceedDelayMs: 0 },
};

/** The control that the user presses. */
export const confirmButton = ({ wallet }: Host) => wallet.getByRole('button', { name: CONFIRM });

const CONFIRM = /^(Confirm|Sign message|Link device)$/;

/** Presses it until a press counts. */
export const confirm = ({ wallet }: Host) => agree(wallet.getByRole('dialog'), CONFIRM);

export { expect };
