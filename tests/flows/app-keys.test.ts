// App keys of one contract, which sign without a prompt, and actions that a relay pays for.
import type { ActionResult, AppKeyResult, AppKeyToMake } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { fund } from '../faults/steps.js';
import { APP } from '../support/oracle.js';
import { NODES_LAG } from '../support/providers.js';
import { test as base, expect, greetingOf, type Wallet } from './wallet.js';

interface AppKeys {
  make(toMake?: Partial<AppKeyToMake>): Promise<AppKeyResult>;
  call(methodName: string, greeting: string, receiverId?: string): Promise<ActionResult>;
  revoke(publicKey: string): Promise<ActionResult>;
  list(): ReturnType<Wallet['manager']['getAppKeys']>;
}

const options = { waitUntil: 'FINAL' } as const;
/** 0.1 NEAR. */
const PREPAID = 10n ** 23n;

/** The nonce of each lane of a gas key. */
async function lanesOf(
  { chainUrl }: Wallet['stack'],
  accountId: string,
  publicKey: string,
): Promise<readonly number[]> {
  const params = {
    request_type: 'view_gas_key_nonces',
    account_id: accountId,
    public_key: publicKey,
    finality: 'final',
  };
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'query', params }),
  });
  return ((await response.json()) as { result: { nonces: number[] } }).result.nonces;
}

/** Calls until one fails, and returns that one. */
async function useUp(keys: AppKeys): Promise<ActionResult | undefined> {
  const outcomes: ActionResult[] = [];
  do outcomes.push(await keys.call('set_greeting', `round ${outcomes.length}`));
  while (outcomes.at(-1)?.success && outcomes.length < 12);
  expect(outcomes[0]).toMatchObject({ success: true });
  return outcomes.at(-1);
}

const test = base.extend<{ keys: AppKeys }>({
  keys: async ({ wallet, stack }, use) => {
    const { accountId: nearAccountId } = wallet;
    await stack.oracle.deployApp();
    await use({
      make: (toMake) =>
        wallet.manager.addAppKey({
          nearAccountId,
          receiverId: APP,
          methodNames: ['set_greeting'],
          options,
          ...toMake,
        }),
      call: (methodName, greeting, receiverId = APP) =>
        wallet.manager.callWithAppKey({ nearAccountId, receiverId, methodName, args: { greeting }, options }),
      revoke: (publicKey) => wallet.manager.revokeAppKey({ nearAccountId, publicKey, options }),
      list: () => wallet.manager.getAppKeys(nearAccountId),
    });
  },
});

test('a key is created with one prompt, signs calls without one, survives a reload, and is refused once revoked', async ({
  wallet,
  keys,
  stack,
}) => {
  const made = await keys.make({ allowance: '90000000000000000000000' });
  expect(made).toMatchObject({ success: true, publicKey: expect.stringMatching(/^ed25519:/) });
  const publicKey = made.publicKey ?? '';
  expect(wallet.prompts).toEqual(['create', 'get']);
  expect(wallet.shown).toHaveLength(2);

  expect(await keys.call('set_greeting', 'by an app key')).toMatchObject({
    success: true,
    fate: 'executed',
  });
  const { rpc } = await wallet.during(async () => {
    expect(await keys.call('set_greeting', 'within a minute')).toMatchObject({ success: true });
  });
  // No dialog shows the balance.
  expect(rpc).not.toContain('query:view_account');
  wallet.reload();
  await wallet.logIn();
  expect(await keys.call('set_greeting', 'and again')).toMatchObject({ success: true });
  expect(wallet.prompts).toHaveLength(2);
  expect(wallet.shown).toHaveLength(2);
  expect(await stack.oracle.greeting(APP)).toBe('and again');
  expect(await keys.list()).toMatchObject([
    { publicKey, receiverId: APP, methodNames: ['set_greeting'], isHere: true, isOnChain: true },
  ]);

  expect(await keys.revoke(publicKey)).toMatchObject({ success: true });
  expect(wallet.prompts).toEqual(['create', 'get', 'get']);
  expect(await keys.list()).toEqual([]);
  const sent = wallet.sent.length;
  expect(await keys.call('set_greeting', 'revoked')).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_MISSING',
  });
  expect(wallet.sent).toHaveLength(sent);
});

