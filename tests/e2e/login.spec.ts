// Login after the lock key, the passkey or the chain has changed.
// Specification: core 6, core 7
import {
  giveUp,
  hintOf,
  logIn,
  logInExpectingError,
  loginProblem,
  logOut,
  register,
  setGreeting,
  setGreetingExpectingError,
  signMessage,
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
  await expect(wallet.page.getByText('it may have been deleted there')).toBeVisible();
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
  expect(await logInExpectingError(wallet, username)).toContain(sentence);
});

test('a reload closes the session, and a silent login opens it again', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  await wallet.page.reload();
  const login = await wallet.during(() => logIn(wallet, username));
  expect(login.prompts).toEqual([]);
  await setGreeting(wallet, `after the reload, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`after the reload, ${username}`);
});

test('two accounts on one device stay separate', async ({ wallet, stack, username }) => {
  const names = [`${username}-a`, `${username}-b`];
  for (const name of names) {
    await register(wallet, name);
    await logOut(wallet);
  }
  for (const name of names) {
    await logIn(wallet, name);
    const signed = await signMessage(wallet, `I am ${name}`);
    expect(signed.accountId).toBe(accountOf(name));
    await stack.oracle.verifyMessage(signed);
    await logOut(wallet);
  }
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create', 'create', 'get', 'get']);
  expect(await wallet.passkey.credentialIds()).toHaveLength(2);
  const keys = await Promise.all(names.map((name) => stack.oracle.fullAccessKeys(accountOf(name))));
  expect(new Set(keys.flat()).size).toBe(2);
});

test('a wrong number from the relay opens no session: the passkey does', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/lock/i);
  await register(wallet, username);
  await logOut(wallet);
  const rewrite = (answer: object) => ({
    ...answer,
    kek_c_b64u: Buffer.alloc(255, 7).toString('base64url'),
  });
  stack.relay.fail('/vrf/remove-server-lock', { kind: 'rewrite-answer', rewrite });
  const login = await wallet.during(() => logIn(wallet, username));
  expect(login.prompts.map(({ kind }) => kind)).toEqual(['get']);
  await setGreeting(wallet, `by passkey, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`by passkey, ${username}`);
});
