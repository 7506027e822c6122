/** A relay alone with its record in a file, killed at each step of a payment: the next one with the file ends what it left. */
import { base64 } from '@scure/base';
import { JsonRpcProvider } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey } from '../../../tests/support/relay/devnet.js';
import { REGISTER, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import { type RelayProcess, runRelayProcess } from '../../../tests/support/relay/relay-process.js';
import { createRpcClient, type RpcClient, readSignedTransaction } from '../../../ts/src/near/index.js';
import type { RelayStatus } from '../observe/status.js';
import { createDelegateSigner, greet, toRequest } from '../testing/delegate.js';
import { loadVrf, makeRegistration, ORIGIN } from '../testing/registration.js';
import { temporaryFolder } from '../testing/temporary-folder.js';

const DELEGATE = '/signed-delegate';
const METRICS_TOKEN = 'an-operators-token-of-32-letters';
const SENDER = 'sender.testnet';
const DELEGATES = {
  DELEGATE_CALLS: 'w3a-v1.testnet:set_greeting',
  DELEGATE_SPEND_CAP_NEAR: '10',
};

describe('a relay that starts with the file of a killed one', { timeout: 180_000 }, () => {
  const folder = temporaryFolder();
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  const running: RelayProcess[] = [];

  beforeAll(async () => {
    await loadVrf();
    chain = await startChain({
      port: 0,
      blockTimeMs: 100,
      maxBlockAge: 1200,
      args: ['--fund', `${SENDER}=0`],
    });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
  });
  afterAll(async () => {
    for (const relay of running) await relay.kill();
    await proxy?.close();
    await chain?.stop();
  });

  const start = async (env: Readonly<Record<string, string>> = DELEGATES) => {
    const relay = await runRelayProcess({
      RELAYER_ACCOUNT_ID: RELAYER,
      RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
      NEAR_RPC_URL: proxy.url,
      EXPECTED_ORIGIN: ORIGIN,
      RELAY_STATE_FILE: folder.file('state.json'),
      METRICS_TOKEN,
      RELAY_SPEND_CAP_NEAR: '100',
      ...env,
    });
    running.push(relay);
    return relay;
  };
  const post = async ({ url }: RelayProcess, at: string, body: unknown) => {
    const answer = await fetch(url + at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as { error?: string }) };
  };
  const status = async ({ url }: RelayProcess) =>
    (await (
      await fetch(`${url}/status`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).json()) as RelayStatus;
  const relayerBalance = async () => BigInt((await rpc.viewAccount(RELAYER))?.amount ?? 0);
  /** The transactions that reached the proxy. */
  const sent = () => {
    const calls = proxy.calls.filter(({ name }) => name === 'send_tx');
    const encoded = new Set(calls.map(({ body }) => JSON.parse(body).params.signed_tx_base64 as string));
    return Promise.all([...encoded].map((text) => readSignedTransaction(base64.decode(text))));
  };
  /** Kills the relay when its calls of this name arrive, which no node gets. */
  const killAt = async (name: string, relay: RelayProcess, ...asked: [at: string, body: unknown][]) => {
    const arrivals = () => proxy.calls.filter((call) => call.name === name).length;
    const seen = arrivals();
    proxy.hold(name);
    for (const [at, body] of asked) post(relay, at, body).catch(() => undefined);
    await vi.waitFor(() => expect(arrivals()).toBe(seen + asked.length), { timeout: 30_000 });
    await relay.kill();
    proxy.heal();
  };
  const settled = (relay: RelayProcess) =>
    vi.waitFor(async () => expect(await status(relay)).toMatchObject({ reservedYocto: '0' }), {
      timeout: 60_000,
      interval: 250,
    });

  it('ends it though no client comes back: nothing is paid twice, and the cap is given back', async () => {
    const sign = createDelegateSigner(new JsonRpcProvider({ url: chain.url }), SENDER);
    const [unkept, unsent, unanswered] = await Promise.all(
      Array.from({ length: 3 }, () => makeRegistration(rpc)),
    );
    const delegate = toRequest(await sign([greet('from the killed one')]));
    const before = await relayerBalance();

    await killAt('query:view_access_key', await start(), [REGISTER, unkept]);
    expect(await sent()).toEqual([]);
    const second = await start();
    await settled(second);
    expect(await status(second)).toMatchObject({ countedYocto: '0' });
    expect(second.errors()).toContain('reservations_ended');

    await killAt('send_tx', second, [REGISTER, unsent], [DELEGATE, delegate]);
    // The next one has no policy for delegates.
    const third = await start({});
    await settled(third);
    expect(third.errors()).toContain('registration_swept');
    expect(third.errors()).toContain('delegate_swept');

    proxy.fail('send_tx', {
      kind: 'rewrite-answer',
      rewrite(answer) {
        third.signal('SIGKILL');
        return answer;
      },
    });
    post(third, REGISTER, unanswered).catch(() => undefined);
    await third.ended;
    proxy.heal();
    const last = await start();
    await settled(last);
    expect(BigInt((await status(last)).countedYocto)).toBe(before - (await relayerBalance()));

    for (const body of [unkept, unsent, unanswered])
      expect(await post(last, REGISTER, body)).toMatchObject({ status: 200 });
    expect(await post(last, DELEGATE, delegate)).toMatchObject({ status: 200 });
    expect(BigInt((await status(last)).countedYocto)).toBe(before - (await relayerBalance()));
    expect(await status(last)).toMatchObject({ reservedYocto: '0' });
  });
});
