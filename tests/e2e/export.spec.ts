// Key export: the viewer warns, asks for the passkey, hides the key at first, shows and copies it, and forgets it.
// Specification: core 2, core 4, core 8
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Account, KeyPair, KeyPairSigner } from 'near-api-js';
import { RELAYER } from '../../dev/services/services.js';
import {
  closeKeyViewer,
  continueToKey,
  openKeyViewer,
  pressContinue,
  register,
  revealKey,
  toDemos,
} from '../support/steps.js';
import { drawnIn } from '../support/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';
import { expectGone, exportButton, problem, registered } from './key-viewer.js';

/** Presses Escape, which removes the frame: Chromium may then never report the key's release. */
async function pressEscape(page: Page): Promise<void> {
  page.keyboard.press('Escape').catch(() => undefined);
  await expectGone(page);
}

async function viewerScript(siteFolder: string): Promise<string> {
  const assets = join(siteFolder, 'assets');
  return join(assets, (await readdir(assets)).find((name) => name.startsWith('key-viewer'))!);
}

/**
 * Keeps the viewer's timers of a minute and longer for {@link fireViewerTimer}. Playwright's clock cannot: the viewer is
 * in a process of its own, where the clock sometimes arrives after the viewer's script has set its timer.
 */
async function holdViewerTimers(siteFolder: string): Promise<() => Promise<void>> {
  const path = await viewerScript(siteFolder);
  const script = await readFile(path, 'utf8');
  const hold = `{
    const { setTimeout: own } = globalThis;
    globalThis.held = new Map();
    globalThis.setTimeout = (act, ms) => (ms < 60_000 ? own(act, ms) : (held.set(ms, act), 0));
  }`;
  await writeFile(path, hold + script);
  return () => writeFile(path, script);
}

async function fireViewerTimer(page: Page, afterMs: number): Promise<void> {
  const viewer = page.frames().find((frame) => frame.url() === 'about:srcdoc')!;
  await viewer.evaluate((ms) => {
    (globalThis as unknown as { held: Map<number, () => void> }).held.get(ms)!();
  }, afterMs);
}

/** Expects that Tab passes the four buttons of the viewer that has the key, forwards and backwards, and never leaves. */
async function expectTabInside(page: Page): Promise<void> {
  const frame = page.frames().find((candidate) => candidate.url() === 'about:srcdoc');
  for (const key of ['Tab', 'Shift+Tab']) {
    const stops: string[] = [];
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press(key);
      stops.push(
        await frame!.evaluate(() =>
          document.hasFocus() ? (document.activeElement?.textContent ?? '').slice(0, 12) : 'lost',
        ),
      );
    }
    expect(stops).not.toContain('lost');
    expect(new Set(stops).size).toBe(4);
  }
}

