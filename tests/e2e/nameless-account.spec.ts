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
import { clearSiteData, drawnIn, homeOf, openWatchedWallet } from '../support/wallet.js';
import { everyNodeKnows, expect, FRAMED, settle, test } from './fixtures.js';
import { goTo, sections, useMenu } from './home-page.js';
import { storageDump } from './storage-dump.js';

const PAGE = fileURLToPath(new URL('./menu-page', import.meta.url));

test(
  'is made while node and relay are down, is paid, pays, and comes back with one prompt',
  FRAMED,
  async ({ context, stack, framed, expectedConsole }) => {
    expectedConsole.push(/server lock|ERR_|Failed to load resource/i);
    const address = `${await stack.addPage(PAGE, 'nameless')}?nameless`;
    const wallet = await openWatchedWallet(context, stack, 'always', address);
    const { page, prompts } = wallet;
    await expect(namelessOffer(page)).toHaveAttribute('aria-disabled', 'false');

    if (!framed) for (const proxy of stack.proxies) proxy.fail('*', { kind: 'refuse' });
    await namelessOffer(page).click();
    if (framed) {
      await expect(confirmDialog(page)).toHaveAccessibleName('Create your wallet');
      await expect(confirmDialog(page)).toContainText(/Wallet \d{4}-\d\d-\d\d/);
    }
    await agreeToCreate(page);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(UNPROVEN);
    await uncovered(page);
    const accountId = await showAddress(page);
    expect(prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
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
  'the address is shown nowhere before its proof, and money sent there before is found after it',
  FRAMED,
  async ({ context, stack, expectedConsole }) => {
    const address = `${await stack.addPage(PAGE, 'unproven')}?nameless`;
    const wallet = await openWatchedWallet(context, stack, 'always', address);
    const { page } = wallet;
    await namelessOffer(page).click();
    await agreeToCreate(page);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(UNPROVEN);
    const [, accountId = ''] =
      /"nearAccountId":"([\da-f]{64})"/.exec(await storageDump(await homeOf(page))) ?? [];
    expect(accountId).toMatch(NAMELESS);
    const shown = page.getByText(accountId);
    await expect(shown).toHaveCount(0);

    if (stack.walletOrigin) {
      await page.goto(`${stack.walletOrigin}/`);
      await useMenu(page, 'Recover', '');
      for (const section of [
        'Activity',
        'Devices',
        'App access',
        'Apps',
        'Accounts',
        'Settings',
        'Overview',
      ]) {
        await goTo(page, section);
        await expect(sections(page).getByRole('link', { name: section })).toHaveAttribute(
          'aria-current',
          'page',
        );
        await expect(shown).toHaveCount(0);
      }
      expect(await page.evaluate(() => document.querySelector('a[href*="/address/"]'))).toBeNull();
      await page.getByRole('link', { name: 'Receive', exact: true }).click();
    }
    await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
    await everyNodeKnows(stack);
    await expect(shown).toHaveCount(0);
    await page.getByRole('button', { name: 'Show my address' }).click();
    await expect(shown.first()).toBeVisible();

    if (stack.walletOrigin) {
      await expect(page.getByRole('img', { name: 'QR code of your address' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Your address' })).toBeFocused();
      await goTo(page, 'Overview');
      await expect(page.getByRole('region', { name: 'You can spend' })).toContainText(/1\.9\d* NEAR|2 NEAR/);
      const secondWay = page.getByRole('status', { name: 'A second way in' });
      await expect(secondWay.getByRole('button', { name: 'Make a recovery phrase' })).toBeVisible();
      await goTo(page, 'Devices');
      await expect(page.getByRole('button', { name: 'Register this passkey' })).toBeVisible();
    } else {
      await expect(heading).toHaveText(accountId);
      await expect(page.getByText(/2 NEAR|1\.9\d* NEAR/)).toBeVisible();
    }
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
