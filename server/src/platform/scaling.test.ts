/** Two relays' processes behind a balancer, one Redis, one chain: they answer as one relay. */
import { once } from 'node:events';
import { base64 } from '@scure/base';
import { JsonRpcProvider } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import type { Devnet } from '../../../tests/support/relay/devnet.js';
import { REGISTER, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import { redisServer, startRedis, type TestRedis } from '../../../tests/support/relay/redis.js';
import {
  type RelayProcess,
  runRelayProcess,
  spawnRelay,
} from '../../../tests/support/relay/relay-process.js';
import { makeRelayerKeys } from '../../../tests/support/relay/relayer-keys.js';
import {
  createRpcClient,
  gasKeyView,
  type RpcClient,
  readSignedTransaction,
} from '../../../ts/src/near/index.js';
import type { RelayStatus } from '../observe/status.js';
import { issueSignupVoucher, makeVoucherKeyPair } from '../registration/voucher.js';
import { createDelegateSigner, greet, toRequest } from '../testing/delegate.js';
import { addKey } from '../testing/gas-key.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { loadVrf, makeRegistration, ORIGIN } from '../testing/registration.js';
import { keyText } from '../testing/scripted-relay.js';

const DELEGATE = '/signed-delegate';
const FUND = '/fund-app-key';
const METRICS_TOKEN = 'an-operators-token-of-32-letters';
const SENDERS = Array.from({ length: 12 }, (_, index) => `sender-${index}.testnet`);
const MILLI = 10n ** 21n;
const path = redisServer();

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly message?: string;
  readonly transactionHash?: string;
  readonly retryAfter: string | null;
}

