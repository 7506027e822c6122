import type { AppKeyToMake, DelegateOptions } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.js';
import { APP } from '../support/oracle.js';
import { isFramed } from '../support/wallet.js';
import { test as base, type Facade, payOneYocto } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, NODES_LAG } from './fixtures.js';

declare const facade: FacadePage;

const REGISTRY = 'w3a-v1.testnet';

interface AppFacade extends Facade {
  /** Reloads the page, which empties its memory, and logs the account in again. */
  reload(): Promise<void>;
  addKey(
    toMake?: Partial<AppKeyToMake>,
  ): Promise<{ success: boolean; publicKey: string | null; error?: string }>;
  call(methodName: string, greeting: string, receiverId?: string): Promise<unknown>;
  keys(): Promise<unknown>;
}

const test = base.extend<{ app: AppFacade }>({
  app: async ({ facade: wallet, stack }, use) => {
    const { page, accountId } = wallet;
    await stack.oracle.deployApp();
    await use({
      ...wallet,
      reload: async () => {
        await page.reload();
        expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
          success: true,
          unlockedBy: 'server-lock',
        });
      },
      addKey: (toMake = {}) =>
        page.evaluate((args) => facade.manager.addAppKey(args), {
          nearAccountId: accountId,
          receiverId: APP,
          methodNames: ['set_greeting'],
          options: { waitUntil: 'FINAL' as const },
          ...toMake,
        }),
      call: (methodName, greeting, receiverId = APP) =>
        page.evaluate((args) => facade.manager.callWithAppKey(args), {
          nearAccountId: accountId,
          receiverId,
          methodName,
          args: { greeting },
          options: { waitUntil: 'FINAL' as const },
        }),
      keys: () => page.evaluate((id) => facade.manager.getAppKeys(id), accountId),
    });
  },
});

test(
  'a key is created with one prompt, signs calls without one, survives a reload, and is refused once revoked',
  FRAMED,
  async ({ app: wallet, stack }) => {
    const { page, accountId } = wallet;
    let made: Awaited<ReturnType<AppFacade['addKey']>> | undefined;
    const making = await wallet.during(async () => {
      made = await wallet.addKey({ allowance: '90000000000000000000000' });
    });
    expect(made).toMatchObject({ success: true, publicKey: expect.stringMatching(/^ed25519:/) });
    expect(making.prompts.map(({ kind }) => kind)).toEqual(['get']);
    const publicKey = made?.publicKey ?? '';

    const shownBefore = wallet.confirmations();
    const calling = await wallet.during(async () => {
      expect(await wallet.call('set_greeting', 'by an app key')).toMatchObject({
        success: true,
        fate: 'executed',
      });
      await wallet.reload();
      expect(await wallet.call('set_greeting', 'and again')).toMatchObject({ success: true });
    });
    expect(calling.prompts).toEqual([]);
    expect(shownBefore).toBe(2);
    expect(wallet.confirmations()).toBe(shownBefore);
    expect(await stack.oracle.greeting(APP)).toBe('and again');

    const listed = {
      publicKey,
      receiverId: APP,
      methodNames: ['set_greeting'],
      isHere: true,
      isOnChain: true,
    };
    expect(await wallet.keys()).toMatchObject([listed]);

    const revoking = await wallet.during(async () => {
      const result = await page.evaluate((args) => facade.manager.revokeAppKey(args), {
        nearAccountId: accountId,
        publicKey,
        options: { waitUntil: 'FINAL' as const },
      });
      expect(result).toMatchObject({ success: true });
    });
    expect(revoking.prompts.map(({ kind }) => kind)).toEqual(['get']);
    expect(await wallet.keys()).toEqual([]);
    const after = await wallet.during(async () => {
      expect(await wallet.call('set_greeting', 'revoked')).toMatchObject({
        success: false,
        errorCode: 'APP_KEY_MISSING',
      });
    });
    expect(after.rpc).not.toContain('send_tx');
  },
);

test('a call of another method or contract is refused before anything is sent', async ({ app: wallet }) => {
  await wallet.addKey();
  const activity = await wallet.during(async () => {
    expect(await wallet.call('add_admin', 'x')).toMatchObject({
      success: false,
      errorCode: 'APP_KEY_NOT_FOR_THIS',
      error: expect.stringContaining('It permits app.testnet: set_greeting'),
      transactionId: null,
    });
    expect(await wallet.call('set_greeting', 'x', 'relayer.testnet')).toMatchObject({
      success: false,
      errorCode: 'APP_KEY_MISSING',
    });
    expect(await wallet.call('', 'x')).toMatchObject({ success: false, errorCode: 'INVALID_ACTION' });
  });
  expect(activity.rpc).not.toContain('send_tx');
});

