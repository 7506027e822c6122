// The wallet's device check before the first prompt, and the end of a prompt that no authenticator can answer.
// Specification: core 5
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { recordCeremonies } from '../support/browser.js';
import { cancel, confirmDialog, loginProblem, startRegistration } from '../support/steps.js';
import { accountOf, openWallet } from '../support/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, WHOLE_BROWSER } from './fixtures.js';

declare const facade: FacadePage;

test(
  'a browser reports its passkey device, and outside a secure context that reason, without a prompt or a frame',
  FRAMED,
  async ({ context, facadeUrl, username }) => {
    const { page } = await openWallet(context, facadeUrl);
    // Anything the browser has not answered within a second is still unknown.
    await expect
      .poll(() => page.evaluate(() => facade.manager.checkDevice()))
      .toMatchObject({
        isSecureContext: true,
        hasWebAuthn: true,
        mayCreate: true,
        mayGet: true,
        platformAuthenticator: true,
        prf: true,
      });

    await context.route('http://insecure.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const response = await route.fetch({ url: new URL(pathname, facadeUrl).href });
      await route.fulfill({ response });
    });
    const insecure = await context.newPage();
    await insecure.goto(`http://insecure.test${new URL(facadeUrl).pathname}`);
    const result = await insecure.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
    expect(result).toMatchObject({
      success: false,
      error:
        'Passkey operations require a secure context (HTTPS or localhost). Serve http://insecure.test over HTTPS, or open it at localhost.',
    });
    expect(await insecure.evaluate(() => facade.manager.checkDevice())).toMatchObject({
      canUsePasskeys: 'no',
      errorCode: 'INSECURE_CONTEXT',
    });
    await expect(insecure.locator('latchkey-wallet')).toHaveCount(0);
    // Does not wait for the page's other requests, such as its icon.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('in a frame a registration ends before its prompt where the host allows only to use passkeys, and reaches it where both', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const file = `host-${username}.html`;
  const host = `http://host.localhost:${new URL(stack.appUrl).port}/${file}`;
  const allow = (features: string) =>
    writeFile(
      `${stack.siteFolder}/${file}`,
      `<!doctype html><title>Host</title><iframe allow="${features}" src="${facadeUrl}"></iframe>`,
    );
  const registerIn = async (page: Page) => {
    const inside = await (await page.locator('iframe').elementHandle())?.contentFrame();
    if (!inside) throw new Error('The host page has no frame.');
    await inside.waitForFunction(() => 'facade' in globalThis);
    return inside.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
  };

  await allow('publickey-credentials-get');
  const { page, prompts } = await openWallet(context, host);
  expect(await registerIn(page)).toMatchObject({
    success: false,
    errorCode: 'PASSKEYS_FORBIDDEN_HERE',
    error: expect.stringContaining('publickey-credentials-create'),
  });
  expect(prompts).toEqual([]);

  await allow('publickey-credentials-get; publickey-credentials-create');
  await page.reload();
  expect((await registerIn(page)).errorCode).not.toBe('PASSKEYS_FORBIDDEN_HERE');
});

test(
  'without any authenticator the wallet’s own timeout ends the wait, and the user can try again',
  WHOLE_BROWSER,
  async ({ context, stack, username }) => {
    const { prompts } = await recordCeremonies(context);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(stack.appUrl);
    const wallet = { page } as Parameters<typeof startRegistration>[0];
    await startRegistration(wallet, username);
    const dialog = confirmDialog(page);
    await expect(dialog).toHaveAttribute('aria-busy', 'true');
    // The browser silently waits for a key to be plugged in.
    await expect.poll(() => prompts.length).toBe(1);
    await page.clock.fastForward(60_000);
    await expect(dialog.getByRole('alert')).toHaveText('Time ran out, so nothing was signed. Try again.');
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
    await cancel(wallet);
    await expect(loginProblem(page)).toContainText('Registration was cancelled');
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
  },
);