describe.skipIf(path === null)('relays behind a balancer (core 9)', { timeout: 120_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let keys: string[];
  let sign: ReturnType<typeof createDelegateSigner>;
  const running: RelayProcess[] = [];
  const redises: TestRedis[] = [];

  beforeAll(async () => {
    await loadVrf();
    const fund = SENDERS.flatMap((accountId) => ['--fund', `${accountId}=0`]);
    chain = await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200, args: fund });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    sign = createDelegateSigner(new JsonRpcProvider({ url: chain.url }), SENDERS[0] ?? '');
    keys = await makeRelayerKeys(chain.url, 2);
  });
  afterAll(async () => {
    for (const relay of running) await relay.kill();
    for (const redis of redises) await redis.stop();
    await proxy?.close();
    await chain?.stop();
  });

  /** Two relays on a Redis of their own. */
  async function start(env: Readonly<Record<string, string>> = {}) {
    proxy.heal();
    proxy.calls.length = 0;
    const redis = await startRedis(String(path));
    redises.push(redis);
    const environment = {
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: keys.join(','),
      NEAR_RPC_URL: proxy.url,
      EXPECTED_ORIGIN: ORIGIN,
      REDIS_URL: redis.url,
      METRICS_TOKEN,
      RELAY_SPEND_CAP_NEAR: '100',
      RELAY_DAILY_SHARE: 'off',
      RELAY_LIMIT_REGISTRATIONS: 'off',
      RELAY_LIMIT_DELEGATE: 'off',
      DELEGATE_CALLS: 'w3a-v1.testnet:set_greeting',
      DELEGATE_SPEND_CAP_NEAR: '10',
      SHAMIR_E_S_B64U: keyText.e_s_b64u,
      SHAMIR_D_S_B64U: keyText.d_s_b64u,
      ...env,
    };
    const startRelay = async () => {
      const relay = await runRelayProcess(environment);
      running.push(relay);
      return relay;
    };
    const relays = await Promise.all([startRelay(), startRelay()]);
    return { redis, relays, startRelay };
  }

  async function post({ url }: { url: string }, at: string, body: unknown): Promise<Answer> {
    const response = await fetch(url + at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, ...((await response.json()) as object) };
  }

  /** Asks as a client does: again, while the answer says to. */
  const askUntilKnown = (relay: { url: string }, at: string, body: unknown): Promise<Answer> =>
    vi.waitFor(
      async () => {
        const answer = await post(relay, at, body);
        expect(answer.error).not.toBe('outcome_unknown');
        return answer;
      },
      { timeout: 60_000, interval: 500 },
    );

  /** The transactions that reached the chain: for whom each is. */
  async function sent() {
    const calls = proxy.calls.filter(({ name }) => name === 'send_tx');
    const encoded = new Set(calls.map(({ body }) => JSON.parse(body).params.signed_tx_base64 as string));
    return Promise.all([...encoded].map((text) => readSignedTransaction(base64.decode(text))));
  }
  const status = async ({ url }: { url: string }) =>
    (await (
      await fetch(`${url}/status`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).json()) as RelayStatus;
  const relayerBalance = async () => BigInt((await rpc.viewAccount(RELAYER))?.amount ?? 0);

  it('pay once for a registration and a delegate that both get at the same time, and both answer the same [S57]', async () => {
    const { relays } = await start();
    const registrations = await Promise.all(SENDERS.slice(0, 4).map(() => makeRegistration(rpc)));
    const delegates = await Promise.all(
      SENDERS.slice(0, 4).map((senderId) => sign([greet(`from ${senderId}`)], { senderId })),
    );
    const before = await relayerBalance();
    const jobs = [
      ...registrations.map((body) => [REGISTER, body] as const),
      ...delegates.map((delegate) => [DELEGATE, toRequest(delegate)] as const),
    ];
    const answers = await Promise.all(
      jobs.map(([at, body]) => Promise.all(relays.map((relay) => askUntilKnown(relay, at, body)))),
    );
    for (const [one, other] of answers) {
      expect([one?.status, other?.status]).toEqual([200, 200]);
      // A relay that finds a registration complete on the chain has no record of its transaction.
      const hashes = [one?.transactionHash, other?.transactionHash].filter((hash) => hash);
      expect(new Set(hashes).size).toBe(1);
    }
    expect(await executed()).toBe(8);
    const { countedYocto, reservedYocto } = await status(relays[0]!);
    expect(reservedYocto).toBe('0');
    expect(BigInt(countedYocto)).toBe(before - (await relayerBalance()));
    expect((await status(relays[1]!)).countedYocto).toBe(countedYocto);
  });

  it('hold the spend cap and a client’s share over both of them [S57]', async () => {
    const { relays } = await start({ RELAY_SPEND_CAP_NEAR: '0.8', RELAY_DAILY_SHARE: '50,50' });
    const before = await relayerBalance();
    const requests = await Promise.all(Array.from({ length: 12 }, () => makeRegistration(rpc)));
    const answers = await Promise.all(
      requests.map((body, index) => askUntilKnown(relays[index % 2]!, REGISTER, body)),
    );
    const good = answers.filter((answer) => answer.status === 200);
    expect(good.length).toBeGreaterThan(1);
    expect(good.length).toBeLessThan(12);
    for (const answer of answers.filter((each) => each.status !== 200))
      expect(answer).toMatchObject({ status: 429, error: 'address_cap' });
    expect(before - (await relayerBalance())).toBeLessThanOrEqual(400n * MILLI);
  });

  it('hold the caps of delegates and of one sender over both of them', async () => {
    const caps = { DELEGATE_SPEND_CAP_NEAR: '0.23', DELEGATE_SENDER_CAP_NEAR: '0.12' };
    const { relays } = await start(caps);
    const ask = async (senderId: string, relay: RelayProcess) =>
      post(relay, DELEGATE, toRequest(await sign([greet('x', 90n * 10n ** 12n)], { senderId })));
    // Each reserves 0.095 NEAR while it runs.
    const release = proxy.hold('send_tx');
    const running = [ask(SENDERS[5]!, relays[0]!), ask(SENDERS[6]!, relays[1]!)];
    await vi.waitFor(async () => expect(await sent()).toHaveLength(2), { timeout: 30_000 });
    const same = await ask(SENDERS[5]!, relays[1]!);
    const third = await ask(SENDERS[7]!, relays[0]!);
    release();
    const [one, other] = await Promise.all(running);
    expect([one?.status, other?.status]).toEqual([200, 200]);
    expect(same).toMatchObject({
      status: 429,
      error: 'spend_cap',
      message: expect.stringContaining(SENDERS[5]!),
    });
    expect(third).toMatchObject({ status: 429, error: 'spend_cap' });
    expect(third.message).not.toContain(SENDERS[7]);
  });

  it('pay into an app key once, for a request that both get at the same time and after', async () => {
    const app = await makeVoucherKeyPair();
    const { relays } = await start({
      SIGNUP_VOUCHER_KEY: app.publicKey,
      APP_KEY_ACCOUNT_CAP_NEAR: '0.15',
      APP_KEY_SPEND_CAP_NEAR: '1',
    });
    const [account_id, amount] = ['testnet', String(100n * MILLI)];
    const public_key = await addKey(rpc, account_id);
    const body = async () => {
      const { privateKey } = app;
      const voucher = await issueSignupVoucher({ privateKey, accountId: account_id, prepaid: '0.1' });
      return { account_id, public_key, amount, signup_voucher: voucher };
    };
    const one = await body();
    const answers = await Promise.all(relays.map((relay) => askUntilKnown(relay, FUND, one)));
    answers.push(await askUntilKnown(relays[1]!, FUND, one));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.transactionHash)).size).toBe(1);
    const key = await rpc.viewAccessKey(account_id, public_key);
    expect(key && gasKeyView(key)?.balance).toBe(amount);
    // The cap of the account is one for both.
    expect(await post(relays[1]!, FUND, await body())).toMatchObject({ status: 429, error: 'spend_cap' });
    expect(await status(relays[0]!)).toMatchObject({ reservedYocto: '0' });
  });

  it('count the requests of an address together', async () => {
    const { relays } = await start({ RELAY_LIMIT_REGISTRATIONS: '3,100' });
    const answers = [];
    for (const [index, request] of (
      await Promise.all(SENDERS.slice(0, 5).map(() => makeRegistration(rpc)))
    ).entries()) {
      answers.push((await post(relays[index % 2]!, REGISTER, request)).status);
    }
    expect(answers).toEqual([200, 200, 200, 429, 429]);
  });

  it('finish what a killed one has sent, with the same transaction', async () => {
    const { relays } = await start();
    const [doomed, other] = relays;
    const registration = await makeRegistration(rpc);
    const delegate = toRequest(await sign([greet('from the killed one')], { senderId: SENDERS[8]! }));
    const release = proxy.hold('send_tx');
    const lost = [post(doomed!, REGISTER, registration), post(doomed!, DELEGATE, delegate)];
    for (const each of lost) each.catch(() => undefined);
    await vi.waitFor(async () => expect(await sent()).toHaveLength(2), { timeout: 30_000 });
    await doomed!.kill();
    release();

    const [registered, delegated] = await Promise.all([
      askUntilKnown(other!, REGISTER, registration),
      askUntilKnown(other!, DELEGATE, delegate),
    ]);
    const all = await sent();
    expect([registered.status, delegated.status]).toEqual([200, 200]);
    expect(all.map(({ transactionId }) => transactionId).sort()).toEqual(
      [registered.transactionHash, delegated.transactionHash].sort(),
    );
    expect(await status(other!)).toMatchObject({ reservedYocto: '0' });
  });

  it('end what killed ones left at each step, though no client comes back: nothing is paid twice, and the cap is given back', async () => {
    const { relays, startRelay } = await start();
    const [watching, beforeKeep] = relays as [RelayProcess, RelayProcess];
    const [beforeSend, beforeAnswer, beforeEnd] = await Promise.all([
      startRelay(),
      startRelay(),
      startRelay(),
    ]);
    const before = await relayerBalance();
    const registrations = await Promise.all(Array.from({ length: 4 }, () => makeRegistration(rpc)));
    const [unkept, unsent, unanswered, unended] = registrations;
    const delegate = toRequest(await sign([greet('from the killed one')], { senderId: SENDERS[10]! }));
    const leave = (relay: RelayProcess, at: string, body: unknown) => {
      post(relay, at, body).catch(() => undefined);
    };
    const arrivals = (name: string) => proxy.calls.filter((call) => call.name === name).length;
    /** Kills the relay when its call of this name arrives, which no node gets. */
    const killAt = async (name: string, relay: RelayProcess, ...asked: [at: string, body: unknown][]) => {
      const seen = arrivals(name);
      proxy.hold(name);
      for (const [at, body] of asked) leave(relay, at, body);
      await vi.waitFor(() => expect(arrivals(name)).toBe(seen + asked.length), { timeout: 30_000 });
      await relay.kill();
      proxy.heal();
    };

    await killAt('query:view_access_key', beforeKeep, [REGISTER, unkept]);
    expect(await sent()).toEqual([]);
    expect(BigInt((await status(watching)).reservedYocto)).toBeGreaterThan(0n);
    await killAt('send_tx', beforeSend, [REGISTER, unsent], [DELEGATE, delegate]);
    await killAt('query:view_access_key_list', beforeEnd, [REGISTER, unended]);
    proxy.fail('send_tx', {
      kind: 'rewrite-answer',
      rewrite(answer) {
        beforeAnswer.signal('SIGKILL');
        return answer;
      },
    });
    leave(beforeAnswer, REGISTER, unanswered);
    await beforeAnswer.ended;
    await watching.kill();
    proxy.heal();

    const fresh = await startRelay();
    await vi.waitFor(async () => expect(await status(fresh)).toMatchObject({ reservedYocto: '0' }), {
      timeout: 90_000,
      interval: 500,
    });
    // A later nonce of the same key may have overtaken what was never sent; the chain then refuses it, and it costs nothing.
    expect(BigInt((await status(fresh)).countedYocto)).toBe(before - (await relayerBalance()));
    expect(fresh.errors()).toContain('registration_swept');
    expect(fresh.errors()).toContain('reservations_ended');

    const answers = await Promise.all([
      ...[unsent, unanswered, unended].map((body) => askUntilKnown(fresh, REGISTER, body)),
      askUntilKnown(fresh, DELEGATE, delegate),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await executed()).toBe(4);
    expect(await askUntilKnown(fresh, REGISTER, unkept)).toMatchObject({ status: 200 });
    expect(await executed()).toBe(5);
    const { countedYocto, reservedYocto } = await status(fresh);
    expect(reservedYocto).toBe('0');
    expect(BigInt(countedYocto)).toBe(before - (await relayerBalance()));
  });

  it('refuse what costs money while Redis is away, say so, and go on as before when it is back [S58]', async () => {
    const { relays, redis } = await start({ RELAY_SPEND_CAP_NEAR: '0.3' });
    expect(await askUntilKnown(relays[0]!, REGISTER, await makeRegistration(rpc))).toMatchObject({
      status: 200,
    });
    const { countedYocto } = await status(relays[1]!);
    await redis.kill();
    proxy.calls.length = 0;
    const delegate = toRequest(await sign([greet('while it is away')], { senderId: SENDERS[9]! }));
    for (const relay of relays) {
      for (const [at, body] of [
        [REGISTER, await makeRegistration(rpc)] as const,
        [DELEGATE, delegate] as const,
      ]) {
        const answer = await post(relay, at, body);
        expect(answer).toMatchObject({ status: 503, error: 'not_ready', retryAfter: expect.any(String) });
        expect(answer.message).toContain('Nothing was sent');
      }
      expect((await fetch(`${relay.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${relay.url}/healthz`)).status).toBe(200);
      const unlocked = await post(relay, '/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) });
      expect(unlocked.status).toBe(200);
    }
    expect(await sent()).toEqual([]);

    await redis.start();
    // Each connects again in its own time.
    for (const { url } of relays) {
      await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
        timeout: 30_000,
        interval: 200,
      });
    }
    expect(await askUntilKnown(relays[1]!, DELEGATE, delegate)).toMatchObject({ status: 200 });
    const after = await status(relays[1]!);
    expect(BigInt(after.countedYocto)).toBeGreaterThan(BigInt(countedYocto));
    const [first, second, third] = await Promise.all(SENDERS.slice(0, 3).map(() => makeRegistration(rpc)));
    expect(await askUntilKnown(relays[0]!, REGISTER, first)).toMatchObject({ status: 200 });
    expect(await askUntilKnown(relays[1]!, REGISTER, second)).toMatchObject({ status: 200 });
    expect(await askUntilKnown(relays[0]!, REGISTER, third)).toMatchObject({
      status: 429,
      error: 'spend_cap',
    });
  });

  it('start while Redis is away, and wait for it', async () => {
    const { redis, startRelay } = await start();
    await redis.kill();
    const relay = await startRelay();
    expect(await post(relay, REGISTER, await makeRegistration(rpc))).toMatchObject({ error: 'not_ready' });
    await redis.start();
    const request = await makeRegistration(rpc);
    await vi.waitFor(async () => expect((await post(relay, REGISTER, request)).status).toBe(200), {
      timeout: 30_000,
      interval: 500,
    });
  });

  it('end with a sentence on a Redis that forgets what was spent', async () => {
    const unfit = await startRedis(String(path), ['--appendonly', 'no']);
    redises.push(unfit);
    const relay = spawnRelay({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: keys.join(','),
      EXPECTED_ORIGIN: ORIGIN,
      REDIS_URL: unfit.url,
    });
    expect(await once(relay, 'close')).toEqual([1, null]);
    expect(relay.errors()).toContain('Set appendonly yes');
    expect(relay.errors()).not.toContain(unfit.password);
  });

  /** How many of the sent transactions the chain executed. */
  async function executed(): Promise<number> {
    const outcomes = await Promise.all(
      (await sent()).map(({ transactionId }) =>
        rpc.transactionStatus(transactionId, RELAYER).catch(() => null),
      ),
    );
    return outcomes.filter((outcome) => outcome !== null).length;
  }
});
