// An account without a name, from its passkey to its recovery in a browser that knows nothing.
import { fileURLToPath } from 'node:url';
import {
  agree,
  agreeToCreate,
  confirmDialog,
  NAMELESS,
  namelessOffer,
  recoverNameless,
  showAddress,
  UNPROVEN,
  uncovered,
} from '../support/steps.js';
import { clearSiteData, drawnIn, openWatchedWallet } from '../support/wallet.js';
import { everyNodeKnows, expect, FRAMED, REQUEST_FAILED, settle, test } from './fixtures.js';

const PAGE = fileURLToPath(new URL('./menu-page', import.meta.url));

test(
  'is made and its passkey checked without node and relay, is paid, pays, and comes back with one prompt',
  FRAMED,
  async ({ context, stack, framed, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED, /server lock|ERR_|background refresh failed|could not be read/i);
    const address = `${await stack.addPage(PAGE, 'nameless')}?nameless`;
    const wallet = await openWatchedWallet(context, stack, 'always', address);
    const { page, prompts } = wallet;
    await expect(namelessOffer(page)).toHaveAttribute('aria-disabled', 'false');
    await page.waitForLoadState('networkidle');

    // offline.spec has the app's page without a network.
    if (framed) await context.setOffline(true);
    else for (const proxy of stack.proxies) proxy.fail('*', { kind: 'refuse' });
    await namelessOffer(page).click();
    if (framed) {
      await expect(confirmDialog(page)).toHaveAccessibleName('Create your wallet');
      await expect(confirmDialog(page)).toContainText(/Wallet \d{4}-\d\d-\d\d/);
    }
    await agreeToCreate(page);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(UNPROVEN);
    await uncovered(page);
    await expect(page.getByText(/[\da-f]{64}/), 'no address before its proof').toHaveCount(0);
    const accountId = await showAddress(page);
    expect(accountId).toMatch(NAMELESS);
    expect(prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
    await context.setOffline(false);
    for (const proxy of stack.proxies) proxy.heal();

    await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
    await expect.poll(() => stack.oracle.fullAccessKeys(accountId)).toHaveLength(1);
    await everyNodeKnows(stack);

    await page.getByRole('textbox', { name: 'Receiver' }).fill('testnet');
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.5');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    // In the page itself a payment goes on without a click, and its dialog may be gone before a look.
    if (framed) {
      await expect(confirmDialog(page)).toHaveAccessibleName('Send 0.5 NEAR');
      await agree(confirmDialog(page), /^Send/);
    }
    await expect
      .poll(() => stack.oracle.balance(accountId), { timeout: 20_000 })
      .toBeLessThan(15n * 10n ** 23n);
    await uncovered(page);

    await page.goto('about:blank');
    await clearSiteData(wallet, address);
    await page.goto(address);
    const before = prompts.length;
    expect(await recoverNameless(wallet)).toBe(accountId);
    expect(prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
    settle(stack, wallet, expectedConsole);
  },
);

test(
  'one touch opens it: the passkey in the field, which the wallet draws where it is in a frame',
  FRAMED,
  async ({ context, stack, framed, expectedConsole }) => {
    const address = `${await stack.addPage(PAGE, 'one-touch')}?nameless&one-touch`;
    const wallet = await openWatchedWallet(context, stack, 'always', address);
    const { page, prompts, passkey } = wallet;
    const heading = page.getByRole('heading', { level: 1 });
    const field = drawnIn(page).getByRole('textbox', { name: 'Choose your passkey here' });
    await passkey.setPresence(false);
    await page.reload();
    if (framed) await expect(field).toBeVisible();
    await passkey.setPresence(true);
    // The offer in the field ends first: a browser runs one request at a time.
    await namelessOffer(page).click();
    await agreeToCreate(page);
    await expect(heading).toHaveText(UNPROVEN);
    await expect(field).toHaveCount(0);
    const placeholder = (await heading.textContent()) ?? '';
    await uncovered(page);

    await page.goto('about:blank');
    await clearSiteData(wallet, address);
    const before = prompts.length;
    await page.goto(address);
    // The browser's authenticator answers a field's offer by itself.
    await expect(heading).toHaveText(placeholder);
    expect(prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
    settle(stack, wallet, expectedConsole);
  },
);
