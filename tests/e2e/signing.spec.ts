// What the user sees before signing, and what a double click does.
// Specification: core 2
import type { Call } from '../support/fault-proxy.js';
import { AGREE, agree, confirmDialog, loggedInAs, register, startGreeting } from '../support/steps.js';
import { accountOf, drawnIn, isFramed } from '../support/wallet.js';
import { expect, expectCallsOf, FRAMED, test } from './fixtures.js';

/** The intent digest that the wallet asked the registry to check, base64url. */
function checkedDigest(calls: Call[]): string {
  const { body } = calls.find((call) => call.name === 'query:verify_authentication_response')!;
  const { params } = JSON.parse(body) as { params: { args_base64: string } };
  const { vrf_data } = JSON.parse(Buffer.from(params.args_base64, 'base64').toString()) as {
    vrf_data: { intent_digest_32: number[] | string };
  };
  const digest = vrf_data.intent_digest_32;
  return typeof digest === 'string' ? digest : Buffer.from(digest).toString('base64url');
}

test('the confirmation shows receiver, method, arguments, gas and deposit, and exactly the digest that the registry checks [S9]', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  await wallet.page.getByRole('textbox', { name: 'New greeting' }).fill('😀'.repeat(80));
  await expect(wallet.page.getByText(/Too long by \d+ bytes/)).toBeVisible();
  const started = Date.now();
  await startGreeting(wallet, 'read me first');
  const dialog = confirmDialog(wallet.page);
  await expect(dialog).toHaveAccessibleName('Call set_greeting');
  await expect(dialog).toContainText(accountOf(username));
  await expect(dialog).toContainText('w3a-v1.testnet');
  await expect(dialog).toContainText('set_greeting');
  await expect(dialog.getByRole('region', { name: 'Arguments' })).toContainText('read me first');
  await expect(dialog).not.toContainText('30 Tgas');
  await dialog.getByRole('button', { name: 'Details' }).click();
  await expect(dialog).toContainText('30 Tgas');
  const digest = await dialog.locator('code', { hasText: /^[\w-]{43}$/ }).textContent();
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);

  await agree(dialog, AGREE);
  await expect(wallet.page.getByTestId('transaction-id')).toBeVisible();
  expect(checkedDigest(stack.chain.calls.filter((call) => call.at >= started))).toBe(digest);
});

test(
  'a registration and a transaction each happen once when the user double-clicks',
  FRAMED,
  async ({ wallet, stack, username }) => {
    const { page } = wallet;
    const registration = await wallet.during(async () => {
      await page.getByRole('textbox', { name: 'Username' }).fill(username);
      await page.getByRole('button', { name: 'Continue' }).dblclick();
      if (isFramed(page)) await agree(confirmDialog(page), 'Create passkey', 'dblclick');
      await expect(loggedInAs(page, username)).toBeVisible();
      await expect(drawnIn(page).locator('latchkey-confirm')).toHaveCount(0);
    });
    expect(registration.prompts.map(({ kind }) => kind)).toEqual(['create']);
    expect(registration.relay.filter((path) => path === '/create_account_and_register_user')).toHaveLength(1);

    const sending = await wallet.during(async () => {
      await page.getByRole('textbox', { name: 'New greeting' }).fill(`once, ${username}`);
      await page.getByRole('button', { name: 'Set greeting' }).dblclick();
      await agree(confirmDialog(page), AGREE, 'dblclick');
      await expect(page.getByTestId('transaction-id')).toBeVisible();
      await expect(drawnIn(page).locator('latchkey-confirm')).toHaveCount(0);
    });
    expect(sending.prompts.map(({ kind }) => kind)).toEqual(['get']);
    expectCallsOf('send_tx', sending.rpc, 1);
    expect(await stack.oracle.greeting()).toContain(`once, ${username}`);
  },
);
