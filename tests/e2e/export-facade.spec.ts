// Key export as a host calls it: how it ends, what it looks like, and the policies it works under.
// Specification: core 2, core 5, frame 10
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportKeypairOptions, FlowEvent } from 'latchkey';
import { englishViewer as english } from 'latchkey/internal';
import { secretKeyText } from '../../dev/services/keys.js';
import texts from '../../react/src/texts/german.json' with { type: 'json' };
import type { LocalStack } from '../support/local-stack.js';
import { derivedSecrets } from '../support/secrets.js';
import { closeKeyViewer, continueToKey, keyViewer, revealKey } from '../support/steps.js';
import type { Facade } from './facade-page/fixture.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;
type Running = Promise<{ success: boolean; errorCode?: string; error?: string; publicKey: string | null }>;

const german = texts.confirm.keyViewer;
const SETTLE_MS = 350;

/** Starts an export on the page; resolves with its result. */
function startExport(
  { page, accountId }: Facade,
  options: Pick<ExportKeypairOptions, 'variant' | 'theme'> = {},
): Running {
  return page.evaluate(
    ([id, given]) =>
      facade.manager.exportNearKeypairWithUI(id, {
        ...given,
        onEvent: (event) => void facade.events.push(event as FlowEvent),
      }),
    [accountId, options] as const,
  );
}

async function readyViewer({ page }: Facade) {
  const viewer = keyViewer(page);
  await viewer.getByRole('dialog').waitFor();
  await page.waitForTimeout(SETTLE_MS);
  return viewer;
}

const privateKeyOf = (wallet: Facade): string =>
  secretKeyText(derivedSecrets(wallet.accountId, wallet.prfOutputs[0]!)['NEAR seed']!);

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; img-src data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'";
const TRUSTED_TYPES = "; require-trusted-types-for 'script'; trusted-types latchkey-key-viewer";

/** Opens the facade's page under a policy whose violations are reported. */
async function openUnder({ page }: Facade, stack: LocalStack, policy: string): Promise<void> {
  const html = await readFile(join(stack.siteFolder, 'facade/index.html'), 'utf8');
  const strict = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  await writeFile(join(stack.siteFolder, 'facade/strict.html'), strict);
  await page.goto(page.url().replace(/\w+\.html/, 'strict.html'));
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      console.error(`violated ${violatedDirective}`),
    );
  });
}

test('a host with a strict content security policy opens the viewer in either form, learns how it ended, and can end it', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  await openUnder(wallet, stack, POLICY);
  for (const [variant, theme] of [
    ['modal', 'light'],
    ['drawer', 'dark'],
  ] as const) {
    const running = startExport(wallet, { variant, theme });
    const viewer = await readyViewer(wallet);
    await expect(viewer.locator(`main.${variant}`)).toBeVisible();
    await expect(viewer.locator('html')).toHaveAttribute('data-latchkey-theme', theme);
    await continueToKey(viewer);
    expect(await revealKey(viewer)).toBe(privateKeyOf(wallet));
    await closeKeyViewer(page, 'Done');
    expect(await running).toMatchObject({ success: true });
  }

  const ended = page.evaluate((id) => {
    const host = new AbortController();
    (globalThis as { endIt?: () => void }).endIt = () => host.abort();
    return facade.manager.exportNearKeypairWithUI(id, { signal: host.signal });
  }, accountId);
  await continueToKey(await readyViewer(wallet));
  await page.evaluate(() => (globalThis as unknown as { endIt(): void }).endIt());
  expect(await ended).toMatchObject({ success: true });
  await expect(page.locator('latchkey-key-viewer')).toHaveCount(0);

  await openUnder(wallet, stack, POLICY + TRUSTED_TYPES);
  const cancelled = startExport(wallet);
  await readyViewer(wallet);
  await closeKeyViewer(page, 'Cancel');
  expect(await cancelled).toMatchObject({ success: false, errorCode: 'CANCELLED', publicKey: null });
  expect(await page.evaluate(() => facade.events.slice(-2).map(({ phase }) => phase))).toEqual([
    'viewer-closed',
    'export-error',
  ]);
  expect(wallet.consoleLines).toEqual([]);
});

test('the viewer speaks the language of the kit, has the brand that it is given, and asks a refused prompt again at a click', async ({
  facade: wallet,
  stack,
}, testInfo) => {
  await openUnder(wallet, stack, POLICY);
  await wallet.page.evaluate(() => facade.useGermanAndBrand());
  const running = startExport(wallet);
  const viewer = await readyViewer(wallet);
  const dialog = viewer.getByRole('dialog', { name: german.title });
  await expect(dialog).toHaveAccessibleDescription(german.lead);
  await expect(viewer.locator('html')).toHaveAttribute('lang', 'de');
  await expect(viewer.locator('body')).toHaveCSS('font-family', 'Georgia, serif');
  await expect(viewer.locator('.mark')).toHaveCSS('background-image', /^url\("data:image\/svg/);
  await expect(viewer.locator('.mark .key')).toBeHidden();
  await expect(viewer.getByText(english.warnings[0]?.[1] ?? '')).toHaveCount(0);

  // Another request of the page occupies the browser's only prompt.
  await wallet.passkey.setPresence(false);
  await wallet.page.evaluate(() => {
    const holding = new AbortController();
    Object.assign(globalThis, { release: () => holding.abort() });
    navigator.credentials
      .get({ signal: holding.signal, publicKey: { challenge: new Uint8Array(32) } })
      .catch(() => undefined);
  });
  await expect(async () => {
    await viewer.getByRole('button', { name: german.continue }).click({ timeout: 2_000 });
    await expect(viewer.getByRole('alert')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(viewer.getByRole('alert')).toHaveText(/^Eine andere Passkey-Abfrage ist noch offen/);
  const again = viewer.getByRole('button', { name: german.again });
  await expect(again).toBeFocused();
  const before = wallet.prompts.length;
  await wallet.page.waitForTimeout(300);
  expect(wallet.prompts, 'no prompt by itself').toHaveLength(before);
  await wallet.page.evaluate(() => (globalThis as unknown as { release(): void }).release());
  await wallet.passkey.setPresence(true);
  await again.click();
  await expect(viewer.getByRole('alert')).toBeHidden();
  await viewer.getByRole('button', { name: german.show }).click();
  await expect(viewer.getByText(german.keyHere)).toHaveCount(0);
  await viewer.getByRole('button', { name: german.hide }).click();
  await wallet.page.setViewportSize({ width: 320, height: 700 });
  for (const part of ['main', '.body', 'footer'])
    expect(
      await viewer.locator(part).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      part,
    ).toBe(0);
  await wallet.page.screenshot({ path: testInfo.outputPath('viewer-german.png') });
  await viewer.getByRole('button', { name: german.done }).click();
  expect(await running).toMatchObject({ success: true });
  expect(wallet.consoleLines).toEqual([]);
});
