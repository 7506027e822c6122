/** Signed delegates over real HTTP, made by near-api-js, against the real chain with the real registry. */
import { base58, base64urlnopad } from '@scure/base';
import { Account, type Action, actions, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../../../demo/stack/fault-proxy.js';
import { startChain } from '../../../../demo/stack/services.js';
import { createRpcClient, type RpcClient } from '../../near/index.js';
import { createLog } from '../observe/log.js';
import { readRelayConfig } from '../platform/config.js';
import { type RunningRelay, startRelay } from '../platform/node.js';
import { burntYocto } from '../relayer/spend.js';
import {
  createDelegateSigner,
  greet,
  type MadeDelegate,
  makeDelegate,
  toRequest,
} from '../testing/delegate.js';
import { type Devnet, developmentKey } from '../testing/devnet.js';

const RELAYER = 'relayer.testnet';
const REGISTRY = 'w3a-v1.testnet';
/** Senders without NEAR: the chain would refuse their own transactions. */
const PENNILESS = Array.from({ length: 20 }, (_, index) => `penniless-${index}.testnet`);
const [SENDER = '', OTHER = ''] = PENNILESS;
const TGAS = 10n ** 12n;
const POLICY = { DELEGATE_CALLS: `${REGISTRY}:set_greeting`, DELEGATE_SPEND_CAP_NEAR: '100' };

describe('a signed delegate', { timeout: 240_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let relay: RunningRelay;
  let rpc: RpcClient;
  let provider: JsonRpcProvider;
  let sign: ReturnType<typeof createDelegateSigner>;
  const lines: string[] = [];

  const start = (env: Record<string, string> = {}) =>
    startRelay(
      readRelayConfig({
        RELAYER_ACCOUNT_ID: RELAYER,
        RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
        NEAR_RPC_URL: proxy.url,
        EXPECTED_ORIGIN: 'http://localhost:5173',
        RELAY_SPEND_CAP_NEAR: 'none',
        RELAY_LIMIT_DELEGATE: 'off',
        PORT: '0',
        ...POLICY,
        ...env,
      }),
      createLog((line) => lines.push(line)),
    );

  beforeAll(async () => {
    const fund = PENNILESS.flatMap((accountId) => ['--fund', `${accountId}=0`]);
    chain = await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200, args: fund });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: chain.url });
    provider = new JsonRpcProvider({ url: chain.url });
    sign = createDelegateSigner(provider, SENDER);
    relay = await start();
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

  const keyOf = (accountId: string) => KeyPair.fromString(developmentKey(accountId));

  async function post(body: unknown, at = relay) {
    const response = await fetch(`${at.url}/signed-delegate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { transactionHash?: string; message?: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...answer };
  }
  const relayIt = (delegate: MadeDelegate, at?: RunningRelay) => post(toRequest(delegate), at);

  const setFaults = async (method: 'PUT' | 'DELETE', faults?: object) => {
    const response = await fetch(`${chain.url}/admin/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(faults && { body: JSON.stringify(faults) }),
    });
    expect(response.ok).toBe(true);
  };

  /** Behaves like a client on a bad network: repeats every request that it may repeat. */
  async function postUntilAnswered(delegate: MadeDelegate): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      const answer = await relayIt(delegate);
      if (answer.status === 200) return;
      expect([429, 502, 503]).toContain(answer.status);
    }
    expect.fail('it got no answer in fifty tries');
  }

  const sent = () =>
    new Set(
      proxy.calls
        .filter((call) => call.name === 'send_tx')
        .map((call) => JSON.parse(call.body).params.signed_tx_base64),
    );
  const greeting = () => provider.callFunction({ contractId: REGISTRY, method: 'get_greeting', args: {} });
  const balance = async (accountId: string) => BigInt((await rpc.viewAccount(accountId))?.amount ?? -1);
  const outcomeOf = async (transactionHash: string | undefined) => {
    const outcome = await rpc.transactionStatus(String(transactionHash), RELAYER);
    if (!outcome) throw new Error('the chain does not know the transaction');
    return outcome;
  };

  it('by a key that was made a moment ago is paid for, although the relay asks nodes that lag first', async () => {
    const network = (lags: readonly number[]) =>
      fetch(`${chain.url}/admin/network`, { method: 'PUT', body: JSON.stringify({ lags }) });
    const atTheHead = new JsonRpcProvider({ url: `${chain.url}/admin/rpc` });
    const funder = new Account('testnet', atTheHead, new KeyPairSigner(keyOf('testnet')));
    const key = KeyPair.fromRandom('ed25519');
    await network([8, 8, 0]);
    try {
      await funder.signAndSendTransaction({
        receiverId: 'late.testnet',
        actions: [
          actions.createAccount(),
          actions.transfer(1n),
          actions.addFullAccessKey(key.getPublicKey()),
        ],
        waitUntil: 'EXECUTED_OPTIMISTIC',
      });
      const delegate = await createDelegateSigner(atTheHead, 'late.testnet')([greet('late')], { key });
      expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    } finally {
      await network([0]);
    }
  });

  it('is executed for a sender without NEAR, and costs the relayer what was burnt', async () => {
    const before = await balance(RELAYER);
    const delegate = await sign([greet('hello from nobody')]);
    const answer = await relayIt(delegate);
    expect(answer).toMatchObject({ status: 200, success: true, transactionHash: expect.any(String) });
    expect(await greeting()).toBe('hello from nobody');
    expect(await balance(SENDER)).toBe(0n);
    const outcome = await outcomeOf(answer.transactionHash);
    expect(outcome.transaction).toMatchObject({ signer_id: RELAYER, receiver_id: SENDER });
    expect(before - (await balance(RELAYER))).toBe(burntYocto(outcome));
  });

  it('is one transaction when it is posted twice, at the same time or later', async () => {
    const delegate = await sign([greet('once')]);
    const [first, second] = await Promise.all([relayIt(delegate), relayIt(delegate)]);
    const third = await relayIt(delegate);
    expect(first).toMatchObject({ status: 200, transactionHash: expect.any(String) });
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(sent().size).toBe(1);
  });

  it('is accepted as base64url, as numbers, and with its hash in base64url', async () => {
    for (const encode of [base64url, (bytes: Uint8Array) => [...bytes]]) {
      const { bytes, hash } = await sign([greet(`as ${encode.name}`)]);
      const request = {
        hash: base64url(base58.decode(hash)),
        signedDelegate: encode(Uint8Array.from(bytes)),
      };
      expect(await post(request)).toMatchObject({ status: 200 });
    }
    expect(sent().size).toBe(2);
  });

  it('is a 409 and costs nothing when replayed at a relay that does not know it', async () => {
    const delegate = await sign([greet('replayed')]);
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    const other = await start();
    try {
      healAndForget();
      expect(await relayIt(delegate, other)).toMatchObject({ status: 409, error: 'nonce_used' });
      expect(sent().size).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('is a 502 with the reason and the transaction when its call fails', async () => {
    const delegate = await sign([greet('x'.repeat(281))]);
    const before = await greeting();
    const answer = await relayIt(delegate);
    expect(answer).toMatchObject({ status: 502, success: false, error: 'delegate_failed' });
    expect(answer.message).toContain('FunctionCallError');
    const outcome = await outcomeOf(answer.transactionHash);
    expect(outcome.transaction).toMatchObject({ receiver_id: SENDER });
    expect(await greeting()).toBe(before);
    expect(await relayIt(delegate)).toMatchObject({ status: 409, error: 'nonce_used' });
    expect(sent().size).toBe(1);
  });

  describe('is refused at no cost', () => {
    const refused = async (delegate: MadeDelegate, expected: object, at = relay) => {
      const before = await balance(RELAYER);
      const answer = await relayIt(delegate, at);
      expect(answer).toMatchObject({ success: false, ...expected });
      expect(sent().size).toBe(0);
      expect(await balance(RELAYER)).toBe(before);
      return answer;
    };
    const forbidden = { status: 403, error: 'not_allowed' };
    const malformed = { status: 400, error: 'invalid_request' };
    const unverified = { status: 400, error: 'not_verified' };

    it('for another receiver', async () => {
      const answer = await refused(await sign([greet('')], { receiverId: 'testnet' }), forbidden);
      expect(answer.message).toBe('This relay does not pay for calls of testnet.');
    });

    it('for another method, even next to an allowed one', async () => {
      const call = actions.functionCall('add_admin', { account_id: SENDER }, 5n * TGAS);
      await refused(await sign([call]), forbidden);
      await refused(await sign([greet('', TGAS), call]), forbidden);
    });

    it('for a deposit, which the relayer would pay', async () => {
      const answer = await refused(await sign([greet('', 20n * TGAS, 1n)]), forbidden);
      expect(answer.message).toBe(
        'This relay does not pay for a deposit of 1 yoctoNEAR: the most it gives is 0.',
      );
    });

    it('for more gas than the policy pays for', async () => {
      await refused(await sign([greet('a', 60n * TGAS), greet('b', 60n * TGAS)]), forbidden);
      await refused(await sign([greet('a', 2n ** 64n - 1n)]), forbidden);
    });

    it.each<[string, Action[]]>([
      ['a transfer', [actions.transfer(1n)]],
      ['a transfer next to an allowed call', [greet('', TGAS), actions.transfer(1n)]],
      ['a new key', [actions.addFullAccessKey(KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a deleted key', [actions.deleteKey(KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a deleted account', [actions.deleteAccount(OTHER)]],
      ['a contract', [actions.deployContract(new Uint8Array(10))]],
      ['a stake', [actions.stake(1n, KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a new account', [actions.createAccount()]],
    ])('for %s', async (_, inner) => {
      await refused(await sign(inner, { receiverId: SENDER }), forbidden);
      await refused(await sign(inner), forbidden);
    });

    it('for a call that the chain would not accept', async () => {
      const delegate = await sign([greet('without gas', 0n)]);
      const answer = await relayIt(delegate);
      expect(answer).toMatchObject(malformed);
      expect(answer.message).toContain('FunctionCallZeroAttachedGas');
    });

    it('for an empty list of actions', async () => {
      await refused(await sign([]), malformed);
    });

    it('for a delegate inside', async () => {
      const { bytes, hash } = await sign([actions.createAccount()]);
      const at = 4 + SENDER.length + 4 + REGISTRY.length + 4;
      const inner = (await sign([greet('inner')])).bytes;
      const nested = Uint8Array.from([...bytes.subarray(0, at), 8, ...inner, ...bytes.subarray(at + 1)]);
      expect(await post(toRequest({ bytes: nested, hash }))).toMatchObject(forbidden);
      expect(sent().size).toBe(0);
    });

    it.each([
      ['a hash', { signedDelegate: 'AAAA' }, 'hash is missing'],
      ['a delegate', { hash: 'A' }, 'signedDelegate is missing'],
      ['a hash that is a text', { hash: 7, signedDelegate: 'AAAA' }, 'hash is malformed'],
      ['base64', { hash: 'A', signedDelegate: '**' }, 'expected borsh bytes, as base64 or numbers'],
      ['bytes', { hash: 'A', signedDelegate: [256] }, 'expected borsh bytes, as base64 or numbers'],
      ['any bytes', { hash: 'A', signedDelegate: [] }, 'signedDelegate is malformed'],
      ['the bytes of a delegate', { hash: 'A', signedDelegate: 'AAAA' }, 'signedDelegate is malformed'],
    ])('without %s', async (_, body, problem) => {
      const answer = await post(body);
      expect(answer).toMatchObject(malformed);
      expect(answer.message).toContain(problem);
    });

    it('when it is larger than a request body may be', async () => {
      const body = { hash: 'A', signedDelegate: 'A'.repeat(70_000) };
      expect(await post(body)).toMatchObject({ status: 413, error: 'body_too_large' });
    });

    it('with the hash of another delegate', async () => {
      const [one, two] = [await sign([greet('one')]), await sign([greet('two')])];
      const answer = await refused({ ...one, hash: two.hash }, malformed);
      expect(answer.message).toBe('hash is not the NEP-461 hash of signedDelegate.');
    });

    it('when another key than the one it names signed it', async () => {
      const { bytes, hash } = await sign([greet('forged')]);
      const other = await sign([greet('forged')], { key: keyOf(SENDER), blockHeightTtl: 6000 });
      const forged = Uint8Array.from([...bytes.subarray(0, -64), ...other.bytes.subarray(-64)]);
      await refused({ ...other, bytes: forged, hash }, unverified);
    });

    it('for a key that the sender does not have, or a sender that does not exist', async () => {
      const { header } = await rpc.block();
      const parts = {
        nonce: BigInt(header.height) * 1_000_000n - 1n,
        maxBlockHeight: BigInt(header.height) + 5000n,
      };
      await refused(await makeDelegate({ ...parts, senderId: SENDER }), unverified);
      await refused(await makeDelegate({ ...parts, senderId: 'nobody.testnet' }), unverified);
    });

    it('when it has expired, is about to expire, or stays valid for too long', async () => {
      const expired = { status: 400, error: 'delegate_expired' };
      await refused(await sign([greet('')], { blockHeightTtl: -1 }), expired);
      await refused(await sign([greet('')], { blockHeightTtl: 3 }), expired);
      const answer = await refused(await sign([greet('')], { blockHeightTtl: 100_000 }), malformed);
      expect(answer.message).toContain('maxBlockHeight');
    });

    it('with a nonce that is used or above what the chain accepts', async () => {
      const key = keyOf(SENDER);
      const { nonce } = (await rpc.viewAccessKey(SENDER, key.getPublicKey().toString()))!;
      const height = BigInt((await rpc.block()).header.height);
      const made = (chosen: bigint) =>
        makeDelegate({ senderId: SENDER, key, nonce: chosen, maxBlockHeight: height + 5000n });
      await refused(await made(BigInt(nonce)), { status: 409, error: 'nonce_used' });
      await refused(await made((height + 100_000n) * 1_000_000n), malformed);
    });

    it('while the chain is down', async () => {
      const delegate = await sign([greet('later')]);
      proxy.fail('*', { kind: 'refuse' });
      const answer = await relayIt(delegate);
      expect(answer).toMatchObject({ status: 503, error: 'chain_unreachable', retryAfter: '5' });
      proxy.heal();
      expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    });

    it('when no policy is set, with what its operator can do', async () => {
      const other = await start({ DELEGATE_CALLS: '', DELEGATE_SPEND_CAP_NEAR: '' });
      try {
        const answer = await refused(
          await sign([greet('')]),
          { status: 404, error: 'delegates_disabled' },
          other,
        );
        expect(answer.message).toContain('DELEGATE_CALLS');
      } finally {
        await other.close();
      }
    });

    it('once its sender reached the cap, while other senders are still served', async () => {
      const other = await start({
        DELEGATE_MAX_GAS: String(10n * TGAS),
        DELEGATE_SENDER_CAP_NEAR: '0.02305',
      });
      try {
        const call = () => [greet('for some', 10n * TGAS)];
        expect(await relayIt(await sign(call()), other)).toMatchObject({ status: 200 });
        healAndForget();
        const answer = await refused(await sign(call()), { status: 429, error: 'spend_cap' }, other);
        expect(answer.message).toContain(`paid for ${SENDER}`);
        expect(Number(answer.retryAfter)).toBeGreaterThan(0);
        expect(await relayIt(await sign(call(), { senderId: OTHER }), other)).toMatchObject({ status: 200 });
      } finally {
        await other.close();
      }
    });

    it('once the cap is reached, until there is room again', async () => {
      const other = await start({ DELEGATE_MAX_GAS: String(10n * TGAS), DELEGATE_SPEND_CAP_NEAR: '0.02305' });
      try {
        expect(await relayIt(await sign([greet('within', 10n * TGAS)]), other)).toMatchObject({
          status: 200,
        });
        healAndForget();
        const answer = await refused(
          await sign([greet('over', 10n * TGAS)]),
          { status: 429, error: 'spend_cap' },
          other,
        );
        expect(Number(answer.retryAfter)).toBeGreaterThan(0);
      } finally {
        await other.close();
      }
    });
  });

  describe('by a function-call key', () => {
    const limited = KeyPair.fromRandom('ed25519');
    const elsewhere = KeyPair.fromRandom('ed25519');

    beforeAll(async () => {
      const owner = await start({ DELEGATE_OWN_ACTIONS: 'AddKey' });
      try {
        const grants = [
          actions.addFunctionCallAccessKey(limited.getPublicKey(), REGISTRY, ['set_greeting'], 1n),
          actions.addFunctionCallAccessKey(elsewhere.getPublicKey(), 'testnet', []),
        ];
        const delegate = await sign(grants, { receiverId: SENDER });
        expect(await relayIt(delegate, owner)).toMatchObject({ status: 200 });
      } finally {
        await owner.close();
      }
    });

    it("is executed when the key permits the call, whatever the key's allowance", async () => {
      expect(await relayIt(await sign([greet('by a small key')], { key: limited }))).toMatchObject({
        status: 200,
      });
      expect(await greeting()).toBe('by a small key');
    });

    it('is a 403 when the key does not permit the call, or not twice', async () => {
      const forbidden = { status: 403, error: 'not_allowed', message: /another key/ };
      expect(await relayIt(await sign([greet('')], { key: elsewhere }))).toMatchObject(forbidden);
      const two = [greet('a', TGAS), greet('b', TGAS)];
      expect(await relayIt(await sign(two, { key: limited }))).toMatchObject(forbidden);
      expect(sent().size).toBe(0);
    });
  });

  describe('when the policy allows deposits', () => {
    let generous: RunningRelay;
    beforeAll(async () => {
      generous = await start({ DELEGATE_OWN_ACTIONS: 'Transfer', DELEGATE_MAX_DEPOSIT: '1000' });
    });
    afterAll(() => generous?.close());

    it("pays them from the relayer's account", async () => {
      const before = await balance(RELAYER);
      const delegate = await sign([actions.transfer(600n), actions.transfer(400n)], {
        senderId: OTHER,
        receiverId: OTHER,
      });
      const { status, transactionHash } = await relayIt(delegate, generous);
      expect(status).toBe(200);
      expect(await balance(OTHER)).toBe(1000n);
      const burnt = burntYocto(await outcomeOf(transactionHash)) ?? 0n;
      expect(before - (await balance(RELAYER))).toBe(burnt + 1000n);
    });

    it("is refused when their sum exceeds the policy's limit", async () => {
      const delegate = await sign([actions.transfer(600n), actions.transfer(401n)], {
        senderId: OTHER,
        receiverId: OTHER,
      });
      expect(await relayIt(delegate, generous)).toMatchObject({ status: 403, error: 'not_allowed' });
    });

    it("is refused when they go with actions on another account than the sender's", async () => {
      const delegate = await sign([actions.transfer(1n)], { receiverId: OTHER });
      expect(await relayIt(delegate, generous)).toMatchObject({ status: 403, error: 'not_allowed' });
    });
  });

  it('of each of twenty concurrent senders is one transaction', async () => {
    const delegates = await Promise.all(
      PENNILESS.map((senderId) => sign([greet(`from ${senderId}`)], { senderId })),
    );
    const before = await balance(RELAYER);
    const answers = await Promise.all(delegates.map((delegate) => relayIt(delegate)));
    expect(answers.map(({ status }) => status)).toEqual(PENNILESS.map(() => 200));
    expect(new Set(answers.map(({ transactionHash }) => transactionHash)).size).toBe(20);
    const outcomes = await Promise.all(answers.map(({ transactionHash }) => outcomeOf(transactionHash)));
    const burnt = outcomes.reduce((sum, outcome) => sum + (burntYocto(outcome) ?? 0n), 0n);
    expect(before - (await balance(RELAYER))).toBe(burnt);
  });

  it('waits for the earlier delegates of its key, in the order of their nonces, and is a 429 when too many wait', async () => {
    const first = await sign([greet('0')]);
    const { nonce, maxBlockHeight } = first.signedDelegate.delegateAction;
    const later = await Promise.all(
      [8, 7, 6, 5, 4, 3, 2, 1].map((index) =>
        makeDelegate({
          senderId: SENDER,
          key: keyOf(SENDER),
          nonce: nonce + BigInt(index),
          maxBlockHeight,
          actions: [greet(String(index))],
        }),
      ),
    );
    const release = proxy.hold('send_tx', 1);
    const firstAnswer = relayIt(first);
    await expect.poll(() => sent().size, { timeout: 30_000 }).toBe(1);
    // Eight more, of which seven may wait: by the time the eighth is refused, the others are in line.
    const answers = later.map((delegate) => relayIt(delegate));
    expect(await Promise.race(answers)).toMatchObject({ status: 429, error: 'too_many_requests' });
    release();
    expect(await firstAnswer).toMatchObject({ status: 200 });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(7).fill(200), 429]);
  });

  it('is looked up, not paid twice, when its answer is lost after the chain took it', async () => {
    const delegate = await sign([greet('lost and found')]);
    proxy.fail('send_tx', { kind: 'drop-answer' }, 1);
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    expect(sent().size).toBe(1);
    expect(proxy.calls.some((call) => call.name === 'tx')).toBe(true);
  });

  it('is a 502 with its hash while its outcome is unknown; posted again, it is settled without another payment', async () => {
    const delegate = await sign([greet('settled')]);
    for (const method of ['send_tx', 'tx']) proxy.fail(method, { kind: 'drop-answer' });
    const unknown = await relayIt(delegate);
    expect(unknown).toMatchObject({
      status: 502,
      error: 'outcome_unknown',
      transactionHash: expect.any(String),
    });
    proxy.heal();
    const settled = await relayIt(delegate);
    expect(settled).toMatchObject({ status: 200, transactionHash: unknown.transactionHash });
    expect(sent().size).toBe(1);
  });

  it('is no success when a node omits its receipts', async () => {
    const delegate = await sign([greet('untold')]);
    const withoutReceipts = (envelope: { result: object }) => ({
      ...envelope,
      result: { ...envelope.result, receipts_outcome: [] },
    });
    proxy.fail('send_tx', { kind: 'rewrite-answer', rewrite: withoutReceipts });
    expect(await relayIt(delegate)).toMatchObject({ status: 502, error: 'outcome_unknown' });
    proxy.heal();
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    expect(sent().size).toBe(1);
  });

  it('gets through a bad network once when the client repeats it, and costs the relayer one payment', async () => {
    const before = await balance(RELAYER);
    const first = lines.length;
    const senders = PENNILESS.slice(0, 8);
    const delegates = await Promise.all(
      senders.map((senderId) => sign([greet(`${senderId} through a storm`)], { senderId })),
    );
    const faults = {
      errorRate: 0.1,
      tooManyRequestsRate: 0.1,
      refuseRate: 0.1,
      loseAnswerRate: 0.1,
      seed: 7,
    };
    await setFaults('PUT', faults);
    try {
      await Promise.all(delegates.map(postUntilAnswered));
    } finally {
      await setFaults('DELETE');
    }
    // Every transaction that the relay made, with those that the chain refused.
    const made = lines.slice(first).map((line) => JSON.parse(line) as Record<string, string>);
    const hashes = new Set(
      made.filter(({ event }) => event === 'delegate_sent').map((line) => line.transactionHash),
    );
    const outcomes = await Promise.all(
      [...hashes].map((hash) => rpc.transactionStatus(String(hash), RELAYER)),
    );
    const taken = outcomes.filter((outcome) => outcome !== null);
    expect(taken.map((outcome) => outcome.transaction?.receiver_id).sort()).toEqual([...senders].sort());
    const burnt = taken.reduce((sum, outcome) => sum + (burntYocto(outcome) ?? 0n), 0n);
    expect(before - (await balance(RELAYER))).toBe(burnt);
  });

  it("is signed again when another user of the relayer's key took the nonce", async () => {
    expect(await relayIt(await sign([greet('first')]))).toMatchObject({ status: 200 });
    const relayer = new Account(RELAYER, provider, new KeyPairSigner(keyOf(RELAYER)));
    await relayer.signAndSendTransaction({
      receiverId: 'testnet',
      actions: [actions.transfer(1n)],
      waitUntil: 'FINAL',
    });
    await relayer.signAndSendTransaction({
      receiverId: 'testnet',
      actions: [actions.transfer(1n)],
      waitUntil: 'FINAL',
    });
    expect(await relayIt(await sign([greet('second')]))).toMatchObject({ status: 200 });
    expect(await greeting()).toBe('second');
  });

  it('is finished and answered before the relay shuts down', async () => {
    const other = await start();
    const delegate = await sign([greet('last words')]);
    const answer = relayIt(delegate, other);
    await expect.poll(() => sent().size, { timeout: 30_000 }).toBe(1);
    await other.close();
    expect(await answer).toMatchObject({ status: 200 });
  });

  it('leaves no secret in the log', () => {
    const secret = developmentKey(RELAYER).slice('ed25519:'.length);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toContain(secret);
  });
});

function base64url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}
