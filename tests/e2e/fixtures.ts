import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { type LocalStack, startLocalStack } from '../support/local-stack.js';
import { NODES_LAG } from '../support/providers.js';
import { openWatchedWallet, type WatchedWallet } from '../support/wallet.js';
import { LINK_CODE_HOST, type Places, servePlaces } from './attack-host/places.js';

export interface TestFixtures {
  /** The console warnings and errors that this test's fault causes; any other one fails the test. */
  expectedConsole: RegExp[];
  /** The app, open, with a fresh passkey and fresh storage. */
  wallet: WatchedWallet;
  /** A username that no other test uses. */
  username: string;
}

/**
 * What a worker starts once, when its first test needs it. All of them are here: Playwright ends a worker when the next
 * test has another set of these fixtures, even an unused one, and a new worker starts its own stack and browser.
 */
export interface WorkerFixtures {
  stack: LocalStack;
  /** Whether the wallet has its own origin, in a frame of the app. */
  framed: boolean;
  /** The address of the bare facade's page. */
  facadeUrl: string;
  places: Places;
}

/** The chain makes a block every 100 ms, so a challenge may be 1200 blocks old: 2 minutes. */
export const BLOCK_TIME_MS = 100;
export const MAX_BLOCK_AGE = 1200;

/** Makes more blocks than any node lags, so that a client which believes the one that answers sees what was done before. */
export const everyNodeKnows = ({ oracle }: LocalStack): Promise<void> => oracle.fastForward(10);

/** Marks a test that also runs with the wallet in a frame. */
export const FRAMED = { tag: '@framed' };

/**
 * Marks a test that needs the whole Chromium. The headless shell tracks no visibility (IntersectionObserver v2), gives a
 * sandboxed frame no process of its own, and answers itself where no authenticator is there.
 */
export const WHOLE_BROWSER = { tag: '@whole-browser' };

export const test = base.extend<TestFixtures, WorkerFixtures>({
  framed: [false, { option: true, scope: 'worker' }],
  stack: [
    async ({ framed }, use, workerInfo) => {
      const lines: string[] = [];
      const stack = await startLocalStack({
        blockTimeMs: BLOCK_TIME_MS,
        maxBlockAge: MAX_BLOCK_AGE,
        framed,
        // 'localhost': Device1's own page, which gives the code as data in the place of a camera.
        linkCodeHosts: ['localhost', LINK_CODE_HOST],
        onLine: (line, service) => lines.push(`${service}: ${line}`),
      });
      await use(stack);
      await stack.stop();
      if (process.env.LATCHKEY_E2E_LOG) console.log(`worker ${workerInfo.workerIndex}\n${lines.join('\n')}`);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  facadeUrl: [
    async ({ stack }, use) => {
      await use(await stack.addPage(fileURLToPath(new URL('./facade-page', import.meta.url)), 'facade'));
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  places: [
    async ({ stack }, use) => {
      const { places, close } = await servePlaces(stack);
      await use(places);
      await close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  expectedConsole: async ({}, use) => use([]),
  wallet: async ({ context, stack, expectedConsole }, use) => {
    const wallet = await openWatchedWallet(context, stack);
    await leaveOutBlur(wallet.page);
    await use(wallet);
    settle(stack, wallet, expectedConsole);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
  username: async ({}, use, testInfo) => {
    await use(`t${testInfo.workerIndex}-${Date.now().toString(36)}`);
  },
});

/**
 * Asks for less transparency, so that no dialog blurs what is behind it: without a graphics card, that takes a third of a
 * flow's processor time. The features stay for as long as the session, so for the page.
 */
export async function leaveOutBlur(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const features = ['prefers-reduced-motion', 'prefers-reduced-transparency'].map((name) => ({
    name,
    value: 'reduce',
  }));
  await session.send('Emulation.setEmulatedMedia', { features });
}

/** Ends a test: heals the proxies, and fails when the console holds an unexpected warning or error. */
export function settle(stack: LocalStack, wallet: WatchedWallet, expectedConsole: RegExp[]): void {
  for (const proxy of stack.proxies) proxy.heal();
  const expected = NODES_LAG ? [...expectedConsole, BLOCK_UNKNOWN] : expectedConsole;
  const surprises = wallet.consoleLines.filter(
    (line) => /^(error|warning):/.test(line) && !expected.some((pattern) => pattern.test(line)),
  );
  expect(surprises, 'warnings and errors on the console').toEqual([]);
}

/** Expects no more RPC calls than a flow may cost. Only nodes that do not lag tell the cost. */
export function expectAtMost(most: number, calls: readonly string[]): void {
  if (!NODES_LAG) expect(calls.length, calls.join()).toBeLessThanOrEqual(most);
}

/**
 * Expects exactly these RPC calls, in this order. On nodes that lag the wallet asks or sends some again, so there it
 * expects that none is missing.
 */
export function expectCalls(calls: readonly string[], expected: readonly string[]): void {
  expect(calls).toEqual(NODES_LAG ? expect.arrayContaining([...expected]) : expected);
}

/** Like {@link expectCalls}, for the calls of one name. */
export function expectCallsOf(name: string, calls: readonly string[], count: number): void {
  const named = calls.filter((call) => call === name);
  expectCalls(named, Array<string>(count).fill(name));
}

/** Runs a step, and expects that it sends transactions, and waits for each until it is final. */
export async function expectFinal({ chain }: LocalStack, step: () => Promise<unknown>): Promise<void> {
  const before = chain.calls.length;
  await step();
  const sent = chain.calls.slice(before).filter(({ name }) => name === 'send_tx');
  const levels = sent.map(
    ({ body }) => (JSON.parse(body) as { params: { wait_until: string } }).params.wait_until,
  );
  expect([...new Set(levels)], 'the levels that the sent transactions are waited for').toEqual(['FINAL']);
}

/** The line that Chromium itself writes where a node that lags does not know a block yet. */
const BLOCK_UNKNOWN = /^error: Failed to load resource: .* status of 422/;

/** The line that Chromium itself writes to the console when a request fails. */
export const REQUEST_FAILED = /^error: Failed to load resource/;

export { expect };
