import type { BrowserContext, Frame, FrameLocator, Page } from 'playwright-core';
import { REGISTRY } from '../../dev/services/services.js';
import {
  addVirtualPasskey,
  type CeremonyRecord,
  type PrfSupport,
  type Prompt,
  recordCeremonies,
  type VirtualPasskey,
} from './browser.js';
import { bytesSent, type Call, withoutRepeats } from './fault-proxy.js';
import type { LocalStack } from './local-stack.js';

/** The wallet's requests during a step. */
export interface Activity {
  ms: number;
  prompts: Prompt[];
  /** Names of the calls to the chain, except the demo's own reads of the greeting. */
  rpc: string[];
  /** Paths of the calls to the relay. */
  relay: string[];
}

/** The demo app in one browser context with a virtual passkey. */
export interface Wallet extends CeremonyRecord {
  page: Page;
  passkey: VirtualPasskey;
  /** Every console line of the page and its workers: `level: text`. */
  consoleLines: string[];
}

/** A wallet whose calls to chain and relay are recorded. */
export interface WatchedWallet extends Wallet {
  /** Runs a step, waits until the network is quiet, and returns the requests since its start. */
  during(step: () => Promise<unknown>): Promise<Activity>;
}

const QUIET_MS = 200;

/** The wallet's own origin in the pages of a context; none if it runs in the app's page. */
const walletOrigins = new WeakMap<BrowserContext, string>();

/** Whether the wallet has its own origin, in a frame of this page. */
export const isFramed = (page: Page): boolean => walletOrigins.has(page.context());

/** The document in which the wallet draws: its frame in this page, or the page itself. */
export function drawnIn(page: Page): Page | FrameLocator {
  const origin = walletOrigins.get(page.context());
  return origin === undefined ? page : page.frameLocator(`iframe[src^="${origin}/"]`);
}

/** Clears the storage of the app and of its wallet, and keeps the passkeys. */
export async function clearSiteData({ page, passkey }: Wallet, appUrl: string): Promise<void> {
  const { origin } = new URL(appUrl);
  await passkey.clearSiteData(origin);
  const walletOrigin = walletOrigins.get(page.context());
  if (walletOrigin !== undefined) await passkey.clearFrameData(walletOrigin, origin);
}

/** The document that the wallet runs in, which holds its storage. */
export async function homeOf(page: Page): Promise<Frame> {
  const origin = walletOrigins.get(page.context());
  if (origin === undefined) return page.mainFrame();
  const frame = await (
    await page.waitForSelector(`iframe[src^="${origin}/"]`, { state: 'attached' })
  ).contentFrame();
  if (!frame) throw new Error('The wallet has no document.');
  // Until the wallet page has loaded, the frame holds an empty document on the app's origin.
  await frame.waitForURL(`${origin}/**`, { waitUntil: 'domcontentloaded' });
  return frame;
}

/** Opens the demo app at this address in this context. A wallet with its own origin is in a frame. */
export async function openWallet(
  context: BrowserContext,
  appUrl: string,
  prf: PrfSupport = 'always',
  walletOrigin: string | null = null,
): Promise<Wallet> {
  const ceremonies = await recordCeremonies(context);
  const page = await context.newPage();
  if (walletOrigin !== null) walletOrigins.set(context, walletOrigin);
  const passkey = await addVirtualPasskey(page, prf);
  const consoleLines: string[] = [];
  page.on('console', (message) => {
    if (!SANDBOX_REMARK.test(message.text())) consoleLines.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => void consoleLines.push(`error: ${error.stack ?? error.message}`));
  await page.goto(appUrl);
  return { ...ceremonies, page, passkey, consoleLines };
}

/** Chromium's remark on the sandbox of the transaction button, which shares its page's origin on purpose. */
const SANDBOX_REMARK = /^An iframe which has both allow-scripts and allow-same-origin/;

/** Opens the demo app of a local stack, or another page of it, and records its calls by the stack's proxies. */
export async function openWatchedWallet(
  context: BrowserContext,
  stack: LocalStack,
  prf: PrfSupport = 'always',
  url = stack.appUrl,
): Promise<WatchedWallet> {
  const wallet = await openWallet(context, url, prf, stack.walletOrigin);
  const chainCalls = () => stack.nodes.flatMap(({ calls }) => calls);
  const relayCalls = () => stack.relay.calls;

  async function untilQuiet(): Promise<void> {
    for (;;) {
      const last = Math.max(0, ...[...chainCalls(), ...relayCalls()].map((call) => call.at));
      const wait = last + QUIET_MS - Date.now();
      if (wait <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  return {
    ...wallet,
    async during(step) {
      await untilQuiet();
      const [startedAt, promptsBefore] = [Date.now(), wallet.prompts.length];
      await step();
      const ms = Date.now() - startedAt;
      await untilQuiet();
      const since = (calls: readonly Call[]) => calls.filter((call) => call.at >= startedAt);
      const namesOf = (calls: readonly Call[]) => calls.map((call) => call.name);
      return {
        ms,
        prompts: wallet.prompts.slice(promptsBefore),
        rpc: namesOf(withoutRepeats(since(chainCalls()))).filter((name) => name !== 'query:get_greeting'),
        relay: namesOf(since(relayCalls())),
      };
    },
  };
}

/** How many transactions left for a node since the stack began, however often their bytes were sent again. */
export function transactionsSent({ nodes }: LocalStack): number {
  return new Set(nodes.flatMap(({ calls }) => calls.map(bytesSent)).filter(Boolean)).size;
}

/** The account id that the app derives from a username. */
export const accountOf = (username: string): string => `${username}.${REGISTRY}`;
