// The explorer's pages in a browser fit a narrow window, follow light and dark mode, and obey their policy.
import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import { Account, JsonRpcProvider, KeyPairSigner } from 'near-api-js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/browser.js';
import { type Devnet, developmentKey, startDevnet } from './devnet.js';

const ALICE = 'alice.testnet';
const HOSTILE = `<img src=x onerror=alert(1)>${'w'.repeat(300)}`;

let devnet: Devnet;
let browser: Browser;
let pages: Record<string, string>;

beforeAll(async () => {
  devnet = await startDevnet(['--no-registry', '--block-time', '50ms', '--fund', `${ALICE}=100`]);
  const provider = new JsonRpcProvider({ url: devnet.url });
  const alice = new Account(ALICE, provider, new KeyPairSigner(developmentKey(ALICE)));
  const wat = new URL('../../crates/devnet/tests/common/contract.wat', import.meta.url);
  const module = binaryen.parseText(await readFile(wat, 'utf8'));
  module.setFeatures(binaryen.Features.BulkMemory);
  await alice.deployContract(module.emitBinary());
  const sent = await alice.callFunctionRaw({
    contractId: ALICE,
    methodName: 'shout',
    args: { text: HOSTILE },
  });
  pages = {
    'the first page': '/',
    'a transaction': `/transactions/${sent.transaction.hash}`,
    'an account': `/address/${ALICE}`,
    'an unknown account': `/address/${'long-name.'.repeat(5)}testnet`,
  };
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await devnet?.stop();
});

/** Opens a page and reports what a reader would notice. */
async function look(path: string, width: number, colorScheme: 'light' | 'dark') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  const response = await page.goto(`${devnet.url}${path}`);
  const seen = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return {
      overflow: document.documentElement.scrollWidth - innerWidth,
      images: document.images.length,
      heading: document.querySelector('h1')?.textContent,
      text: document.body.innerText,
      backgroundColor,
      color,
    };
  });
  await page.close();
  // The browser itself logs the 404 of an unknown page.
  const unexpected = complaints.filter((text) => !(response?.status() === 404 && text.includes('404')));
  return { ...seen, complaints: unexpected };
}

describe('the explorer', () => {
  it.each(['the first page', 'a transaction', 'an account', 'an unknown account'])(
    '%s fits and is readable, narrow and wide, light and dark',
    async (name) => {
      for (const width of [360, 1200]) {
        const light = await look(pages[name]!, width, 'light');
        const dark = await look(pages[name]!, width, 'dark');
        for (const seen of [light, dark]) {
          expect(seen.overflow, `${width} px`).toBeLessThanOrEqual(0);
          expect(seen.complaints).toEqual([]);
          expect(seen.images).toBe(0);
          expect(seen.heading).toBeTruthy();
        }
        expect(light.backgroundColor).not.toBe(dark.backgroundColor);
        expect(light.color).not.toBe(dark.color);
      }
    },
    120_000,
  );

  it("shows a contract's log as plain text", async () => {
    const { text } = await look(pages['a transaction']!, 1200, 'light');
    expect(text).toContain(HOSTILE);
  });
});