test('a call of another method or contract is refused before anything is sent', async ({ wallet, keys }) => {
  await keys.make();
  const sent = wallet.sent.length;
  expect(await keys.call('add_admin', 'x')).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_NOT_FOR_THIS',
    error: expect.stringContaining('It permits app.testnet: set_greeting'),
    transactionId: null,
  });
  expect(await keys.call('set_greeting', 'x', 'relayer.testnet')).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_MISSING',
  });
  expect(await keys.call('', 'x')).toMatchObject({ success: false, errorCode: 'INVALID_ACTION' });
  expect(wallet.sent).toHaveLength(sent);
});

test('the chain refuses a call outside the permission of an app key, even when another program signs it [S76]', async ({
  wallet,
  keys,
  stack,
}) => {
  const { accountId } = wallet;
  const key = developmentKey('relayer.testnet');
  const publicKey = KeyPair.fromString(key).getPublicKey().toString();
  const permission = { FunctionCall: { allowance: null, receiverId: 'relayer.testnet', methodNames: [] } };
  expect(
    await wallet.execute(accountId, { type: 'AddKey', publicKey, accessKey: { permission } }),
  ).toMatchObject({ success: true });
  await expect(stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'no' }, key)).rejects.toThrow(
    /ReceiverMismatch|receiver/i,
  );
  expect(await keys.list()).toMatchObject([{ publicKey, isHere: false, isOnChain: true, allowance: null }]);
});

test('a call that exceeds the allowance is refused with an error that names the key', async ({ keys }) => {
  // Gas is bought at ten times its price: this covers one call, and the burnt gas is deducted.
  const { publicKey } = await keys.make({ allowance: '31600000000000000000000' });
  expect(await useUp(keys)).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_ALLOWANCE',
    // A node that lags still has the allowance that is spent, and accepts the call, so its fate is unknown.
    fate: NODES_LAG ? expect.stringMatching(/^(refused|unknown)$/) : 'refused',
    error: `The allowance of the app key ${publicKey} does not cover this call. Revoke it and make a new one.`,
  });
  const [key] = await keys.list();
  expect(BigInt(key?.allowance ?? 0)).toBeLessThan(31_600_000_000_000_000_000_000n);
});

test('a prepaid key pays for its calls itself, and gives back what is left when it is revoked', async ({
  wallet,
  keys,
  stack,
}) => {
  const { accountId } = wallet;
  const { publicKey } = await keys.make({ prepaid: '0.1', lanes: 4 });
  expect(wallet.prompts).toEqual(['create', 'get']);
  expect(wallet.shown.at(-1)).toMatchObject({
    transactions: [
      {
        receiverId: accountId,
        actions: [
          { type: 'AddKey', accessKey: { permission: { GasKeyFunctionCall: { numNonces: 4 } } } },
          { type: 'TransferToGasKey', publicKey, deposit: String(PREPAID) },
        ],
      },
    ],
  });
  expect(await keys.list()).toMatchObject([
    { publicKey, lanes: 4, allowance: String(PREPAID), isHere: true },
  ]);

  const before = await stack.oracle.balance(accountId);
  expect(await keys.call('set_greeting', 'paid in advance')).toMatchObject({ success: true });
  expect(await keys.call('set_greeting', 'and again')).toMatchObject({ success: true });
  expect(wallet.prompts).toHaveLength(2);
  expect(await stack.oracle.greeting(APP)).toBe('and again');
  expect(await stack.oracle.balance(accountId)).toBe(before);
  const [listed] = await keys.list();
  const left = BigInt(listed?.allowance ?? 0);
  expect(left).toBeGreaterThan(PREPAID / 2n);
  expect(left).toBeLessThan(PREPAID);

  expect(await keys.revoke(publicKey ?? '')).toMatchObject({ success: true });
  expect(wallet.shown.at(-1)).toMatchObject({
    transactions: [
      { actions: [{ type: 'WithdrawFromGasKey', publicKey, amount: String(left) }, { type: 'DeleteKey' }] },
    ],
  });
  expect(await keys.list()).toEqual([]);
  expect(await stack.oracle.balance(accountId)).toBeGreaterThan(before + left / 2n);
});

test('a call that exceeds what is left on a prepaid key names the key and the ways on', async ({ keys }) => {
  // Gas is bought at ten times its price: this covers one call at a time.
  const { publicKey } = await keys.make({ prepaid: '0.0316', lanes: 1 });
  expect(await useUp(keys)).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_OUT_OF_GAS',
    fate: NODES_LAG ? expect.stringMatching(/^(refused|unknown)$/) : 'refused',
    error: expect.stringContaining(`What is left on the app key ${publicKey} does not cover this call.`),
  });
});