test('the chain refuses a call outside the permission of an app key, even when another program signs it [S76]', async ({
  app: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const key = developmentKey('relayer.testnet');
  const publicKey = KeyPair.fromString(key).getPublicKey().toString();
  const result = await page.evaluate(
    ({ nearAccountId, publicKey }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: nearAccountId,
        actionArgs: {
          type: 'AddKey',
          publicKey,
          accessKey: {
            permission: {
              FunctionCall: { allowance: null, receiverId: 'relayer.testnet', methodNames: [] },
            },
          },
        },
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: accountId, publicKey },
  );
  expect(result).toMatchObject({ success: true });
  await expect(stack.oracle.callAs(accountId, 'set_greeting', { greeting: 'no' }, key)).rejects.toThrow(
    /ReceiverMismatch|receiver/i,
  );
  expect(await wallet.keys()).toMatchObject([{ publicKey, isHere: false, isOnChain: true, allowance: null }]);
});

test('a call that exceeds the allowance is refused with an error that names the key', async ({
  app: wallet,
}) => {
  // Gas is bought at ten times its price: this covers one call, and the burnt gas is deducted.
  const made = await wallet.addKey({ allowance: '31600000000000000000000' });
  const outcomes: unknown[] = [];
  let left = '';
  for (let round = 0; round < 12; round += 1) {
    const outcome = (await wallet.call('set_greeting', `round ${round}`)) as { success: boolean };
    outcomes.push(outcome);
    const [key] = (await wallet.keys()) as { allowance: string }[];
    left = key?.allowance ?? '';
    if (!outcome.success) break;
  }
  expect(outcomes[0]).toMatchObject({ success: true });
  expect(outcomes.at(-1)).toMatchObject({
    success: false,
    errorCode: 'APP_KEY_ALLOWANCE',
    // A node that lags still has the allowance that is spent, and accepts the call, so its fate is unknown.
    fate: NODES_LAG ? expect.stringMatching(/^(refused|unknown)$/) : 'refused',
    error: `The allowance of the app key ${made.publicKey} does not cover this call. Revoke it and make a new one.`,
  });
  expect(BigInt(left)).toBeLessThan(31_600_000_000_000_000_000_000n);
});

test('a cancelled confirmation, a refused prompt and a full-access key leave nothing behind', async ({
  app: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  await page.evaluate(() => {
    facade.decision = 'cancel';
  });
  expect(await wallet.addKey()).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  expect(await wallet.keys()).toEqual([]);
  const [own = ''] = await stack.oracle.fullAccessKeys(accountId);
  const refused = await page.evaluate((args) => facade.manager.revokeAppKey(args), {
    nearAccountId: accountId,
    publicKey: own,
  });
  expect(refused).toMatchObject({ success: false, errorCode: 'APP_KEY_UNKNOWN' });
  expect(await wallet.addKey({ receiverId: 'Not a contract' })).toMatchObject({
    errorCode: 'INVALID_ACTION',
  });
  expect(await wallet.addKey({ allowance: '0' })).toMatchObject({ errorCode: 'INVALID_ACTION' });
  expect(await wallet.addKey({ methodNames: [''] })).toMatchObject({ errorCode: 'INVALID_ACTION' });
  expect(await wallet.addKey({ receiverId: REGISTRY })).toMatchObject({
    errorCode: 'INVALID_ACTION',
    error: expect.stringContaining('An app key may not be for the registry'),
  });
});

test('a key revoked elsewhere is reported, and this device forgets it without a prompt', async ({
  app: wallet,
}) => {
  const { page, accountId } = wallet;
  const { publicKey } = await wallet.addKey();
  await page.evaluate(
    ({ nearAccountId, publicKey }) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: nearAccountId,
        actionArgs: { type: 'DeleteKey', publicKey },
        options: { waitUntil: 'FINAL' },
      }),
    { nearAccountId: accountId, publicKey: publicKey ?? '' },
  );
  expect(await wallet.call('set_greeting', 'x')).toMatchObject({ success: false, errorCode: 'APP_KEY_GONE' });
  expect(await wallet.keys()).toMatchObject([{ publicKey, receiverId: APP, isHere: true, isOnChain: false }]);
  const forgetting = await wallet.during(async () => {
    const result = await page.evaluate((args) => facade.manager.revokeAppKey(args), {
      nearAccountId: accountId,
      publicKey: publicKey ?? '',
    });
    expect(result).toMatchObject({ success: true, transactionId: null });
  });
  expect(forgetting.prompts).toEqual([]);
  expect(await wallet.keys()).toEqual([]);
});

