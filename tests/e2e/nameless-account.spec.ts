// An account without a name, from its passkey to its recovery in a browser that knows nothing.
import { fileURLToPath } from 'node:url';
import { textOf } from '../support/steps/press.js';
import {
  agree,
  checkPasskey,
  confirmDialog,
  namelessAccount,
  namelessOffer,
  recoverNameless,
  uncovered,
} from '../support/steps.js';
import { clearSiteData, openWatchedWallet } from '../support/wallet.js';
import { everyNodeKnows, expect, FRAMED, settle, test } from './fixtures.js';

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
      await agree(confirmDialog(page), 'Create passkey');
    }
    await uncovered(page);
    const accountId = await textOf(namelessAccount(page));
    await checkPasskey(page);
    expect(prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
    for (const proxy of stack.proxies) proxy.heal();

    await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 2n * 10n ** 24n });
    await expect.poll(() => stack.oracle.fullAccessKeys(accountId)).toHaveLength(1);
    await everyNodeKnows(stack);

    await page.getByRole('textbox', { name: 'Receiver' }).fill('testnet');
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.5');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(confirmDialog(page)).toHaveAccessibleName('Send 0.5 NEAR');
    // In the page itself a payment goes on without a click.
    if (framed) await agree(confirmDialog(page), /^Send/);
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
