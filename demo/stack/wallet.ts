import type { BrowserContext, Page } from 'playwright-core';
import {
  addVirtualPasskey,
  type CeremonyRecord,
  type PrfSupport,
  type Prompt,
  recordCeremonies,
  type VirtualPasskey,
} from './browser.js';
import type { LocalStack } from './local-stack.js';
import { REGISTRY } from './services.js';

/** What the wallet asked for during a step. */
export interface Activity {
  ms: number;
  prompts: Prompt[];
  /** Names of the calls to the chain, the demo's own reading of the greeting apart. */
  rpc: string[];
  /** Paths of the calls to the relay. */
  relay: string[];
}

/** The demo app in one browser context with a virtual passkey. */
export interface Wallet extends CeremonyRecord {
  page: Page;
  passkey: VirtualPasskey;
  /** Everything the page and its workers wrote to the console: `level: text`. */
  consoleLines: string[];
}

/** A wallet whose calls to chain and relay are seen. */
export interface WatchedWallet extends Wallet {
  /** Runs a step, waits until the network is quiet, and says what happened meanwhile. */
  during(step: () => Promise<unknown>): Promise<Activity>;
}

const QUIET_MS = 200;

/** Opens the demo app at this address in this context. */
export async function openWallet(
  context: BrowserContext,
  appUrl: string,
  prf: PrfSupport = 'always',
): Promise<Wallet> {
  const ceremonies = await recordCeremonies(context);
  const page = await context.newPage();
  const passkey = await addVirtualPasskey(page, prf);
  const consoleLines: string[] = [];
  page.on('console', (message) => void consoleLines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => void consoleLines.push(`error: ${error.stack ?? error.message}`));
  await page.goto(appUrl);
  return { ...ceremonies, page, passkey, consoleLines };
}

/** Opens the demo app of a local stack, whose proxies see what it calls. */
export async function openWatchedWallet(
  context: BrowserContext,
  stack: LocalStack,
  prf: PrfSupport = 'always',
): Promise<WatchedWallet> {
  const wallet = await openWallet(context, stack.appUrl, prf);
  const chainCalls = () => [...stack.chain.calls, ...stack.spareChain.calls];
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
      const since = (calls: { name: string; at: number }[]) =>
        calls.filter((call) => call.at >= startedAt).map((call) => call.name);
      return {
        ms,
        prompts: wallet.prompts.slice(promptsBefore),
        rpc: since(chainCalls()).filter((name) => name !== 'query:get_greeting'),
        relay: since(relayCalls()),
      };
    },
  };
}

/** The account id that the app makes of a username. */
export const accountOf = (username: string): string => `${username}.${REGISTRY}`;
