// Login after the lock key, the passkey or the chain has changed, and with a name that this device does not know.
// Specification: core 6, core 7
import {
  giveUp,
  hintOf,
  logIn,
  logInExpectingError,
  loginProblem,
  logOut,
  register,
  setGreetingExpectingError,
  startLogin,
  userMenu,
} from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, REQUEST_FAILED, test } from './fixtures.js';

test('a silent login after the relay changed its lock key wraps the key again, and the next one uses the new lock key', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  await logOut(wallet);
  await stack.rotateLockKey();
  const first = await wallet.during(() => logIn(wallet, username));
  expect(first.prompts).toEqual([]);
  expect(first.relay.toSorted()).toEqual([
    '/shamir/key-info',
    '/vrf/apply-server-lock',
    '/vrf/remove-server-lock',
  ]);
  await logOut(wallet);
  const second = await wallet.during(() => logIn(wallet, username));
  expect(second.prompts).toEqual([]);
  expect(second.relay.toSorted()).toEqual(['/shamir/key-info', '/vrf/remove-server-lock']);
});

test('a login whose prompt is refused stays logged out and says so', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /server lock/i);
  await register(wallet, username);
  await logOut(wallet);
  stack.relay.fail('*', { kind: 'refuse' });
  await wallet.passkey.refuse();
  await startLogin(wallet, username);
  await expect(
    loginProblem(wallet.page).or(wallet.page.getByRole('button', { name: 'Try again' })),
  ).toBeVisible();
  if (!(await loginProblem(wallet.page).isVisible())) await giveUp(wallet);
  await expect(loginProblem(wallet.page)).toContainText(
    "Login was cancelled. Please try again when you're ready to authenticate.",
  );
  await expect(wallet.page.getByText('It may have been deleted here.')).toBeVisible();
  await expect(userMenu(wallet.page)).toBeHidden();
});

test('a name unknown to this device shows a hint, without a prompt', async ({ wallet, username }) => {
  await wallet.page.getByRole('radio', { name: 'Login' }).check();
  const said = hintOf(wallet.page, 'Account not found');
  await wallet.page.getByRole('textbox', { name: 'Username' }).fill(username);
  await said;
  await expect(wallet.page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  expect(wallet.prompts).toEqual([]);
});

test('an account that a reset chain no longer has is explained in one sentence', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/does not exist/);
  const sentence =
    `Account ${accountOf(username)} does not exist on this chain (it may have been reset). ` +
    'Please register a new account.';
  await register(wallet, username);
  // It must not read from the chain that is gone.
  await expect(wallet.page.getByTestId('greeting')).not.toHaveText('Reading…');
  await stack.resetChain();
  expect(await setGreetingExpectingError(wallet, 'to nobody')).toContain(sentence);
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);

  await wallet.page.reload();
  expect(await logInExpectingError(wallet, username)).toContain(
    'This account doesn’t exist on this network; a test network may have been reset.',
  );
});
