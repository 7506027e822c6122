// Recovers an account from its passkey alone, in a browser without its data, against services that fail or lie.
// Specification: core 1, core 3, core 5
import type { LoginState } from 'latchkey';
import { storedRecords } from './storage.js';
import { accountOf, test as base, expect, expectCalls, type Wallet } from './wallet.js';

const RECORDS = 'query:get_authenticators_by_user';
const KEY = 'query:view_access_key';

/** `wallet` has registered an account, and then lost its data. */
const test = base.extend<{ wallet: Wallet }>({
  wallet: async ({ wallet }, use) => {
    wallet.clearSiteData();
    await use(wallet);
  },
});

async function recover({ manager, accountId }: Wallet): Promise<void> {
  expect(await manager.recoverAccountFlow({ accountId })).toMatchObject({ success: true });
}

async function errorOf({ manager }: Wallet, accountId?: string): Promise<string | undefined> {
  const { success, error } = await manager.recoverAccountFlow(accountId === undefined ? {} : { accountId });
  expect(success).toBe(false);
  return error;
}

type ViewAnswer = { result?: { result?: number[] } };

/** Changes the registry's records in the answers of both nodes. The result ends that. */
function lieAbout(wallet: Wallet, change: (value: never) => unknown): () => void {
  const rewrite = (answer: ViewAnswer) => {
    const value = JSON.parse(Buffer.from(answer.result?.result ?? []).toString());
    const bytes = [...Buffer.from(JSON.stringify(change(value as never)))];
    return { ...answer, result: { ...answer.result, result: bytes } };
  };
  return wallet.fail(RECORDS, { kind: 'rewrite-answer', rewrite });
}

test('recovery without a name takes two prompts, the first only to choose the account, and two chain requests', async ({
  wallet,
}) => {
  const { manager, accountId } = wallet;
  const activity = await wallet.during(async () => {
    expect(await manager.recoverAccountFlow({})).toMatchObject({ success: true, accountId });
  });
  expect(activity.prompts).toEqual(['get', 'get']);
  expectCalls(activity.rpc, [RECORDS, KEY]);
  await wallet.greet('discovered');
});

test('a recovery cancelled at its prompt stores nothing, and the next one completes', async ({ wallet }) => {
  const { manager, accountId, authenticator } = wallet;
  authenticator.isPresent = false;
  const ending = new AbortController();
  const recovering = manager.recoverAccountFlow({ accountId, options: { signal: ending.signal } });
  await expect.poll(() => wallet.prompts).toEqual(['create', 'get']);
  ending.abort();
  expect(await recovering).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  expect(await storedRecords(wallet)).toBe(0);
  authenticator.isPresent = true;
  await recover(wallet);
  await wallet.greet('again');
});

test('recovery works with the relay down, and a later login makes the lock', async ({
  wallet,
  expectedConsole,
}) => {
  expectedConsole.push(/server lock/i);
  wallet.relay.fail('*', { kind: 'refuse' });
  await recover(wallet);
  expect(wallet.prompts).toEqual(['create', 'get']);
  await wallet.greet('no relay');

  wallet.heal();
  await wallet.logOut();
  const { manager, accountId } = wallet;
  const before = wallet.prompts.length;
  expect(await manager.loginPasskey(accountId)).toMatchObject({ success: true });
  expect(wallet.prompts.slice(before)).toEqual(['get']);
  await wallet.logOut();
  await wallet.logIn();
});

test('a recovery that a reload interrupts while it compares keys stores nothing, and the next one completes', async ({
  wallet,
}) => {
  const { manager, accountId } = wallet;
  const release = wallet.chain.hold(KEY, 1);
  const before = wallet.calls(KEY);
  void manager.recoverAccountFlow({ accountId });
  await expect.poll(() => wallet.calls(KEY)).toBeGreaterThan(before);
  wallet.reload();
  release();
  await wallet.manager.init();
  expect(await storedRecords(wallet)).toBe(0);
  const prompts = wallet.prompts.length;
  await recover(wallet);
  expect(wallet.prompts.slice(prompts)).toEqual(['get']);
  await wallet.greet('after the reload');
});

test('two accounts on one authenticator are each recovered as themselves', async ({ wallet, username }) => {
  const accounts = [wallet.accountId, accountOf(`${username}-b`)];
  await wallet.register(accountOf(`${username}-b`));
  wallet.clearSiteData();
  for (const accountId of accounts) {
    wallet.accountId = accountId;
    await recover(wallet);
    const state: LoginState = await wallet.state();
    expect(state).toMatchObject({ isLoggedIn: true, nearAccountId: accountId });
    await wallet.greet(`I am ${accountId}`);
    await wallet.logOut();
  }
});

type Pairs = [string, Record<string, unknown>][];
const withRecord = (change: Record<string, unknown>) => (pairs: Pairs) =>
  pairs.map(([id, record]) => [id, { ...record, ...change }]);
const someBytes = (length: number) => Array.from({ length }, (_, index) => index);

const LIES: readonly [lie: (pairs: Pairs) => unknown, said: string][] = [
  [
    withRecord({ near_public_key: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2' }),
    'another access key is recorded',
  ],
  [withRecord({ vrf_public_keys: [someBytes(32), someBytes(32)] }), 'other VRF keys are recorded'],
  [withRecord({ device_number: 9 }), 'it is of device 1, the record of device 9'],
  [
    (pairs) => {
      const flipped = (key: number[]) =>
        key.map((byte, index) => (index === key.length - 1 ? byte ^ 1 : byte));
      return pairs.map(([id, record]) => [
        id,
        { ...record, credential_public_key: flipped(record.credential_public_key as number[]) },
      ]);
    },
    'its signature was not made with the public key recorded',
  ],
  [() => [], 'No recoverable accounts found'],
  [
    (pairs) => pairs.map(([, record]) => ['AAAAAAAAAAAAAAAAAAAAAA', record]),
    'Could not find authenticator for credential',
  ],
];

test('nothing is stored when a node reports other keys, another device or another passkey', async ({
  wallet,
}) => {
  for (const [lie, said] of LIES) {
    const heal = lieAbout(wallet, lie);
    expect(await errorOf(wallet)).toContain(said);
    expect(await storedRecords(wallet)).toBe(0);
    heal();
  }
  await recover(wallet);
});

test("nothing is stored when a node passes another account's passkey off as this one's", async ({
  wallet,
  stack,
  username,
}) => {
  const victim = wallet.accountId;
  const own = accountOf(`${username}-b`);
  await wallet.register(own);
  wallet.clearSiteData();
  const records = await stack.oracle.authenticators(own);
  lieAbout(wallet, () => records);
  expect(await errorOf(wallet, victim)).toContain(`Selected passkey belongs to ${own}, not ${victim}`);
  expect(await storedRecords(wallet)).toBe(0);
});

test('nothing is stored when a node does not know the key', async ({ wallet }) => {
  const rewrite = ({ id }: { id: string }) => ({
    jsonrpc: '2.0',
    id,
    error: {
      name: 'HANDLER_ERROR',
      cause: { name: 'UNKNOWN_ACCESS_KEY' },
      code: -32000,
      message: '',
      data: '',
    },
  });
  wallet.fail(KEY, { kind: 'rewrite-answer', rewrite });
  expect(await errorOf(wallet, wallet.accountId)).toContain(
    `The key of this device was removed from ${wallet.accountId}`,
  );
  expect(await storedRecords(wallet)).toBe(0);
});
