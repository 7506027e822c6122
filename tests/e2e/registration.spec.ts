// Registration with a prompt that is refused, a passkey that needs a second one, and a page that is left.
// Specification: core 4, core 5, core 7, core 8
import {
  agree,
  askForNewPasskey,
  confirmDialog,
  giveUp,
  loggedInAs,
  logIn,
  loginProblem,
  register,
  setGreeting,
  toastOf,
} from '../support/steps.js';
import { accountOf, homeOf, type Wallet } from '../support/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';
import { storageDump } from './storage-dump.js';

const CREATE_ROUTE = '/create_account_and_register_user';

/** Expects no record and no login of this account on the device. */
async function expectNothingStored(wallet: Wallet, accountId: string): Promise<void> {
  const home = await homeOf(wallet.page);
  expect(await storageDump(home)).not.toContain(accountId);
}

test.describe('an authenticator that gives PRF outputs only at get', () => {
  test.use({ prf: 'at-get' });

  test('is asked twice at registration and once afterwards', async ({ wallet, stack, username }) => {
    const registration = await wallet.during(() => register(wallet, username));
    expect(registration.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
    expect(registration.prompts.every((prompt) => prompt.userVerification === 'required')).toBe(true);
    const sending = await wallet.during(() => setGreeting(wallet, `two steps, ${username}`));
    expect(sending.prompts.map(({ kind }) => kind)).toEqual(['get']);
    expect(await stack.oracle.greeting()).toContain(`two steps, ${username}`);
  });
});

test('a prompt that the user refuses is not repeated automatically, and giving up leaves nothing behind', async ({
  wallet,
  stack,
  username,
}) => {
  await wallet.passkey.refuse();
  await askForNewPasskey(wallet, username);
  await giveUp(wallet);
  await expect(loginProblem(wallet.page)).toContainText(
    "Registration was cancelled. Please try again when you're ready to set up your passkey.",
  );
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
  await expectNothingStored(wallet, accountOf(username));

  await wallet.passkey.renew();
  await register(wallet, username);
  expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);
});

test(
  'Try again after a refused prompt asks once more and continues',
  FRAMED,
  async ({ wallet, stack, username }) => {
    await wallet.passkey.refuse();
    await askForNewPasskey(wallet, username);
    await confirmDialog(wallet.page).getByRole('button', { name: 'Try again' }).waitFor();
    await wallet.passkey.renew();
    await agree(confirmDialog(wallet.page), 'Try again');
    await expect(loggedInAs(wallet.page, username)).toBeVisible();
    expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create', 'create']);
    expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(1);
  },
);

test(
  'after a reload during a registration, the wallet finds the account that the relay still creates',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED);
    const accountId = accountOf(username);
    const release = stack.relay.hold(CREATE_ROUTE);
    await askForNewPasskey(wallet, username);
    await expect
      .poll(() =>
        stack.relay.calls.some((call) => call.name === CREATE_ROUTE && call.body.includes(accountId)),
      )
      .toBe(true);
    await wallet.page.reload();
    await expect(wallet.page.getByText('Registration not known yet')).toBeVisible();
    expect(await stack.oracle.accountExists(accountId)).toBe(false);
    const said = toastOf(wallet.page, `${accountId} is registered. You can log in.`);
    release();

    await said;
    await logIn(wallet, username);
    expect(wallet.prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
    await setGreeting(wallet, `reloaded, ${username}`);
    expect(await stack.oracle.greeting()).toContain(`reloaded, ${username}`);
  },
);
