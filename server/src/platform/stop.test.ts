/** How a relay stops, and that its paid registrations outlive it: real processes, on the real chain. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey } from '../../../tests/support/relay/devnet.js';
import { type RelayProcess, runRelayProcess } from '../../../tests/support/relay/relay-process.js';
import { createRpcClient, type RpcClient } from '../../../ts/src/near/index.js';
import { openBooks } from '../testing/books.js';
import { loadVrf, type MadeRegistration, makeRegistration, ORIGIN } from '../testing/registration.js';

const INITIAL_BALANCE = '100000000000000000000000';

describe('a relay that stops while it registers', { timeout: 240_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let relays: RelayProcess[] = [];

  beforeAll(async () => {
    await loadVrf();
    // Slow enough to stop a relay between two blocks.
    chain = await startChain({ port: 0, blockTimeMs: 600, maxBlockAge: 1000 });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
  });
  afterAll(async () => {
    await proxy?.close();
    await chain?.stop();
  });
  beforeEach(() => proxy.heal());
  afterEach(async () => {
    for (const relay of relays) await relay.kill();
    relays = [];
  });

  async function start(env: Record<string, string> = {}): Promise<RelayProcess> {
    const relay = await runRelayProcess({
      RELAYER_ACCOUNT_ID: 'relayer.testnet',
      RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
      NEAR_RPC_URL: proxy.url,
      ACCOUNT_INITIAL_BALANCE: INITIAL_BALANCE,
      EXPECTED_ORIGIN: ORIGIN,
      ...env,
    });
    relays.push(relay);
    return relay;
  }

  async function register({ url }: RelayProcess, request: MadeRegistration) {
    const response = await fetch(`${url}/create_account_and_register_user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const answer = (await response.json()) as { transactionHash: string | null };
    return { status: response.status, ...answer };
  }

  /** Repeats the request until the outcome is certain, as a client does. */
  async function registerAgain(relay: RelayProcess, request: MadeRegistration) {
    for (let tries = 0; ; tries += 1) {
      const answer = await register(relay, request);
      if (answer.status !== 502 || tries === 60) return answer;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  const hasSent = () =>
    vi.waitUntil(() => proxy.calls.some(({ name }) => name === 'send_tx'), { timeout: 60_000, interval: 5 });
  const hasKey = async ({ new_account_id, new_public_key }: MadeRegistration) => {
    const { keys } = await rpc.viewAccessKeyList(new_account_id);
    expect(keys.map((key) => key.public_key)).toEqual([new_public_key]);
  };
  /** The hash of the one transaction sent. */
  const oneHash = async (books: Awaited<ReturnType<typeof openBooks>>) => {
    const hashes = (await books.signed()).map(({ transactionId }) => transactionId);
    expect(hashes).toHaveLength(1);
    return hashes.join();
  };

  it('answers it first, refuses new connections, and exits with code 0', async () => {
    const relay = await start();
    const request = await makeRegistration(rpc);
    const books = await openBooks(rpc, proxy);
    const release = proxy.hold('send_tx');
    const registering = register(relay, request);
    await hasSent();
    relay.signal('SIGTERM');
    await vi.waitUntil(
      () =>
        fetch(`${relay.url}/healthz`).then(
          () => false,
          () => true,
        ),
      { timeout: 60_000 },
    );
    expect(relay.exit()).toBeNull();
    release();
    expect(await registering).toMatchObject({ status: 200, success: true });
    expect(await relay.ended).toEqual([0, null]);
    expect(relay.errors()).toContain('relay stopping');
    expect(relay.errors()).not.toContain('abandons');
    expect(await books.balance([request])).toBe(1);
  });

  it('and cannot answer it in time, names the transaction; another relay then pays nothing', async () => {
    const relay = await start({ STOP_TIMEOUT_SECONDS: '1' });
    const request = await makeRegistration(rpc);
    const books = await openBooks(rpc, proxy);
    const release = proxy.hold('send_tx');
    const registering = register(relay, request).catch((error: unknown) => error);
    await hasSent();
    relay.signal('SIGTERM');
    expect(await relay.ended).toEqual([1, null]);
    expect(await registering).toBeInstanceOf(Error);
    expect(relay.errors()).toContain(`not seen to its end: ${await oneHash(books)}`);
    expect(relay.errors()).toContain('after STOP_TIMEOUT_SECONDS');

    release();
    expect(await registerAgain(await start(), request)).toMatchObject({ status: 200, success: true });
    await hasKey(request);
    await books.balance([request]);
  });

  it('and gets a second signal, exits immediately', async () => {
    const relay = await start({ STOP_TIMEOUT_SECONDS: '3600' });
    const request = await makeRegistration(rpc);
    const books = await openBooks(rpc, proxy);
    const release = proxy.hold('send_tx');
    const registering = register(relay, request).catch((error: unknown) => error);
    await hasSent();
    relay.signal('SIGTERM');
    await vi.waitUntil(() => relay.errors().includes('relay stopping'), { timeout: 60_000 });
    relay.signal('SIGINT');
    expect(await relay.ended).toEqual([130, null]);
    expect(await registering).toBeInstanceOf(Error);
    expect(relay.errors()).toContain(`not seen to its end: ${await oneHash(books)}`);

    release();
    expect(await registerAgain(await start(), request)).toMatchObject({ status: 200, success: true });
    await hasKey(request);
    await books.balance([request]);
  });

  it('ignores the echo of a signal', async () => {
    const relay = await start();
    const request = await makeRegistration(rpc);
    const books = await openBooks(rpc, proxy);
    const release = proxy.hold('send_tx');
    const registering = register(relay, request);
    await hasSent();
    // Back to back, as a terminal and npm send it.
    relay.signal('SIGINT');
    relay.signal('SIGINT');
    await vi.waitUntil(() => relay.errors().includes('relay stopping'), { timeout: 60_000 });
    release();
    expect(await registering).toMatchObject({ status: 200 });
    expect(await relay.ended).toEqual([0, null]);
    expect(await books.balance([request])).toBe(1);
  });

  it.each([
    ['before a block contains it', false],
    ['after it is final', true],
  ])(
    'killed %s, has paid once: the next relay finds the registration for the same request',
    async (_, waits) => {
      const relay = await start();
      const request = await makeRegistration(rpc);
      const books = await openBooks(rpc, proxy);
      // The chain accepts it, but the relay never gets the answer.
      proxy.fail('send_tx', { kind: 'drop-answer' });
      const release = proxy.hold('tx');
      const registering = register(relay, request).catch((error: unknown) => error);
      await hasSent();
      if (waits) {
        await vi.waitUntil(() => rpc.viewAccount(request.new_account_id), { timeout: 60_000, interval: 100 });
      }
      relay.signal('SIGKILL');
      expect(await relay.ended).toEqual([null, 'SIGKILL']);
      expect(await registering).toBeInstanceOf(Error);

      proxy.heal();
      release();
      const answer = await registerAgain(await start(), request);
      expect(answer).toMatchObject({ status: 200, success: true });
      await hasKey(request);
      const taken = await books.balance([request]);
      if (waits) {
        expect(taken).toBe(1);
        expect(answer.transactionHash).toBeNull();
      }
    },
  );
});
