// What a person sees before signing, and what happens when signing or sending fails.
import type { Call } from '../../demo/stack/fault-proxy.js';
import { secretKeyText } from '../../demo/stack/keys.js';
import { derivedSecrets } from '../../demo/stack/secrets.js';
import {
  agree,
  cancel,
  confirmDialog,
  giveUp,
  register,
  setGreeting,
  setGreetingExpectingError,
  startGreeting,
} from '../../demo/stack/steps.js';
import { accountOf, drawnIn, isFramed } from '../../demo/stack/wallet.js';
import { expect, FRAMED, MAX_BLOCK_AGE, REQUEST_FAILED, test } from './fixtures.js';

/** The intent digest that the registry was asked to check, base64url. */
function checkedDigest(calls: Call[]): string {
  const { body } = calls.find((call) => call.name === 'query:verify_authentication_response')!;
  const { params } = JSON.parse(body) as { params: { args_base64: string } };
  const { vrf_data } = JSON.parse(Buffer.from(params.args_base64, 'base64').toString()) as {
    vrf_data: { intent_digest_32: number[] | string };
  };
  const digest = vrf_data.intent_digest_32;
  return typeof digest === 'string' ? digest : Buffer.from(digest).toString('base64url');
}

test(
  'the confirmation shows receiver, method, arguments, gas and deposit, and the very digest that the registry checks',
  FRAMED,
  async ({ wallet, stack, username }) => {
    await register(wallet, username);
    const started = Date.now();
    await startGreeting(wallet, 'read me first');
    const dialog = confirmDialog(wallet.page);
    await expect(dialog).toHaveAccessibleName('Confirm transaction');
    await expect(dialog).toContainText(accountOf(username));
    await expect(dialog).toContainText('w3a-v1.testnet');
    await expect(dialog).toContainText('set_greeting');
    await expect(dialog.getByRole('region', { name: 'Arguments' })).toContainText('read me first');
    await expect(dialog).toContainText('30 Tgas');
    const digest = await dialog.locator('code', { hasText: /^[\w-]{43}$/ }).textContent();
    expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);

    await agree(dialog, 'Confirm');
    await expect(wallet.page.getByTestId('transaction-id')).toBeVisible();
    expect(checkedDigest(stack.chain.calls.filter((call) => call.at >= started))).toBe(digest);
  },
);

test(
  'a prompt refused at signing sends nothing and offers another try',
  FRAMED,
  async ({ wallet, stack, username }) => {
    await register(wallet, username);
    const before = await stack.oracle.greeting();
    await wallet.passkey.refuse();
    const activity = await wallet.during(async () => {
      await startGreeting(wallet, 'never said');
      await agree(confirmDialog(wallet.page), 'Confirm');
      await giveUp(wallet);
    });
    expect(activity.prompts).toHaveLength(1);
    expect(activity.rpc).not.toContain('send_tx');
    expect(await stack.oracle.greeting()).toBe(before);
  },
);

test(
  'cancelling the confirmation asks for no passkey and sends nothing',
  FRAMED,
  async ({ wallet, stack, username }) => {
    await register(wallet, username);
    const before = await stack.oracle.greeting();
    const activity = await wallet.during(async () => {
      await startGreeting(wallet, 'never said');
      await cancel(wallet);
    });
    expect(activity.prompts).toEqual([]);
    expect(activity.rpc).not.toContain('send_tx');
    expect(await stack.oracle.greeting()).toBe(before);
  },
);

test('a greeting too long for the registry is said before anything is signed', async ({
  wallet,
  username,
}) => {
  await register(wallet, username);
  await wallet.page.getByRole('textbox', { name: 'New greeting' }).fill('😀'.repeat(80));
  await expect(wallet.page.getByText(/Too long for the registry by \d+ bytes/)).toBeVisible();
});

test('an assertion that the registry finds too old is refused, and nothing is sent', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  await stack.oracle.setMaxBlockAge(3);
  try {
    stack.chain.fail('query:verify_authentication_response', { kind: 'delay', ms: 1_500 });
    stack.spareChain.fail('query:verify_authentication_response', { kind: 'delay', ms: 1_500 });
    const activity = await wallet.during(async () => {
      const text = await setGreetingExpectingError(wallet, 'too late');
      expect(text).toContain('The registry did not accept this passkey assertion. Nothing was sent.');
    });
    expect(activity.rpc).not.toContain('send_tx');
  } finally {
    await stack.oracle.setMaxBlockAge(MAX_BLOCK_AGE);
  }
});

test('a chain that answers 500 to send_tx is asked again, and the greeting is set once', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /RPC/i);
  await register(wallet, username);
  stack.chain.fail('send_tx', { kind: 'status', status: 500 });
  await setGreeting(wallet, `asked again, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`asked again, ${username}`);
});

test('double clicks do everything once', FRAMED, async ({ wallet, stack, username }) => {
  const { page } = wallet;
  const registration = await wallet.during(async () => {
    await page.getByRole('textbox', { name: 'Username' }).fill(username);
    await page.getByRole('button', { name: 'Continue' }).dblclick();
    if (isFramed(page)) await agree(confirmDialog(page), 'Create passkey', 'dblclick');
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
    await expect(drawnIn(page).locator('latchkey-confirm')).toHaveCount(0);
  });
  expect(registration.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(registration.relay.filter((path) => path === '/create_account_and_register_user')).toHaveLength(1);

  const sending = await wallet.during(async () => {
    await page.getByRole('textbox', { name: 'New greeting' }).fill(`once, ${username}`);
    await page.getByRole('button', { name: 'Set greeting' }).dblclick();
    await agree(confirmDialog(page), 'Confirm', 'dblclick');
    await expect(page.getByTestId('transaction-id')).toBeVisible();
    await expect(drawnIn(page).locator('latchkey-confirm')).toHaveCount(0);
  });
  expect(sending.prompts.map(({ kind }) => kind)).toEqual(['get']);
  expect(sending.rpc.filter((name) => name === 'send_tx')).toHaveLength(1);
  expect(await stack.oracle.greeting()).toContain(`once, ${username}`);
});

test('a nonce that another device took is signed anew inside the same approval', async ({
  wallet,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  await register(wallet, username);
  const release = stack.chain.hold('send_tx');
  const before = stack.chain.calls.length;
  const activity = await wallet.during(async () => {
    const setting = setGreeting(wallet, `second, ${username}`);
    await expect
      .poll(() => stack.chain.calls.slice(before).some(({ name }) => name === 'send_tx'))
      .toBe(true);
    const seed = derivedSecrets(accountId, wallet.prfOutputs[0]!)['NEAR seed']!;
    await stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'first' }, secretKeyText(seed));
    release();
    await setting;
  });
  expect(activity.prompts).toHaveLength(1);
  expect(activity.rpc.filter((name) => name === 'send_tx')).toHaveLength(2);
  expect(await stack.oracle.greeting()).toContain(`second, ${username}`);
});
