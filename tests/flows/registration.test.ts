// Registration with something missing, lost or forged.
// Specification: core 4, core 5, core 7, core 8
import { CHAIN } from '../faults/stack.js';
import { withinPassing } from '../faults/steps.js';
import { storageText } from './storage.js';
import { accountOf, expect, test } from './wallet.js';

const CREATE_ROUTE = '/create_account_and_register_user';
const KEYS = 'query:view_access_key_list';
/** Longer than the chain look-ups, a second apart, after which a registration counts as open. */
const LOOK_UP_MS = 60_000;

test('a name that is taken is refused before any prompt', async ({ wallet, open }) => {
  const other = await open();
  const { success, error } = await other.manager.registerPasskey(wallet.accountId);
  expect(success).toBe(false);
  expect(error).toMatch(/name taken|already exists/i);
  expect(other.prompts).toEqual([]);
});

test('a device that lost its records does not overwrite the passkey of its own account', async ({
  wallet,
}) => {
  const { passkeys } = wallet;
  wallet.clearSiteData();
  const { error } = await wallet.manager.registerPasskey(wallet.accountId);
  expect(error).toContain('already exists');
  expect(wallet.prompts).toEqual(['create']);
  expect(wallet.passkeys).toEqual(passkeys);
});

test('with the relay down the wallet says so, stores nothing, and can register the same name later', async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/server lock|relay/i);
  const wallet = await open();
  const accountId = accountOf(username);
  wallet.relay.fail('*', { kind: 'refuse' });
  const { error } = await wallet.manager.registerPasskey(accountId);
  expect(error).toContain('The relay server could not be reached');
  expect(await stack.oracle.accountExists(accountId)).toBe(false);
  expect(await storageText(wallet)).not.toContain(accountId);
  // The wallet asked no relay to register the passkey that was made.
  expect(wallet.prompts).toEqual(['create']);
  await expect.poll(() => wallet.passkeys).toEqual([]);
  wallet.heal();
  await wallet.register(accountId);
  expect(wallet.passkeys).toHaveLength(1);
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
});

test('an unanswered registration stays open until it can no longer succeed; then the name is free', async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/relay/i);
  const wallet = await open();
  const { clock, manager } = wallet;
  const accountId = accountOf(username);
  wallet.relay.fail(CREATE_ROUTE, { kind: 'refuse' });
  let result: Awaited<ReturnType<typeof manager.registerPasskey>> | undefined;
  void manager.registerPasskey(accountId).then((ended) => {
    result = ended;
  });
  await withinPassing(clock, LOOK_UP_MS, async () => result !== undefined);
  expect(result).toMatchObject({ success: false, pending: true });
  expect(await manager.resume()).toMatchObject({ pending: [accountId] });
  expect(await stack.oracle.accountExists(accountId)).toBe(false);
  // The relay may still send it, so the browser keeps the passkey.
  expect(wallet.passkeys).toHaveLength(1);

  // After so many blocks the registry refuses a request of that age, and the margin of 50 is over.
  await stack.oracle.fastForward(CHAIN.maxBlockAge + 51);
  await expect.poll(() => manager.resume()).toMatchObject({ pending: [] });
  await expect.poll(() => wallet.passkeys).toEqual([]);
  wallet.heal();
  await wallet.register(accountId);
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
});

test("the next start finds the account when the relay's answer was lost and the chain was unreachable", async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/relay/i, /RPC/i, /looked up/);
  const wallet = await open();
  const accountId = accountOf(username);
  wallet.relay.fail(CREATE_ROUTE, { kind: 'drop-answer' });
  wallet.fail(KEYS, { kind: 'refuse' });
  void wallet.manager.registerPasskey(accountId);
  await expect.poll(() => stack.oracle.accountExists(accountId)).toBe(true);
  await expect.poll(() => wallet.calls(KEYS)).toBeGreaterThan(0);
  // Leave first: if the chain healed under the open page, its look-up could settle the entry before the next start.
  wallet.leave();
  wallet.heal();
  wallet.reload();

  expect(await wallet.manager.init()).toMatchObject({ committed: [accountId] });
  await wallet.manager.loginPasskey(accountId);
  expect(wallet.prompts.filter((kind) => kind === 'create')).toHaveLength(1);
  expect(wallet.passkeys).toHaveLength(1);
  await wallet.greet('found again', accountId);
  expect(await stack.oracle.greeting()).toBe('found again');
});

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
    open,
    stack,
    username,
  }) => {
    const wallet = await open();
    const accountId = accountOf(username);
    wallet.relay.fail(CREATE_ROUTE, { kind: 'rewrite-request', rewrite });
    const { success, error } = await wallet.manager.registerPasskey(accountId);
    expect(success).toBe(false);
    expect(error).toContain('was created with other keys than the ones made on this device');
    expect(await stack.oracle.accountExists(accountId)).toBe(true);
    expect(await storageText(wallet)).not.toContain(accountId);
    wallet.reload();
    await wallet.manager.init();
    expect(await storageText(wallet)).not.toContain(accountId);
  });
}

test('a chain whose first address is dead is reached at the next one', async ({
  open,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/RPC/i);
  const wallet = await open();
  wallet.chain.fail('*', { kind: 'refuse' });
  await wallet.register(accountOf(username));
  await wallet.greet('second address');
  expect(await stack.oracle.greeting()).toBe('second address');
  expect(wallet.nodes[1].calls.some((call) => call.name === 'send_tx')).toBe(true);
});
