// Drives the whole stack in headless Chromium with a virtual passkey, and prints what each step cost.
// Usage: node --import tsx demo/tour.ts. Screenshots go to screenshots/. The exit code says whether every step held.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from './stack/browser.js';
import { type LocalStack, startLocalStack } from './stack/local-stack.js';
import { ROOT } from './stack/services.js';
import {
  cancel,
  confirmDialog,
  logIn,
  logOut,
  register,
  setGreeting,
  signMessage,
  startGreeting,
} from './stack/steps.js';
import { accountOf, openWatchedWallet, type WatchedWallet } from './stack/wallet.js';

const SCREENSHOTS = join(ROOT, 'screenshots');
const BLOCK_TIME_MS = 600;
const GREETING = 'Hello from a passkey';

/** What a step proved, said in a few words: an account, a transaction id. */
type Proof = string;

interface Step {
  title: string;
  run(): Promise<Proof>;
}

function steps(wallet: WatchedWallet, stack: LocalStack, username: string): Step[] {
  const accountId = accountOf(username);
  const { oracle } = stack;

  return [
    {
      title: 'Register',
      run: async () => {
        const transactionId = await register(wallet, username);
        const keys = await oracle.fullAccessKeys(accountId);
        if (keys.length !== 1) throw new Error(`${accountId} has ${keys.length} keys.`);
        return `${accountId} holds ${keys[0]}; transaction ${transactionId}`;
      },
    },
    { title: 'Log out', run: async () => logOut(wallet).then(() => 'the session is closed') },
    {
      title: 'Log in silently',
      run: async () => logIn(wallet, username).then(() => 'the server lock opened the session'),
    },
    {
      title: 'Log in, relay down',
      run: async () => {
        await logOut(wallet);
        stack.relay.fail('*', { kind: 'refuse' });
        await logIn(wallet, username);
        return 'the passkey opened the session';
      },
    },
    {
      title: 'Set the greeting',
      run: async () => {
        const transactionId = await setGreeting(wallet, GREETING);
        const { succeeded } = await oracle.transaction(transactionId, accountId);
        if (!succeeded) throw new Error(`Transaction ${transactionId} failed.`);
        const greeting = await oracle.greeting();
        if (!greeting.includes(GREETING)) throw new Error(`The chain says '${greeting}', not '${GREETING}'.`);
        return `the chain says '${greeting}'; transaction ${transactionId}`;
      },
    },
    {
      title: 'Sign a message',
      run: async () => {
        const signed = await signMessage(wallet, 'This account is mine.');
        await oracle.verifyMessage(signed);
        return `near-api-js verified ${signed.signature.slice(0, 16)}… of ${signed.publicKey}`;
      },
    },
  ];
}

/** The screens a person meets, in both themes. */
async function screenshot(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.screenshot({
      path: join(SCREENSHOTS, `${name}-${theme}.png`),
      fullPage: true,
      animations: 'disabled',
    });
  }
}

/** The confirmation in both themes: it keeps the one it opened in. */
async function screenshotConfirmation(wallet: WatchedWallet): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await wallet.page.emulateMedia({ colorScheme });
    await startGreeting(wallet, 'Look before you sign');
    const dialog = confirmDialog(wallet.page);
    await dialog.getByRole('button', { name: 'Confirm' }).waitFor();
    await wallet.page.screenshot({ path: join(SCREENSHOTS, `8-confirm-${colorScheme}.png`) });
    await cancel(wallet);
  }
}

/** `2 prompts (create, get)`. */
function list(noun: string, names: string[]): string {
  const count = `${names.length} ${noun}${names.length === 1 ? '' : 's'}`;
  return names.length === 0
    ? count
    : `${count} (${names.map((name) => name.replace(/^query:/, '')).join(', ')})`;
}

async function tour(stack: LocalStack): Promise<boolean> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({
      viewport: { width: 1100, height: 860 },
      reducedMotion: 'reduce',
    });
    const wallet = await openWatchedWallet(context, stack);
    await wallet.page.getByRole('textbox', { name: 'Username' }).waitFor();
    await screenshot(wallet.page, '1-welcome');
    const username = `tour-${Date.now().toString(36)}`;
    for (const [index, step] of steps(wallet, stack, username).entries()) {
      let proof = '';
      try {
        const { ms, prompts, rpc, relay } = await wallet.during(async () => {
          proof = await step.run();
        });
        console.log(`✓ ${step.title.padEnd(20)} ${String(ms).padStart(6)} ms   ${proof}`);
        const asked = prompts.map(({ kind }) => kind);
        console.log(
          `  ${[list('prompt', asked), list('RPC call', rpc), list('relay call', relay)].join(' · ')}`,
        );
      } catch (error) {
        console.log(`✗ ${step.title.padEnd(20)}           ${error instanceof Error ? error.message : error}`);
        await screenshot(wallet.page, `${index + 2}-failed`);
        return false;
      }
      await screenshot(wallet.page, `${index + 2}-${step.title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`);
    }
    await screenshotConfirmation(wallet);
    return true;
  } finally {
    await browser.close();
  }
}

await rm(SCREENSHOTS, { recursive: true, force: true });
await mkdir(SCREENSHOTS, { recursive: true });
let stack: LocalStack | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, async () => {
    await stack?.stop();
    process.exit(1);
  });
}
const started = Date.now();
stack = await startLocalStack({ blockTimeMs: BLOCK_TIME_MS });
console.log(`Chain, relay and app were up after ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
let good = false;
try {
  good = await tour(stack);
} finally {
  await stack.stop();
}
console.log(`\n${good ? 'Every step held' : 'A step failed'}. Screenshots are in screenshots/.`);
process.exitCode = good ? 0 : 1;