const greet = (greeting: string) => ({
  type: 'FunctionCall' as const,
  methodName: 'set_greeting',
  args: { greeting },
});

test('the relay pays for a delegate action: the signer’s balance does not change by a single yocto', async ({
  app: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const before = await stack.oracle.balance(accountId);
  let result: unknown;
  const activity = await wallet.during(async () => {
    result = await page.evaluate((args) => facade.manager.executeDelegateAction(args), {
      nearAccountId: accountId,
      receiverId: REGISTRY,
      actions: greet('paid by the relay'),
    });
  });
  expect(result).toMatchObject({
    success: true,
    fate: 'executed',
    transactionId: expect.stringMatching(/^\w{40,}$/),
  });
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get']);
  expect(activity.relay).toEqual(['/signed-delegate']);
  expect(activity.rpc).not.toContain('send_tx');
  expect(await stack.oracle.greeting()).toBe('paid by the relay');
  expect(await stack.oracle.balance(accountId)).toBe(before);
  const shown = await page.evaluate(() => facade.shown.at(-1));
  // A wallet in a frame shows it only to the user.
  if (isFramed(page)) expect(shown).toBeUndefined();
  else
    expect(shown).toMatchObject({
      kind: 'transactions',
      delegate: { relay: new URL(stack.relay.url).host, validForBlocks: 600 },
    });

  // The next delegate and the next transaction succeed too: their nonces are in sequence.
  const next = await page.evaluate((args) => facade.manager.executeDelegateAction(args), {
    nearAccountId: accountId,
    receiverId: REGISTRY,
    actions: greet('and once more'),
  });
  expect(next).toMatchObject({ success: true });
  const own = await page.evaluate(
    ({ nearAccountId, actionArgs }) =>
      facade.manager.executeAction({ nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs }),
    { nearAccountId: accountId, actionArgs: greet('now at my own cost') },
  );
  expect(own).toMatchObject({ success: true });
});

test('a relay accepts a delegate action that the wallet returned to the page, and only once', async ({
  app: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const signed = await page.evaluate((args) => facade.manager.signDelegateAction(args), {
    nearAccountId: accountId,
    receiverId: REGISTRY,
    actions: greet('handed over'),
    options: { validForBlocks: 1000 } as DelegateOptions,
  });
  expect(signed).toMatchObject({ success: true, maxBlockHeight: expect.stringMatching(/^\d+$/) });
  const left = Number(signed.maxBlockHeight) - (await stack.oracle.height());
  expect(left).toBeGreaterThan(700);
  expect(left).toBeLessThanOrEqual(1000);
  expect(await page.evaluate(() => facade.shown.at(-1))).toMatchObject({
    delegate: { relay: null, validForBlocks: 1000 },
  });
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

/** From the next document on, the browser's clock is ahead. */
function setClockAhead(ms: number): void {
  const now = Date.now;
  Date.now = () => now() + ms;
}

test(
  'a key with an end stops there, also across a reload, and the next payment removes it from the account',
  FRAMED,
  async ({ app: wallet, stack }) => {
    const { page, accountId } = wallet;
    const expiresAt = Date.now() + 3_600_000;
    const { publicKey } = await wallet.addKey({ expiresAt });
    expect(await wallet.call('set_greeting', 'before its end')).toMatchObject({ success: true });
    const listed = { publicKey, expiresAt, isOnChain: true };
    expect(await wallet.keys()).toMatchObject([{ ...listed, isExpired: false, isHere: true }]);

    await page.context().addInitScript(setClockAhead, 7_200_000);
    await wallet.reload();
    const after = await wallet.during(async () => {
      expect(await wallet.call('set_greeting', 'after its end')).toMatchObject({
        success: false,
        errorCode: 'APP_KEY_EXPIRED',
      });
    });
    expect(after.rpc).not.toContain('send_tx');
    expect(await wallet.keys()).toMatchObject([{ ...listed, isExpired: true, isHere: false }]);
    expect(await stack.oracle.greeting(APP)).toBe('before its end');

    const paying = await wallet.during(async () => {
      await payOneYocto({ page }, accountId);
    });
    expect(paying.prompts.map(({ kind }) => kind)).toEqual(['get']);
    await expect.poll(wallet.keys, { timeout: 20_000 }).toEqual([]);
    const list = await page.evaluate((id) => facade.manager.viewAccessKeyList(id), accountId);
    expect(list.keys.map(({ public_key: key }) => key)).not.toContain(publicKey);
  },
);