test('what the chain would refuse of a prepaid key is named before the confirmation', async ({
  wallet,
  keys,
}) => {
  for (const [made, problem] of [
    [{ lanes: 4 }, 'need what it gets in advance'],
    [{ prepaid: '0.1', allowance: '1' }, 'not both'],
    [{ prepaid: '0' }, 'must be above 0'],
    [{ prepaid: 'much' }, 'must be above 0'],
    [{ prepaid: '0.1', lanes: 0 }, 'from 1 to 1024'],
    [{ prepaid: '0.1', lanes: 1_025 }, 'from 1 to 1024'],
  ] as const) {
    const error = expect.stringContaining(problem);
    expect(await keys.make(made)).toMatchObject({ errorCode: 'INVALID_ACTION', error });
  }
  expect(wallet.prompts).toEqual(['create']);
});

test('a prepaid key with an end gives back what is left with the payment that removes it', async ({
  wallet,
  keys,
}) => {
  await fund(wallet);
  const expiresAt = wallet.clock.now() + 3_600_000;
  const { publicKey } = await keys.make({ prepaid: '0.1', lanes: 1, expiresAt });
  wallet.leave();
  wallet.clock.pass(7_200_000);
  wallet.reload();
  await wallet.logIn();
  await wallet.greet('a payment');
  expect(wallet.shown.at(-1)).toMatchObject({
    transactions: [
      {},
      {
        actions: [{ type: 'WithdrawFromGasKey', publicKey, amount: String(PREPAID) }, { type: 'DeleteKey' }],
      },
    ],
  });
  await expect.poll(keys.list).toEqual([]);
});

test('two tabs make 100 calls with one prepaid key, in lanes of their own, and lose none', async ({
  wallet,
  keys,
  stack,
}) => {
  const { accountId: nearAccountId } = wallet;
  await fund(wallet);
  const { publicKey } = await keys.make({ prepaid: '0.9', lanes: 2 });
  const tab = wallet.openTab();
  expect(await tab.manager.loginPasskey(nearAccountId)).toMatchObject({ success: true });
  // Each node loses some answers: the wallet looks up what became of those calls.
  for (const node of wallet.nodes) node.fail('send_tx', { kind: 'drop-answer' }, 3, { skip: 20 });
  const calling = async (manager: Wallet['manager'], name: string): Promise<readonly ActionResult[]> => {
    const results: ActionResult[] = [];
    for (let round = 0; round < 10; round += 1) {
      const sent = Array.from({ length: 5 }, (_, at) =>
        manager.callWithAppKey({
          nearAccountId,
          receiverId: APP,
          methodName: 'set_greeting',
          args: { greeting: `${name} ${round} ${at}` },
          gas: '5000000000000',
        }),
      );
      results.push(...(await Promise.all(sent)));
    }
    return results;
  };
  const nonces = () => lanesOf(stack, nearAccountId, publicKey ?? '');
  const before = await nonces();
  const results = await Promise.all([calling(wallet.manager, 'one'), calling(tab.manager, 'two')]);
  const all = results.flat();
  expect(all.map(({ fate, error }) => error ?? fate)).toEqual(Array(100).fill('executed'));
  expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(100);
  const used = async () => (await nonces()).map((nonce, lane) => nonce - (before[lane] ?? 0) >= 50);
  await expect.poll(used).toEqual([true, true]);
});

test('a cancelled confirmation, a refused prompt and a full-access key leave nothing behind', async ({
  wallet,
  keys,
  stack,
}) => {
  wallet.decision = 'cancel';
  expect(await keys.make()).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  expect(await keys.list()).toEqual([]);
  const [own = ''] = await stack.oracle.fullAccessKeys(wallet.accountId);
  expect(await keys.revoke(own)).toMatchObject({ success: false, errorCode: 'APP_KEY_UNKNOWN' });
  expect(await keys.make({ receiverId: 'Not a contract' })).toMatchObject({ errorCode: 'INVALID_ACTION' });
  expect(await keys.make({ allowance: '0' })).toMatchObject({ errorCode: 'INVALID_ACTION' });
  expect(await keys.make({ methodNames: [''] })).toMatchObject({ errorCode: 'INVALID_ACTION' });
  expect(await keys.make({ receiverId: REGISTRY })).toMatchObject({
    errorCode: 'INVALID_ACTION',
    error: expect.stringContaining('An app key may not be for the registry'),
  });
});

