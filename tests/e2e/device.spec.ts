// The wallet's device check before the first prompt, and the end of a prompt that no authenticator can answer.
// Specification: core 5
import { writeFile } from 'node:fs/promises';
import { recordCeremonies } from '../support/browser.js';
import { cancel, confirmDialog, loginProblem, startRegistration } from '../support/steps.js';
import { accountOf, openWallet } from '../support/wallet.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, WHOLE_BROWSER } from './fixtures.js';

declare const facade: FacadePage;

test('a browser with a passkey device reports its capabilities', async ({ context, facadeUrl }) => {
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
});

for (const [what, allow, refusal] of [
  ['passkeys, but not to make them', 'publickey-credentials-get', 'PASSKEYS_FORBIDDEN_HERE'],
  ['both', 'publickey-credentials-get; publickey-credentials-create', 'the passkey is asked for'],
] as const) {
  test(`in a frame that allows ${what}, a registration ends before or at its prompt`, async ({
    context,
    stack,
    facadeUrl,
    username,
  }) => {
    const file = `host-${username}.html`;
    const body = `<!doctype html><title>Host</title><iframe allow="${allow}" src="${facadeUrl}"></iframe>`;
    await writeFile(`${stack.siteFolder}/${file}`, body);
    const host = `http://host.localhost:${new URL(stack.appUrl).port}/${file}`;
    const wallet = await openWallet(context, host);
    const inside = await (await wallet.page.locator('iframe').elementHandle())?.contentFrame();
    if (!inside) throw new Error('The host page has no frame.');
    await inside.waitForFunction(() => 'facade' in globalThis);
    const result = await inside.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
    if (refusal === 'PASSKEYS_FORBIDDEN_HERE') {
      expect(result).toMatchObject({
        success: false,
        errorCode: 'PASSKEYS_FORBIDDEN_HERE',
        error: expect.stringContaining('publickey-credentials-create'),
      });
      expect(wallet.prompts).toEqual([]);
    } else {
      expect(result.errorCode).not.toBe('PASSKEYS_FORBIDDEN_HERE');
    }
  });
}

test(
  'a page outside a secure context gets that reason, without a prompt or a frame',
  FRAMED,
  async ({ context, facadeUrl, username }) => {
    await context.route('http://insecure.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const response = await route.fetch({ url: new URL(pathname, facadeUrl).href });
      await route.fulfill({ response });
    });
    const page = await context.newPage();
    await page.goto(`http://insecure.test${new URL(facadeUrl).pathname}`);
    const result = await page.evaluate((id) => facade.manager.registerPasskey(id), accountOf(username));
    expect(result).toMatchObject({
      success: false,
      error:
        'Passkey operations require a secure context (HTTPS or localhost). Serve http://insecure.test over HTTPS, or open it at localhost.',
    });
    expect(await page.evaluate(() => facade.manager.checkDevice())).toMatchObject({
      canUsePasskeys: 'no',
      errorCode: 'INSECURE_CONTEXT',
    });
    await expect(page.locator('latchkey-wallet')).toHaveCount(0);
    // Does not wait for the page's other requests, such as its icon.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

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
