/** The relay's registration over real HTTP, against the real chain with the real registry. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import { createRpcClient, type RpcClient } from '../../../ts/src/near/index.js';
import { createLog } from '../observe/log.js';
import { readRelayConfig } from '../platform/config.js';
import { type RunningRelay, startRelay } from '../platform/node.js';
import {
  loadVrf,
  type MadeRegistration,
  makePublicKey,
  makeRegistration,
  makeStrangeRegistration,
  ORIGIN,
} from '../testing/registration.js';

const INITIAL_BALANCE = 100_000_000_000_000_000_000_000n;
const RELAYER = 'relayer.testnet';

describe('a registration (core 1, core 7)', { timeout: 60_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let relay: RunningRelay;
  let rpc: RpcClient;
  const lines: string[] = [];

  const start = (rpcUrl: string) =>
    startRelay(
      readRelayConfig({
        RELAYER_ACCOUNT_ID: RELAYER,
        RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
        NEAR_RPC_URL: rpcUrl,
        ACCOUNT_INITIAL_BALANCE: String(INITIAL_BALANCE),
        EXPECTED_ORIGIN: ORIGIN,
        RELAY_LIMIT_REGISTRATIONS: 'off',
        RELAY_DAILY_SHARE: 'off',
        PORT: '0',
      }),
      createLog((line) => lines.push(line)),
    );

  beforeAll(async () => {
    await loadVrf();
    chain = await startDevnet();
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    relay = await start(proxy.url);
  });
  afterAll(async () => {
    await relay?.close();
    await proxy?.close();
    await chain?.stop();
  });
  const healAndForget = () => {
    proxy.heal();
    proxy.calls.length = 0;
  };
  beforeEach(healAndForget);

  async function register(request: MadeRegistration, at = relay) {
    const response = await fetch(`${at.url}/create_account_and_register_user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const answer = (await response.json()) as { transactionHash?: string; message: string };
    return { status: response.status, ...answer };
  }

  const sent = () =>
    new Set(
      proxy.calls
        .filter((call) => call.name === 'send_tx')
        .map((call) => JSON.parse(call.body).params.signed_tx_base64),
    );
  /** Changes the result in the chain's answers to a query. */
  const rewriteResult = (query: string, rewrite: (result: object) => object) =>
    proxy.fail(`query:${query}`, {
      kind: 'rewrite-answer',
      rewrite: (envelope: { result: object }) => ({ ...envelope, result: rewrite(envelope.result) }),
    });
  const relayerBalance = async () => BigInt((await rpc.viewAccount(RELAYER))?.amount ?? 0);

  it('creates the account with only the requested key, and returns the transaction', async () => {
    const request = await makeRegistration(rpc);
    const answer = await register(request);
    expect(answer).toMatchObject({ status: 200, success: true, transactionHash: expect.any(String) });
    const { keys } = await rpc.viewAccessKeyList(request.new_account_id);
    expect(keys.map((key) => key.public_key)).toEqual([request.new_public_key]);
    const account = await rpc.viewAccount(request.new_account_id);
    expect(BigInt(account!.amount)).toBeGreaterThanOrEqual(INITIAL_BALANCE);
    const outcome = await rpc.transactionStatus(String(answer.transactionHash), RELAYER);
    expect(outcome?.transaction).toMatchObject({ signer_id: RELAYER, receiver_id: 'w3a-v1.testnet' });
  });

  it('made twice, one after the other or at the same time, is one transaction', async () => {
    const request = await makeRegistration(rpc);
    const [first, second] = await Promise.all([register(request), register(request)]);
    const third = await register(request);
    expect(first).toMatchObject({ status: 200 });
    expect(second.transactionHash).toBe(first.transactionHash);
    expect(third.transactionHash).toBe(first.transactionHash);
    expect(sent().size).toBe(1);
  });

  it('repeated at a relay without a record of it is found complete and costs nothing', async () => {
    const request = await makeRegistration(rpc);
    expect(await register(request)).toMatchObject({ status: 200 });
    const other = await start(proxy.url);
    try {
      healAndForget();
      expect(await register(request, other)).toMatchObject({ status: 200, success: true });
      expect(sent().size).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('of a taken name is refused with 409, and nothing is sent', async () => {
    const request = await makeRegistration(rpc);
    expect(await register(request)).toMatchObject({ status: 200 });
    healAndForget();
    const again = {
      ...(await makeRegistration(rpc, request.new_account_id.split('.')[0])),
      new_public_key: makePublicKey(),
    };
    expect(await register(again)).toMatchObject({ status: 409, success: false, error: 'account_exists' });
    expect(sent().size).toBe(0);
  });

  it('of one name with two keys at the same time creates one account', async () => {
    const first = await makeRegistration(rpc);
    const second = await makeRegistration(rpc, first.new_account_id.split('.')[0]);
    const answers = await Promise.all([register(first), register(second)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  it('whose challenge names a block that the relay’s node does not have yet waits for that block', async () => {
    const network = (lags: readonly number[]) =>
      fetch(`${chain.url}/admin/network`, { method: 'PUT', body: JSON.stringify({ lags }) });
    const atTheHead = createRpcClient({ urls: `${chain.url}/admin/rpc` });
    await network([8]);
    try {
      expect(await register(await makeRegistration(atTheHead))).toMatchObject({ status: 200 });
    } finally {
      await network([0]);
    }
  });

  it('that the registry refuses is a 400 with its reason, and nothing is sent', async () => {
    const request = await makeRegistration(rpc);
    request.vrf_data.vrf_proof[3]! ^= 1;
    const answer = await register(request);
    expect(answer).toMatchObject({ status: 400, success: false, error: 'not_verified' });
    expect(answer.message).toContain('the VRF proof or its output is wrong');
    expect(sent().size).toBe(0);
  });

  it('that the registry refuses only at execution is a 400, and the deposit returns', async () => {
    const verdict = [...Buffer.from('{"verified":true,"user_exists":false}')];
    rewriteResult('check_can_register_user', (result) => ({ ...result, result: verdict }));
    const before = await relayerBalance();
    const request = await makeStrangeRegistration(rpc);
    const answer = await register(request);
    expect(answer).toMatchObject({ status: 400, error: 'not_verified', transactionHash: expect.any(String) });
    expect(answer.message).toContain('the origin is not allowed');
    expect(await rpc.viewAccount(request.new_account_id)).toBeNull();
    expect(before - (await relayerBalance())).toBeLessThan(INITIAL_BALANCE / 10n);
  });

  it('is a 502 when the account holds another key than the requested one', async () => {
    const foreign = makePublicKey();
    const keys = [{ public_key: foreign, access_key: { nonce: 1, permission: 'FullAccess' } }];
    rewriteResult('view_access_key_list', (result) => ({ ...result, keys }));
    expect(await register(await makeRegistration(rpc))).toMatchObject({ status: 502, error: 'key_mismatch' });
  });

  it('is a 503 saying that nothing was sent while the chain is down, and works afterwards', async () => {
    const request = await makeRegistration(rpc);
    proxy.fail('*', { kind: 'refuse' });
    const answer = await register(request);
    expect(answer).toMatchObject({ status: 503, success: false, error: 'chain_unreachable' });
    expect(answer.message).toContain('Nothing was sent');
    healAndForget();
    expect(await register(request)).toMatchObject({ status: 200 });
  });

  it('whose answer was lost after the chain accepted it is looked up, not paid twice', async () => {
    const request = await makeRegistration(rpc);
    proxy.fail('send_tx', { kind: 'drop-answer' }, 1);
    expect(await register(request)).toMatchObject({ status: 200 });
    expect(sent().size).toBe(1);
    expect(proxy.calls.some((call) => call.name === 'tx')).toBe(true);
  });

  it('whose outcome stays unknown is a 502 with its hash, and a repeated request settles it without another payment', async () => {
    const request = await makeRegistration(rpc);
    for (const method of ['send_tx', 'tx']) proxy.fail(method, { kind: 'drop-answer' });
    const unknown = await register(request);
    expect(unknown).toMatchObject({
      status: 502,
      error: 'outcome_unknown',
      transactionHash: expect.any(String),
    });
    proxy.heal();
    const settled = await register(request);
    expect(settled).toMatchObject({ status: 200, transactionHash: unknown.transactionHash });
    expect(sent().size).toBe(1);
  });

  it('in parallel with others on one key takes its own nonce', async () => {
    const requests = await Promise.all(Array.from({ length: 12 }, () => makeRegistration(rpc)));
    const answers = await Promise.all(requests.map((request) => register(request)));
    expect(answers.map((answer) => answer.status)).toEqual(requests.map(() => 200));
    expect(new Set(answers.map((answer) => answer.transactionHash)).size).toBe(requests.length);
  });

  it('is signed again when another user of the key has taken the nonce', async () => {
    const other = await start(proxy.url);
    try {
      expect(await register(await makeRegistration(rpc), other)).toMatchObject({ status: 200 });
      expect(await register(await makeRegistration(rpc), relay)).toMatchObject({ status: 200 });
      expect(await register(await makeRegistration(rpc), other)).toMatchObject({ status: 200 });
    } finally {
      await other.close();
    }
    expect(lines.some((line) => line.includes('InvalidNonce'))).toBe(true);
  });

  it('in progress is finished and answered before the relay stops', async () => {
    const other = await start(proxy.url);
    const registering = register(await makeRegistration(rpc), other);
    while (sent().size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    expect(await registering).toMatchObject({ status: 200 });
    await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
  });

  it('leaves no secret in the log', () => {
    expect(lines.length).toBeGreaterThan(10);
    const secret = developmentKey(RELAYER).slice('ed25519:'.length);
    expect(lines.join()).not.toContain(secret.slice(0, 12));
  });
});
