/** Payments into app keys, by a real relay on Node on the real chain. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { operatedRelays, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import { type GasKeyView, gasKeyView } from '../../../ts/src/near/index.js';
import { issueSignupVoucher, makeVoucherKeyPair } from '../registration/voucher.js';
import { actAs, addKey, GAS_KEY } from '../testing/gas-key.js';
import { makePublicKey, makeRegistration } from '../testing/registration.js';
import { temporaryFolder } from '../testing/temporary-folder.js';

const ALICE = 'testnet';
const MILLI = 10n ** 21n;
const app = await makeVoucherKeyPair();
const folder = temporaryFolder();
const on = operatedRelays({
  SIGNUP_VOUCHER_KEY: app.publicKey,
  APP_KEY_ACCOUNT_CAP_NEAR: '3',
  APP_KEY_SPEND_CAP_NEAR: '3',
  RELAY_LIMIT_APP_KEYS: 'off',
});
let files = 0;

beforeEach(() => {
  on.proxy.heal();
  on.proxy.calls.length = 0;
});

const issue = (prepaid: string | undefined = '0.1', accountId: string = ALICE, validForSeconds = 900) =>
  issueSignupVoucher({ privateKey: app.privateKey, accountId, prepaid, validForSeconds });
const left = async (publicKey: string, accountId = ALICE) => {
  const key = await on.rpc.viewAccessKey(accountId, publicKey);
  return BigInt((key && (gasKeyView(key) as GasKeyView | undefined)?.balance) ?? -1);
};
const balance = async (accountId: string) => BigInt((await on.rpc.viewAccount(accountId))?.amount ?? -1);
const sent = () =>
  new Set(
    on.proxy.calls
      .filter(({ name }) => name === 'send_tx')
      .map(({ body }) => JSON.parse(body).params.signed_tx_base64),
  );

async function start(env: Readonly<Record<string, string>> = {}) {
  files += 1;
  const relay = await on.start({ RELAY_STATE_FILE: folder.file(`state-${files}.json`), ...env });
  const fund = async (
    publicKey: string,
    {
      amount = 100n * MILLI,
      accountId = ALICE,
      voucher,
    }: { amount?: bigint | string; accountId?: string; voucher?: string } = {},
  ) => {
    const body = { account_id: accountId, public_key: publicKey, amount: String(amount) };
    const { status, answer } = await relay.post('/fund-app-key', {
      ...body,
      ...(voucher !== undefined && { signup_voucher: voucher }),
    });
    return { status, ...answer };
  };
  return { ...relay, fund };
}

describe('a relay that pays into app keys', { timeout: 120_000 }, () => {
  it('pays what a voucher allows into a gas key, and counts it as spent', async () => {
    const METRICS_TOKEN = 'an-operators-token-of-32-letters';
    const { fund, url, lines } = await start({ METRICS_TOKEN });
    const publicKey = await addKey(on.rpc, ALICE);
    const before = await balance(RELAYER);
    const answer = await fund(publicKey, { voucher: await issue() });
    expect(answer).toEqual({ status: 200, success: true, transactionHash: expect.any(String) });
    expect(await left(publicKey)).toBe(100n * MILLI);
    const status = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const counted = BigInt(((await status.json()) as { countedYocto: string }).countedYocto);
    expect(counted).toBeGreaterThan(100n * MILLI);
    await vi.waitFor(async () => expect(before - (await balance(RELAYER))).toBe(counted), {
      timeout: 20_000,
    });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'app_key_funded', accountId: ALICE, publicKey }),
    );
  });

  it('pays once for a request that is repeated, in parallel, after a lost answer, and after its end', async () => {
    const relay = await start();
    const publicKey = await addKey(on.rpc, ALICE);
    const voucher = await issue();
    on.proxy.fail('send_tx', { kind: 'drop-answer' }, 1);
    const lost = await Promise.all([relay.fund(publicKey, { voucher }), relay.fund(publicKey, { voucher })]);
    const answers = [
      ...lost,
      await relay.fund(publicKey, { voucher }),
      await relay.fund(publicKey, { voucher }),
    ];
    expect(
      new Set(
        answers
          .filter(({ status }) => status === 200)
          .map((each) => (each as { transactionHash?: string }).transactionHash),
      ).size,
    ).toBe(1);
    expect(answers.at(-1)).toMatchObject({ status: 200 });
    expect(await left(publicKey)).toBe(100n * MILLI);
    expect(sent().size).toBe(1);
  });

  it('pays once for a request that comes back after a restart', async () => {
    const RELAY_STATE_FILE = folder.file('again.json');
    const first = await start({ RELAY_STATE_FILE });
    const publicKey = await addKey(on.rpc, ALICE);
    const voucher = await issue();
    expect(await first.fund(publicKey, { voucher })).toMatchObject({ status: 200 });
    await first.stop();
    const second = await start({ RELAY_STATE_FILE });
    expect(await second.fund(publicKey, { voucher })).toMatchObject({ status: 403, error: 'signup_refused' });
    expect(await left(publicKey)).toBe(100n * MILLI);
  });

  it('pays with one voucher for one key and amount only, also in parallel [S99]', async () => {
    const { fund } = await start();
    const keys = [await addKey(on.rpc, ALICE), await addKey(on.rpc, ALICE)] as const;
    const voucher = await issue();
    const answers = await Promise.all([
      fund(keys[0], { voucher }),
      fund(keys[1], { voucher }),
      fund(keys[0], { voucher, amount: 50n * MILLI }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const given = (await left(keys[0])) + (await left(keys[1]));
    expect([50n * MILLI, 100n * MILLI]).toContain(given);
  });

  it.each<[string, () => Promise<string | undefined>, RegExp]>([
    ['without a voucher', async () => undefined, /only with a voucher/],
    ['with a voucher for less', () => issue('0.09'), /pays 0.09 NEAR into an app key at most/],
    ['with a voucher for another account', () => issue('0.1', 'w3a-v1.testnet'), /another account/],
    [
      'with a voucher for a registration',
      () => issueSignupVoucher({ privateKey: app.privateKey, accountId: ALICE }),
      /not for an app key/,
    ],
    [
      'with a voucher for any account',
      () => issueSignupVoucher({ privateKey: app.privateKey, accountId: null }),
      /not for an app key/,
    ],
    [
      'with a voucher of a stranger',
      async () =>
        issueSignupVoucher({
          privateKey: (await makeVoucherKeyPair()).privateKey,
          accountId: ALICE,
          prepaid: '0.1',
        }),
      /not a voucher of an app/,
    ],
  ])('refuses a request %s, and asks no node [S99]', async (_, voucherOf, message) => {
    const { fund } = await start();
    on.proxy.calls.length = 0;
    const voucher = await voucherOf();
    const answer = await fund(makePublicKey(), voucher === undefined ? {} : { voucher });
    expect(answer).toMatchObject({
      status: 403,
      error: 'signup_refused',
      message: expect.stringMatching(message),
    });
    expect(on.proxy.calls).toEqual([]);
  });

  it('registers nobody for a voucher of an app key', async () => {
    const { register } = await start();
    const registration = await makeRegistration(on.rpc);
    const voucher = await issue('0.1', registration.new_account_id);
    const { status, answer } = await register({ ...registration, signup_voucher: voucher });
    expect([status, answer.message]).toEqual([403, expect.stringContaining('registers no account')]);
  });

  it('pays into no key but a gas key for one contract, and gives the voucher back [S99]', async () => {
    const { fund } = await start();
    const voucher = await issue();
    const { GasKeyFunctionCall } = GAS_KEY as {
      GasKeyFunctionCall: { receiverId: string; methodNames: string[] };
    };
    const others = {
      'keys with full access': [
        await addKey(on.rpc, ALICE, 'FullAccess'),
        await addKey(on.rpc, ALICE, { GasKeyFullAccess: { numNonces: 1 } }),
      ],
      'keys that are no gas keys': [
        await addKey(on.rpc, ALICE, { FunctionCall: { ...GasKeyFunctionCall, allowance: null } }),
      ],
    };
    for (const [what, keys] of Object.entries(others)) {
      for (const publicKey of keys) {
        expect(await fund(publicKey, { voucher })).toMatchObject({
          status: 403,
          error: 'not_allowed',
          message: expect.stringContaining(what),
        });
      }
    }
    expect(await fund(makePublicKey(), { voucher })).toMatchObject({ status: 400, error: 'not_verified' });
    expect(sent().size).toBe(0);
    expect(await fund(await addKey(on.rpc, ALICE), { voucher })).toMatchObject({ status: 200 });
  });

  it('fills no key above what the chain can delete', async () => {
    const { fund } = await start();
    const publicKey = await addKey(on.rpc, ALICE);
    await actAs(on.rpc, ALICE, [{ type: 'TransferToGasKey', publicKey, deposit: String(901n * MILLI) }]);
    expect(await fund(publicKey, { voucher: await issue() })).toMatchObject({
      status: 403,
      error: 'not_allowed',
      message: expect.stringContaining('more than 1 NEAR on one key'),
    });
    expect(await fund(publicKey, { voucher: await issue(), amount: 99n * MILLI })).toMatchObject({
      status: 200,
    });
  });

  it('holds the caps of an account and of all, with any number of vouchers', async () => {
    const { fund } = await start({ APP_KEY_ACCOUNT_CAP_NEAR: '0.25', APP_KEY_SPEND_CAP_NEAR: '0.3' });
    const [mine, theirs] = [await addKey(on.rpc, ALICE), await addKey(on.rpc, 'w3a-v1.testnet')];
    expect(await fund(mine, { voucher: await issue('0.3'), amount: 300n * MILLI })).toMatchObject({
      status: 403,
      error: 'not_allowed',
    });
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await fund(mine, { voucher: await issue() }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.at(-1)).toMatchObject({ error: 'spend_cap', message: expect.stringContaining(ALICE) });
    const voucher = await issue('0.1', 'w3a-v1.testnet');
    const capped = await fund(theirs, { accountId: 'w3a-v1.testnet', voucher });
    expect(capped).toMatchObject({ status: 429, error: 'spend_cap' });
    expect(await left(mine)).toBe(200n * MILLI);
    expect(await left(theirs, 'w3a-v1.testnet')).toBe(0n);
  });

  it('counts the account’s payments over a restart', async () => {
    const env = { APP_KEY_ACCOUNT_CAP_NEAR: '0.15', RELAY_STATE_FILE: folder.file('caps.json') };
    const first = await start(env);
    const publicKey = await addKey(on.rpc, ALICE);
    expect(await first.fund(publicKey, { voucher: await issue() })).toMatchObject({ status: 200 });
    await first.stop();
    const second = await start(env);
    expect(await second.fund(publicKey, { voucher: await issue() })).toMatchObject({ status: 429 });
  });

  it('gives what it pays: the account may withdraw it, and the relay counts it as spent [S100]', async () => {
    const { fund } = await start({ APP_KEY_ACCOUNT_CAP_NEAR: '0.15' });
    const publicKey = await addKey(on.rpc, ALICE);
    expect(await fund(publicKey, { voucher: await issue() })).toMatchObject({ status: 200 });
    await actAs(on.rpc, ALICE, [{ type: 'WithdrawFromGasKey', publicKey, amount: String(100n * MILLI) }]);
    expect(await left(publicKey)).toBe(0n);
    expect(await fund(publicKey, { voucher: await issue() })).toMatchObject({
      status: 429,
      error: 'spend_cap',
    });
  });

  it('counts only gas where the key goes while the payment is on its way', async () => {
    const METRICS_TOKEN = 'an-operators-token-of-32-letters';
    const { fund, url } = await start({ METRICS_TOKEN });
    const publicKey = await addKey(on.rpc, ALICE);
    const release = on.proxy.hold('send_tx');
    const paying = fund(publicKey, { voucher: await issue() });
    await vi.waitFor(() => expect(sent().size).toBe(1), { timeout: 20_000 });
    // The proxy holds what the relay sends; this client asks the chain itself.
    await actAs(on.rpc, ALICE, [{ type: 'DeleteKey', publicKey }]);
    release();
    expect(await paying).toMatchObject({
      status: 502,
      error: 'chain_rejected',
      transactionHash: expect.any(String),
      message: expect.stringContaining('gave the amount back'),
    });
    const status = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const { countedYocto } = (await status.json()) as { countedYocto: string };
    expect(BigInt(countedYocto)).toBeLessThan(MILLI);
  });

  it.each(['0', '-1', '1.5', 'x', '9'.repeat(31)])('refuses the amount %s', async (amount) => {
    const { fund } = await start();
    expect(await fund(makePublicKey(), { amount, voucher: await issue() })).toMatchObject({
      status: 400,
      error: 'invalid_request',
      message: expect.stringContaining('amount'),
    });
  });

  it('writes no voucher to its log', async () => {
    const { fund, lines } = await start();
    const voucher = await issue();
    await fund(makePublicKey(), { voucher });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toContain(voucher);
  });
});
