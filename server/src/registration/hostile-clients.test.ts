/** Clients that want the relay's money, against a real relay on Node and the real chain with the real registry. */

import { Account, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { operatedRelays, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import type { RelayHooks } from '../platform/node.js';
import { makeRegistration, makeStrangeRegistration } from '../testing/registration.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { issueSignupVoucher, makeVoucherKeyPair, type VoucherKeyPair } from './voucher.js';

/** A registration reserves 0.1457 NEAR with the default balance. */
const CAP = { RELAY_SPEND_CAP_NEAR: '2', RELAY_DAILY_SHARE: '10,15' };

// The relays are behind one proxy, so that a request may come from any address.
const on = operatedRelays({ RELAY_LIMIT_REGISTRATIONS: 'off', TRUSTED_PROXY_HOPS: '1' });
const folder = temporaryFolder();
let files = 0;

beforeEach(() => {
  on.proxy.heal();
  on.proxy.calls.length = 0;
});

const stateFile = () => {
  files += 1;
  return folder.file(`state-${files}.json`);
};

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly message: string;
}

async function start(env: Record<string, string>, hooks: RelayHooks = {}) {
  const relay = await on.start(env, { hooks });
  const register = async (request: object, from = '203.0.113.1'): Promise<Answer> => {
    const { answer, status } = await relay.register(request, { 'x-forwarded-for': from });
    return { ...(answer as unknown as Answer), status };
  };
  return { ...relay, register };
}

const WAIT = { timeout: 30_000, interval: 50 };

const transactions = () => on.proxy.calls.filter(({ name }) => name === 'send_tx').length;

describe('an address that asks for account after account (core 9)', { timeout: 120_000 }, () => {
  /** Registers from this address until the relay refuses. */
  async function registerUntilRefused(
    relay: Awaited<ReturnType<typeof start>>,
    from: (count: number) => string,
  ) {
    for (let count = 0; count < 30; count += 1) {
      const answer = await relay.register(await makeRegistration(on.rpc), from(count));
      if (answer.status !== 200) return { count, answer };
    }
    return expect.fail('it was never refused');
  }

  it('cannot spend the relay’s day: its share ends, and others still register', async () => {
    const relay = await start(CAP);
    const { count, answer } = await registerUntilRefused(relay, () => '203.0.113.1');
    expect(answer).toMatchObject({ status: 429, error: 'address_cap', message: /Nothing was sent/ });
    expect(count).toBeLessThan(5);
    expect(transactions()).toBe(count);
    expect(await relay.register(await makeRegistration(on.rpc), '198.51.100.1')).toMatchObject({
      status: 200,
    });
    expect(relay.lines.join('\n')).toContain('address_cap');
    expect(relay.lines.join('\n')).not.toContain('203.0.113');
  });

  it('cannot spend it from the other addresses of its network either [S86]', async () => {
    const relay = await start({ ...CAP, RELAY_DAILY_SHARE: '5,10' });
    const { count } = await registerUntilRefused(relay, (host) => `203.0.113.${host}`);
    expect(count).toBeLessThan(5);
    const ofIPv6 = await registerUntilRefused(relay, (host) => `2001:db8:1:${host}::1`);
    expect(ofIPv6.count).toBeLessThan(5);
    expect(await relay.register(await makeRegistration(on.rpc), '2001:db8:2::1')).toMatchObject({
      status: 200,
    });
  });

  it('gets no second share by deleting the accounts [S55]', async () => {
    const relay = await start({ ...CAP, RELAY_DAILY_SHARE: '8,15' });
    const owned = KeyPair.fromRandom('ed25519');
    const request = { ...(await makeRegistration(on.rpc)), new_public_key: owned.getPublicKey().toString() };
    expect(await relay.register(request)).toMatchObject({ status: 200 });
    const provider = new JsonRpcProvider({ url: on.chain.url });
    const account = new Account(request.new_account_id, provider, new KeyPairSigner(owned));
    await account.deleteAccount(RELAYER);
    await vi.waitFor(async () => expect(await on.rpc.viewAccount(request.new_account_id)).toBeNull(), WAIT);
    expect(await relay.register(await makeRegistration(on.rpc))).toMatchObject({
      status: 429,
      error: 'address_cap',
    });
  });

  it('gets no second share from a relay that was started again [S55]', async () => {
    const env = { ...CAP, RELAY_DAILY_SHARE: '8,15', RELAY_STATE_FILE: stateFile() };
    const first = await start(env);
    expect(await first.register(await makeRegistration(on.rpc))).toMatchObject({ status: 200 });
    await first.stop();
    const second = await start(env);
    expect(await second.register(await makeRegistration(on.rpc))).toMatchObject({
      status: 429,
      error: 'address_cap',
    });
    expect(await second.register(await makeRegistration(on.rpc), '198.51.100.1')).toMatchObject({
      status: 200,
    });
  });

  it('keeps its share when its registration fails before anything was sent', async () => {
    const relay = await start({ ...CAP, RELAY_DAILY_SHARE: '8,15' });
    const request = await makeRegistration(on.rpc);
    on.proxy.fail('query:view_access_key', { kind: 'refuse' });
    expect(await relay.register(request)).toMatchObject({ status: 503, error: 'chain_unreachable' });
    on.proxy.heal();
    expect(transactions()).toBe(0);
    expect(await relay.register(request)).toMatchObject({ status: 200 });
  });
});

describe('a client with a voucher of the app (core 7)', { timeout: 120_000 }, () => {
  let keys: VoucherKeyPair;
  beforeAll(async () => {
    keys = await makeVoucherKeyPair();
  });

  const environment = () => ({ SIGNUP_VOUCHER_KEY: keys.publicKey, RELAY_STATE_FILE: stateFile() });

  async function vouched(name?: string, make = makeRegistration) {
    const request = await make(on.rpc, name);
    const voucher = await issueSignupVoucher({
      privateKey: keys.privateKey,
      accountId: request.new_account_id,
    });
    return { request: { ...request, signup_voucher: voucher }, voucher };
  }

  it('registers, and the voucher reaches neither the chain nor the log', async () => {
    const relay = await start(environment());
    const { request, voucher } = await vouched();
    expect(await relay.register(request)).toMatchObject({ status: 200 });
    const [sent] = on.proxy.calls.filter(({ name }) => name === 'send_tx');
    const bytes = Buffer.from(JSON.parse(sent?.body ?? '').params.signed_tx_base64, 'base64');
    expect(bytes.toString('latin1')).toContain('new_account_id');
    expect(bytes.toString('latin1')).not.toContain('voucher');
    expect(relay.lines.join('\n')).not.toContain(voucher.slice(3, 40));
  });

  it('does not register without one, or with one that another key signed', async () => {
    const relay = await start(environment());
    const { request } = await vouched();
    const { signup_voucher: _, ...bare } = request;
    const other = await issueSignupVoucher({
      privateKey: (await makeVoucherKeyPair()).privateKey,
      accountId: request.new_account_id,
    });
    for (const asked of [
      bare,
      { ...bare, signup_voucher: other },
      { ...bare, signup_voucher: 'v1.e30.AA' },
    ]) {
      expect(await relay.register(asked)).toMatchObject({ status: 403, error: 'signup_refused' });
    }
    expect(transactions()).toBe(0);
  });

  it('cannot pay for another account with it [S56]', async () => {
    const relay = await start(environment());
    const { voucher } = await vouched();
    const other = { ...(await makeRegistration(on.rpc)), signup_voucher: voucher };
    expect(await relay.register(other)).toMatchObject({
      status: 403,
      error: 'signup_refused',
      message: /another account/,
    });
    expect(transactions()).toBe(0);
  });

  /** The chain takes this registration and refuses it at execution: the gas is spent, the name stays free. */
  const refusedAtExecution = (name: string) => vouched(name, makeStrangeRegistration);
  const passTheCheck = () =>
    on.proxy.fail('query:check_can_register_user', {
      kind: 'rewrite-answer',
      rewrite: (envelope: { result: object }) => ({
        ...envelope,
        result: { ...envelope.result, result: [...Buffer.from('{"verified":true,"user_exists":false}')] },
      }),
    });

  it('uses it once, also after a restart and with the key that it had [S56]', async () => {
    const env = environment();
    const first = await start(env);
    const { request, voucher } = await refusedAtExecution(`twice-${Date.now().toString(36)}`);
    const heal = passTheCheck();
    expect(await first.register(request)).toMatchObject({ status: 400, error: 'not_verified' });
    expect(transactions()).toBe(1);
    expect(await first.register(request)).toMatchObject({ status: 403, error: 'signup_refused' });
    await first.stop();

    const second = await start(env);
    expect(await second.register(request)).toMatchObject({ status: 403, message: /has been used/ });
    heal();
    const name = request.new_account_id.split('.')[0];
    const anew = { ...(await makeRegistration(on.rpc, name)), signup_voucher: voucher };
    expect(await second.register(anew)).toMatchObject({ status: 403, message: /has been used/ });
    expect(transactions()).toBe(1);
  });

  it('uses it at two relays, and gets one account [S87]', async () => {
    const [first, second] = [await start(environment()), await start(environment())];
    const { request, voucher } = await vouched();
    expect(await first.register(request)).toMatchObject({ status: 200 });
    const name = request.new_account_id.split('.')[0];
    const anew = { ...(await makeRegistration(on.rpc, name)), signup_voucher: voucher };
    expect(await second.register(anew)).toMatchObject({ status: 409 });
    expect(transactions()).toBe(1);
  });

  it('gets it back when nothing was sent', async () => {
    const relay = await start(environment());
    const { request } = await vouched();
    on.proxy.fail('query:view_access_key', { kind: 'refuse' });
    expect(await relay.register(request)).toMatchObject({ status: 503, error: 'chain_unreachable' });
    on.proxy.heal();
    expect(await relay.register(request)).toMatchObject({ status: 200 });
  });
});

describe('a hook of the operator (core 7)', { timeout: 60_000 }, () => {
  it('is asked before money is reserved, and its no and its reason reach the client', async () => {
    const asked: unknown[] = [];
    const verifySignup: RelayHooks['verifySignup'] = ({ voucher, ...facts }) => {
      asked.push({ ...facts, voucher: voucher?.reveal() });
      return { ok: false, reason: `No luck with ${voucher?.reveal()}. Ask the shop.` };
    };
    const relay = await start({}, { verifySignup });
    const request = { ...(await makeRegistration(on.rpc)), signup_voucher: 'ticket-of-the-shop' };
    expect(await relay.register(request)).toMatchObject({
      status: 403,
      error: 'signup_refused',
      message: 'No luck with [voucher]. Ask the shop. Nothing was sent.',
    });
    expect(asked).toEqual([
      {
        accountId: request.new_account_id,
        publicKey: request.new_public_key,
        address: '203.0.113.1',
        voucher: 'ticket-of-the-shop',
      },
    ]);
    expect(transactions()).toBe(0);
    expect(relay.lines.join('\n')).not.toContain('ticket-of-the-shop');
  });
});