test('the viewer warns, prompts once, keeps the focus, and shows a key whose transfer the chain accepts', async ({
  wallet,
  stack,
  username,
}) => {
  const { accountId, privateKey } = await registered(wallet, username);
  const { page } = wallet;
  await toDemos(page);
  let exported = '';
  const activity = await wallet.during(async () => {
    const viewer = await openKeyViewer(wallet);
    const dialog = viewer.getByRole('dialog');
    await expect(dialog).toHaveAccessibleDescription('Read this first. The key is not shown yet.');
    await expect(dialog).toContainText(accountId);
    await expect(dialog).toContainText(KeyPair.fromString(privateKey).getPublicKey().toString());
    await expect(dialog).toContainText('Anyone with this key can take everything in it');
    await expect(dialog).toContainText('Give it to nobody.');
    await expect(viewer.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(wallet.prompts).toHaveLength(1);

    await continueToKey(viewer);
    expect(await drawnIn(page).locator('latchkey-confirm').count(), 'decrypting has no confirmation').toBe(0);
    await expect(viewer.getByRole('img', { name: 'Private key, hidden' })).toBeVisible();
    await expect(dialog).not.toContainText(privateKey);
    await expectTabInside(page);
    exported = await revealKey(viewer);
    await viewer.getByRole('button', { name: 'Hide' }).click();
    await expect(dialog).not.toContainText(privateKey);
    await expect(viewer.getByRole('img', { name: 'Private key, hidden' })).toBeVisible();
    await closeKeyViewer(page, 'Done');
    await expectGone(page);
  });
  expect(exported).toBe(privateKey);
  expect(activity.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expect([activity.rpc, activity.relay]).toEqual([[], []]);
  await expect(problem(page)).toHaveCount(0);

  const { provider } = stack.oracle;
  const account = new Account(
    accountId,
    provider,
    KeyPairSigner.fromSecretKey(exported as `ed25519:${string}`),
  );
  const before = await provider.viewAccount({ accountId: RELAYER });
  await account.transfer({ receiverId: RELAYER, amount: 1_000_000n });
  const after = await provider.viewAccount({ accountId: RELAYER });
  expect(BigInt(after.amount)).toBeGreaterThanOrEqual(BigInt(before.amount) + 1_000_000n);
});

test('Cancel and Escape close the viewer before the prompt, during it and while it holds the key, and report no failure', async ({
  wallet,
  username,
}) => {
  const { privateKey } = await registered(wallet, username);
  const { page } = wallet;
  const closing = await wallet.during(async () => {
    await openKeyViewer(wallet);
    await closeKeyViewer(page, 'Cancel');
    await expectGone(page);
    await openKeyViewer(wallet);
    await pressEscape(page);
  });
  expect(closing.prompts).toEqual([]);
  const during = await openKeyViewer(wallet);
  await wallet.passkey.setPresence(false);
  await pressContinue(during);
  await expect(during.getByRole('status')).toHaveText('Follow your browser’s passkey prompt.');
  await closeKeyViewer(page, 'Cancel');
  await expectGone(page);
  // The next prompt finds no pending one.
  await wallet.passkey.setPresence(true);
  const activity = await wallet.during(async () => {
    await continueToKey(await openKeyViewer(wallet));
    await pressEscape(page);
    const viewer = await openKeyViewer(wallet);
    await expect(viewer.getByRole('button', { name: 'Show' })).toBeHidden();
    await continueToKey(viewer);
    expect(await revealKey(viewer)).toBe(privateKey);
  });
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get', 'get']);
  await expect(problem(page)).toHaveCount(0);
});

test(
  'a copied key leaves the clipboard after 30 seconds, even when the viewer has closed or the browser has not confirmed the copy [S74]',
  FRAMED,
  async ({ context, wallet, username }) => {
    const { privateKey } = await registered(wallet, username);
    const { page } = wallet;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.clock.install();
    const viewer = await openKeyViewer(wallet);
    await continueToKey(viewer);
    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect(viewer.getByRole('status')).toHaveText('Copied. The clipboard is cleared in 30 seconds.');
    expect(await clipboard()).toBe(privateKey);
    // The page's clock also runs with the real one.
    await page.clock.runFor(20_000);
    expect(await clipboard()).toBe(privateKey);
    await page.clock.runFor(10_500);
    await expect(viewer.getByRole('status')).toHaveText('The clipboard is cleared.');
    expect(await clipboard()).toBe('');

    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toBe(privateKey);
    await closeKeyViewer(page, 'Done');
    await expectGone(page);
    expect(await clipboard()).toBe(privateKey);
    await page.clock.runFor(31_000);
    await expect.poll(clipboard).toBe('');

    const unconfirmed = await openKeyViewer(wallet);
    await continueToKey(unconfirmed);
    const copy = unconfirmed.getByRole('button', { name: 'Copy' });
    await copy.evaluate(() => {
      const { clipboard: own } = navigator;
      const write = own.writeText.bind(own);
      own.writeText = async (text) => {
        await write(text);
        return new Promise(() => undefined);
      };
    });
    await copy.click();
    // A write whose document disappears before it starts copies nothing.
    await expect.poll(clipboard).toBe(privateKey);
    await pressEscape(page);
    expect(await clipboard()).toBe(privateKey);
    await page.clock.runFor(31_000);
    await expect.poll(clipboard).toBe('');
  },
);

test('a viewer left open closes itself: after five minutes without the key, after three with it [S3]', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  const { page } = wallet;
  const release = await holdViewerTimers(stack.siteFolder);
  try {
    await openKeyViewer(wallet);
    await fireViewerTimer(page, 300_000);
    await expect(problem(page)).toHaveText('Time ran out, so nothing was signed. Try again.');
    await expectGone(page);
    await continueToKey(await openKeyViewer(wallet));
    await fireViewerTimer(page, 180_000);
    await expectGone(page);
    await expect(problem(page)).toHaveCount(0);
  } finally {
    await release();
  }
});

test('a viewer whose script does not load is reported, and the page is usable again', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The server answers a missing file with its page, as many servers do.
  expectedConsole.push(REQUEST_FAILED, /Unexpected token '<'/);
  await register(wallet, username);
  const { page } = wallet;
  const script = await viewerScript(stack.siteFolder);
  const away = `${script}.away`;
  await rename(script, away);
  await toDemos(page);
  await exportButton(page).click();
  await expect(problem(page)).toHaveText(
    'Your key couldn’t be shown. It is safe. Reload the page and try again.',
  );
  await expectGone(page);
  await rename(away, script);
  await continueToKey(await openKeyViewer(wallet));
  await expect(problem(page)).toHaveCount(0);
});
