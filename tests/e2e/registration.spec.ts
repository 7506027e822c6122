// Registration with something missing, refused, lost or forged.
// Specification: core 4, core 5, core 7, core 8
import {
  agree,
  askForNewPasskey,
  confirmDialog,
  forgetEverything,
  giveUp,
  loggedInAs,
  logIn,
  loginProblem,
  register,
  registerExpectingError,
  setGreeting,
  startRegistration,
  toastOf,
} from '../support/steps.js';
import { accountOf, homeOf, openWatchedWallet, type Wallet } from '../support/wallet.js';
import { expect, FRAMED, MAX_BLOCK_AGE, REQUEST_FAILED, test } from './fixtures.js';
import { storageDump } from './storage-dump.js';

const CREATE_ROUTE = '/create_account_and_register_user';
/** Eight chain look-ups, a second apart, on a slow machine. */
const LOOK_UP_MS = 60_000;

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

test.describe('an authenticator without PRF', () => {
  test.use({ prf: 'none' });

  test('is refused with a message that says what to do, and no account is created', async ({
    wallet,
    stack,
    username,
  }) => {
    const text = await registerExpectingError(wallet, username);
    expect(text).toContain(
      'Registration failed because the browser did not return the required passkey PRF results',
    );
    expect(text).toContain('desktop browser');
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
    expect(
      stack.relay.calls.filter((call) => call.name === CREATE_ROUTE && call.body.includes(username)),
    ).toEqual([]);
    await expectNothingStored(wallet, accountOf(username));
    // The passkey that was made opens nothing, and the browser has forgotten it.
    await expect.poll(() => wallet.passkey.credentialIds()).toEqual([]);
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

test('a name that is taken is refused before any prompt', async ({ wallet, stack, username, browser }) => {
  await register(wallet, username);
  const context = await browser.newContext();
  const other = await openWatchedWallet(context, stack);
  const text = await registerExpectingError(other, username);
  expect(text).toMatch(/name taken|already exists/i);
  expect(other.prompts).toEqual([]);
  await context.close();
});

test('a device that lost its records does not overwrite the passkey of its own account', async ({
  wallet,
  username,
}) => {
  await register(wallet, username);
  const passkeys = await wallet.passkey.credentialIds();
  await forgetEverything(wallet);
  expect(await registerExpectingError(wallet, username)).toContain('already exists');
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(await wallet.passkey.credentialIds()).toEqual(passkeys);
});

test(
  'with the relay down the wallet says so, stores nothing, and can register the same name later',
  FRAMED,
  async ({ wallet, stack, username, expectedConsole }) => {
    expectedConsole.push(REQUEST_FAILED, /server lock|relay/i);
    stack.relay.fail('*', { kind: 'refuse' });
    expect(await registerExpectingError(wallet, username)).toContain('The relay server could not be reached');
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
    await expectNothingStored(wallet, accountOf(username));
    // The wallet asked no relay to register the passkey that was made.
    expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
    await expect.poll(() => wallet.passkey.credentialIds()).toEqual([]);
    stack.relay.heal();
    await register(wallet, username);
    expect(await wallet.passkey.credentialIds()).toHaveLength(1);
    expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(1);
  },
);

test('an unanswered registration stays open until it can no longer succeed; then the name is free', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The wallet looks the account up for many seconds before it tells the user that the outcome is open.
  test.setTimeout(180_000);
  expectedConsole.push(REQUEST_FAILED, /relay/i);
  stack.relay.fail(CREATE_ROUTE, { kind: 'refuse' });
  const { page } = wallet;
  const open = page.getByRole('status').filter({ hasText: 'Registration not known yet' });
  await startRegistration(wallet, username);
  await expect(open).toContainText(accountOf(username), { timeout: LOOK_UP_MS });
  expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
  // The relay may still send it, so the browser keeps the passkey.
  expect(await wallet.passkey.credentialIds()).toHaveLength(1);

  // After so many blocks the registry refuses a request of that age, and the margin of 50 is over.
  await stack.oracle.fastForward(MAX_BLOCK_AGE + 51);
  await expect(
    page.getByText('was not set up with this device, and nothing was lost. You can try again.'),
  ).toBeVisible({
    timeout: LOOK_UP_MS,
  });
  await expect.poll(() => wallet.passkey.credentialIds()).toEqual([]);
  // The notice from while it was open no longer applies.
  await expect(loginProblem(page)).toBeHidden();
  stack.relay.heal();
  await register(wallet, username);
  expect(await stack.oracle.authenticators(accountOf(username))).toHaveLength(1);
});

test("the next start finds the account when the relay's answer was lost and the chain was unreachable", async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /relay/i, /RPC/i, /looked up/);
  const accountId = accountOf(username);
  stack.relay.fail(CREATE_ROUTE, { kind: 'drop-answer' });
  for (const node of stack.nodes) node.fail('query:view_access_key_list', { kind: 'refuse' });
  await startRegistration(wallet, username);
  await expect.poll(() => stack.oracle.accountExists(accountId)).toBe(true);
  await expect.poll(() => stack.chain.calls.some((call) => call.body.includes(accountId))).toBe(true);
  // Leave first: if the chain healed under the open page, its look-up could settle the entry before the next start.
  const address = wallet.page.url();
  await wallet.page.goto('about:blank');
  for (const proxy of stack.proxies) proxy.heal();

  const said = toastOf(wallet.page, `${accountId} is registered. You can log in.`);
  await wallet.page.goto(address);
  await said;
  await logIn(wallet, username);
  expect(wallet.prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
  expect(await wallet.passkey.credentialIds()).toHaveLength(1);
  await setGreeting(wallet, `found again, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`found again, ${username}`);
});

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

for (const [what, rewrite] of [
  [
    'another NEAR key',
    (body: Record<string, unknown>) => ({
      ...body,
      new_public_key: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
    }),
  ],
  [
    'another VRF key',
    (body: Record<string, unknown>) => ({
      ...body,
      deterministic_vrf_public_key: Array.from({ length: 32 }, (_, index) => index),
    }),
  ],
] as const) {
  test(`a relay that substitutes ${what} is reported and nothing is stored [S48] [S84]`, async ({
    wallet,
    stack,
    username,
  }) => {
    stack.relay.fail(CREATE_ROUTE, { kind: 'rewrite-request', rewrite });
    const text = await registerExpectingError(wallet, username);
    expect(text).toContain('was created with other keys than the ones made on this device');
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);
    await expectNothingStored(wallet, accountOf(username));
    await wallet.page.reload();
    await expectNothingStored(wallet, accountOf(username));
  });
}

test('a chain whose first address is dead is reached at the next one', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /RPC/i);
  stack.chain.fail('*', { kind: 'refuse' });
  await register(wallet, username);
  await setGreeting(wallet, `second address, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`second address, ${username}`);
  expect(stack.spareChain.calls.some((call) => call.name === 'send_tx')).toBe(true);
});