test('a key revoked elsewhere is reported, and this device forgets it without a prompt', async ({
  wallet,
  keys,
}) => {
  const made = await keys.make();
  const publicKey = made.publicKey ?? '';
  await wallet.execute(wallet.accountId, { type: 'DeleteKey', publicKey });
  expect(await keys.call('set_greeting', 'x')).toMatchObject({ success: false, errorCode: 'APP_KEY_GONE' });
  expect(await keys.list()).toMatchObject([{ publicKey, receiverId: APP, isHere: true, isOnChain: false }]);
  const prompts = wallet.prompts.length;
  expect(await keys.revoke(publicKey)).toMatchObject({ success: true, transactionId: null });
  expect(wallet.prompts).toHaveLength(prompts);
  expect(await keys.list()).toEqual([]);
});

test('the relay pays for a delegate action: the signer’s balance does not change by a single yocto', async ({
  wallet,
  stack,
}) => {
  const { manager, accountId: nearAccountId } = wallet;
  const delegate = (greeting: string) =>
    manager.executeDelegateAction({ nearAccountId, receiverId: REGISTRY, actions: greetingOf(greeting) });
  const before = await stack.oracle.balance(nearAccountId);
  let result: unknown;
  const activity = await wallet.during(async () => {
    result = await delegate('paid by the relay');
  });
  expect(result).toMatchObject({
    success: true,
    fate: 'executed',
    transactionId: expect.stringMatching(/^\w{40,}$/),
  });
  expect(activity.prompts).toEqual(['get']);
  expect(activity.relay).toEqual(['/signed-delegate']);
  expect(activity.rpc).not.toContain('send_tx');
  expect(await stack.oracle.greeting()).toBe('paid by the relay');
  expect(await stack.oracle.balance(nearAccountId)).toBe(before);
  expect(wallet.shown.at(-1)).toMatchObject({
    kind: 'transactions',
    delegate: { relay: new URL(wallet.relay.url).host, validForBlocks: 600 },
  });

  // The next delegate and the next transaction succeed too: their nonces are in sequence.
  expect(await delegate('and once more')).toMatchObject({ success: true });
  await wallet.greet('now at my own cost');
});

test('a relay accepts a delegate action that the wallet returned to the page, and only once', async ({
  wallet,
  stack,
}) => {
  const signed = await wallet.manager.signDelegateAction({
    nearAccountId: wallet.accountId,
    receiverId: REGISTRY,
    actions: greetingOf('handed over'),
    options: { validForBlocks: 1000 },
  });
  expect(signed).toMatchObject({ success: true, maxBlockHeight: expect.stringMatching(/^\d+$/) });
  const left = Number(signed.maxBlockHeight) - (await stack.oracle.height());
  expect(left).toBeGreaterThan(700);
  expect(left).toBeLessThanOrEqual(1000);
  expect(wallet.shown.at(-1)).toMatchObject({ delegate: { relay: null, validForBlocks: 1000 } });
  const { hash, signedDelegate } = signed;
  const post = () =>
    fetch(`${stack.relay.url}/signed-delegate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hash, signedDelegate }),
    }).then((response) => response.json());
  const first = await post();
  expect(first).toMatchObject({ success: true });
  expect(await post()).toEqual(first);
  expect(await stack.oracle.greeting()).toBe('handed over');
});

test('a key with an end stops there, also across a reload, and the next payment removes it from the account', async ({
  wallet,
  keys,
  stack,
}) => {
  const expiresAt = wallet.clock.now() + 3_600_000;
  const { publicKey } = await keys.make({ expiresAt });
  expect(await keys.call('set_greeting', 'before its end')).toMatchObject({ success: true });
  const listed = { publicKey, expiresAt, isOnChain: true };
  expect(await keys.list()).toMatchObject([{ ...listed, isExpired: false, isHere: true }]);

  wallet.leave();
  wallet.clock.pass(7_200_000);
  wallet.reload();
  await wallet.logIn();
  const sent = wallet.sent.length;
  expect(await keys.call('set_greeting', 'after its end')).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_EXPIRED',
  });
  expect(wallet.sent).toHaveLength(sent);
  expect(await keys.list()).toMatchObject([{ ...listed, isExpired: true, isHere: false }]);
  expect(await stack.oracle.greeting(APP)).toBe('before its end');

  const prompts = wallet.prompts.length;
  await wallet.greet('a payment');
  expect(wallet.prompts.slice(prompts)).toEqual(['get']);
  await expect.poll(keys.list).toEqual([]);
  const { keys: left } = await wallet.manager.viewAccessKeyList(wallet.accountId);
  expect(left.map(({ public_key: key }) => key)).not.toContain(publicKey);
});
