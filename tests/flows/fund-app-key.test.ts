// Prepaid app keys that the relay pays into, for a voucher of the app's server.
// Specification: interop 7
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddAppKeyArgs, AppKeyResult } from 'latchkey';
import { issueSignupVoucher, makeVoucherKeyPair } from 'latchkey-server';
import { REGISTRY, startRelay } from '../../dev/services/services.js';
import { ORIGIN } from '../faults/stack.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import { APP } from '../support/oracle.js';
import { test as base, expect, Wallet } from './wallet.js';

const PREPAID = 10n ** 23n;

interface Sponsored {
  readonly wallet: Wallet;
  voucher(prepaid?: string): Promise<string>;
  add(options: AddAppKeyArgs['options'], changes?: Partial<AddAppKeyArgs>): Promise<AppKeyResult>;
  /** What is left on the account's keys. */
  left(): Promise<readonly (string | null)[]>;
  call(): ReturnType<Wallet['manager']['callWithAppKey']>;
}

/** A wallet whose relay takes vouchers only, and pays into app keys. */
const test = base.extend<{ sponsored: Sponsored }>({
  sponsored: async ({ stack }, use) => {
    await stack.oracle.deployApp();
    const app = await makeVoucherKeyPair();
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-fund-'));
    const relay = await startRelay({
      port: 0,
      chainUrl: stack.chainUrl,
      appOrigin: ORIGIN,
      lockKeyFile: join(folder, 'lock-key.json'),
      env: {
        SIGNUP_VOUCHER_KEY: app.publicKey,
        RELAY_STATE_FILE: join(folder, 'state.json'),
        APP_KEY_ACCOUNT_CAP_NEAR: '0.35',
        APP_KEY_SPEND_CAP_NEAR: '1',
      },
    });
    const proxy = await startFaultProxy(relay.url);
    const wallet = await Wallet.open({ ...stack, relay: proxy });
    const nearAccountId = `fund-${randomBytes(4).toString('hex')}.${REGISTRY}`;
    wallet.accountId = nearAccountId;
    const issue = (prepaid?: string) =>
      issueSignupVoucher({
        privateKey: app.privateKey,
        accountId: nearAccountId,
        ...(prepaid !== undefined && { prepaid }),
      });
    expect(
      await wallet.manager.registerPasskey(nearAccountId, { signupVoucher: await issue() }),
    ).toMatchObject({ success: true });
    try {
      await use({
        wallet,
        voucher: (prepaid = '0.1') => issue(prepaid),
        add: (options, changes) =>
          wallet.manager.addAppKey({
            nearAccountId,
            receiverId: APP,
            methodNames: ['set_greeting'],
            prepaid: '0.1',
            paidBy: 'relay',
            options,
            ...changes,
          }),
        left: async () => (await wallet.manager.getAppKeys(nearAccountId)).map(({ allowance }) => allowance),
        call: () =>
          wallet.manager.callWithAppKey({
            nearAccountId,
            receiverId: APP,
            methodName: 'set_greeting',
            args: { greeting: 'paid by the relay' },
          }),
      });
    } finally {
      await wallet.close();
      await proxy.close();
      await relay.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

test('the relay pays into a key that the user added, the dialog says so, and the account pays nothing for its calls', async ({
  sponsored,
  stack,
}) => {
  const { wallet, voucher, add, left, call } = sponsored;
  const made = await add({ signupVoucher: await voucher() });
  expect(made).toMatchObject({
    success: true,
    funding: { success: true, fate: 'executed', transactionId: expect.any(String) },
  });
  expect(wallet.shown.at(-1)).toMatchObject({
    transactions: [{ actions: [{ type: 'AddKey' }] }],
    appKeys: [
      {
        publicKey: made.publicKey,
        paidByRelay: { amountYocto: String(PREPAID), relay: new URL(wallet.relay.url).host },
      },
    ],
  });
  expect(JSON.stringify(wallet.shown.at(-1))).not.toContain('TransferToGasKey');
  expect(await left()).toEqual([String(PREPAID)]);
  const before = await stack.oracle.balance(wallet.accountId);
  expect(await call()).toMatchObject({ success: true });
  expect(await stack.oracle.balance(wallet.accountId)).toBe(before);
});

test('a relay that refuses leaves the key, says why, and pays when it is asked again', async ({
  sponsored,
}) => {
  const { wallet, voucher, add, left, call } = sponsored;
  const made = await add({ signupVoucher: await voucher('0.05') });
  expect(made).toMatchObject({
    success: true,
    fate: 'executed',
    funding: {
      success: false,
      fate: 'not-sent',
      errorCode: 'RELAY_REFUSED',
      error: expect.stringContaining('pays 0.05 NEAR into an app key at most'),
    },
  });
  expect(await left()).toEqual(['0']);
  expect(await call()).toMatchObject({
    errorCode: 'APP_KEY_OUT_OF_GAS',
    error: expect.stringContaining('fundAppKey'),
  });
  const prompts = wallet.prompts.length;
  const signupVoucher = await voucher();
  const fund = () =>
    wallet.manager.fundAppKey({
      nearAccountId: wallet.accountId,
      publicKey: made.publicKey ?? '',
      prepaid: '0.1',
      options: { signupVoucher },
    });
  const paid = await fund();
  expect(paid).toMatchObject({ success: true, fate: 'executed' });
  expect(await fund()).toEqual(paid);
  expect(wallet.prompts).toHaveLength(prompts);
  expect(await left()).toEqual([String(PREPAID)]);
  expect(await call()).toMatchObject({ success: true });
});

test('an answer of the relay that is lost is asked for again, and paid for once', async ({ sponsored }) => {
  const { wallet, voucher, add, left } = sponsored;
  wallet.relay.fail('/fund-app-key', { kind: 'drop-answer' }, 2);
  expect(await add({ signupVoucher: await voucher() })).toMatchObject({
    success: true,
    funding: { success: true, fate: 'executed' },
  });
  expect(wallet.relay.calls.filter(({ name }) => name === '/fund-app-key')).toHaveLength(3);
  expect(await left()).toEqual([String(PREPAID)]);
});

test('a relay that is away leaves the key; the same call later is paid for once', async ({ sponsored }) => {
  const { wallet, voucher, add, left } = sponsored;
  const signupVoucher = await voucher();
  wallet.relay.fail('/fund-app-key', { kind: 'drop-answer' }, 3);
  const made = await add({ signupVoucher });
  expect(made).toMatchObject({
    success: true,
    funding: { success: false, fate: 'unknown', errorCode: 'RELAY_UNREACHABLE' },
  });
  wallet.reload();
  await wallet.logIn();
  const again = await wallet.manager.fundAppKey({
    nearAccountId: wallet.accountId,
    publicKey: made.publicKey ?? '',
    prepaid: '0.1',
    options: { signupVoucher },
  });
  expect(again).toMatchObject({ success: true });
  expect(await left()).toEqual([String(PREPAID)]);
});

test('the relay stops at its cap for the account, whatever the app asks in a loop', async ({ sponsored }) => {
  const { wallet, voucher, add, left } = sponsored;
  const { publicKey } = await add({ signupVoucher: await voucher() });
  const ends: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    const signupVoucher = await voucher();
    const asked = { nearAccountId: wallet.accountId, publicKey: publicKey ?? '', prepaid: '0.1' };
    ends.push((await wallet.manager.fundAppKey({ ...asked, options: { signupVoucher } })).errorCode);
  }
  expect(ends).toEqual([undefined, undefined, 'RELAY_REFUSED', 'RELAY_REFUSED', 'RELAY_REFUSED']);
  expect(await left()).toEqual([String(3n * PREPAID)]);
});

test('what no relay would pay for is named before the confirmation', async ({ sponsored }) => {
  const { wallet, voucher, add } = sponsored;
  const shown = wallet.shown.length;
  const signupVoucher = await voucher();
  const invalid = (text: string) => ({ errorCode: 'INVALID_ACTION', error: expect.stringContaining(text) });
  expect(await add({})).toMatchObject(invalid('only for a voucher'));
  expect(await add({ signupVoucher }, { prepaid: undefined })).toMatchObject(invalid('name it as prepaid'));
  expect(await add({ signupVoucher }, { paidBy: 'me' as never })).toMatchObject(
    invalid("must be 'account' or 'relay'"),
  );
  const asked = { nearAccountId: wallet.accountId, publicKey: 'ed25519:x', prepaid: '0.1' };
  expect(await wallet.manager.fundAppKey({ ...asked, options: { signupVoucher } })).toMatchObject(
    invalid(''),
  );
  expect(wallet.shown).toHaveLength(shown);
});
