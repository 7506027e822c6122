/** Scripts what the real chain does not do on demand. */
import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallResult, RpcClient, TransactionOutcome } from '../../../ts/src/near/index.js';
import { rpcError } from '../../../ts/src/near/rpc-error.js';
import { ourViews } from '../../../ts/src/registry/testing/our-registry.js';
import { Refusal } from '../http/refusal.js';
import { RegistrationRequestSchema } from '../http/wire.js';
import { createLog } from '../observe/log.js';
import { noMetrics } from '../observe/metrics.js';
import { createMemorySpendMeter } from '../relayer/spend.js';
import { registrationRequest } from '../testing/requests.js';
import { Registrar, type RegistrarOptions } from './registrar.js';

const HASH = '11111111111111111111111111111111';
const REGISTRY = 'w3a-v1.testnet';
const AT_BLOCK = { block_height: 7, block_hash: HASH };
const REQUEST = v.parse(RegistrationRequestSchema, registrationRequest());
const OTHER_KEY = 'ed25519:9xhmgUL5HwN1t1FyN2NJdNxhvpQ4kTxbmCkbkWpkLaKd';
const refused = (reason: string) => rpcError({ kind: 'invalid_transaction', reason }, { reason });
const down = (notDelivered: boolean) => rpcError({ kind: 'unreachable', notDelivered }, { reason: 'down' });
const unknown = rpcError({ kind: 'outcome_unknown', transactionId: 'tx1' }, { reason: 'lost' });

function json(value: unknown): CallResult {
  return {
    bytes: new TextEncoder().encode(JSON.stringify(value)),
    logs: [],
    blockHeight: 7,
    blockHash: HASH,
  };
}

function outcome(transactionId: string, status: TransactionOutcome['status']): TransactionOutcome {
  return { transactionId, final_execution_status: 'FINAL', ...(status && { status }) };
}

const good = (transactionId: string) => outcome(transactionId, { SuccessValue: btoa('{"verified":true}') });
const bad = (transactionId: string) => outcome(transactionId, { SuccessValue: btoa('{"verified":false}') });

/** The views of the other registry on testnet, as far as they tell it apart. */
const otherRegistry: RpcClient['callFunctionJson'] = async (schema, _contract, method) =>
  v.parse(schema, method === 'get_vrf_settings' ? { max_block_age: 200 } : {});

/** A transaction that burnt 1 yoctoNEAR in one receipt. */
const BURNT_ONE: Pick<TransactionOutcome, 'transaction_outcome' | 'receipts_outcome'> = {
  transaction_outcome: {
    id: HASH,
    outcome: {
      executor_id: REGISTRY,
      gas_burnt: 1,
      tokens_burnt: '1',
      logs: [],
      receipt_ids: [],
      status: { SuccessValue: '' },
    },
  },
  receipts_outcome: [],
};

/** Our registry, whose price is asked from `price`. */
const costFailing =
  (price: () => Promise<never>): RpcClient['callFunctionJson'] =>
  (schema, contract, method, ...rest) =>
    method === 'get_registration_cost' ? price() : ourViews(schema, contract, method, ...rest);

/** A registrar whose chain accepts everything except for the given changes. */
function registrar(
  chain: Partial<RpcClient> = {},
  options: Partial<RegistrarOptions> = {},
  expectedDeposit = 105n,
) {
  const signed: string[] = [];
  const sent: string[] = [];
  const failing = () => Promise.reject(new Error('not part of this test'));
  const rpc: RpcClient = {
    isWitnessed: true,
    viewAccount: async () => null,
    protocolConfig: failing,
    viewAccessKey: failing,
    viewGasKeyNonces: failing,
    viewAccessKeyList: async () => ({
      keys: [{ public_key: REQUEST.new_public_key, access_key: { nonce: 0, permission: 'FullAccess' } }],
      ...AT_BLOCK,
    }),
    callFunction: async () => json({ verified: true, user_exists: false }),
    callFunctionJson: ourViews,
    block: failing,
    head: failing,
    noteWrite: () => undefined,
    transactionStatus: async () => null,
    transactionState: failing,
    sendTransaction: async (bytes) => good(new TextDecoder().decode(bytes)),
    ...chain,
  };
  const made = new Registrar({
    rpc: {
      ...rpc,
      sendTransaction: (bytes, ...rest) => {
        sent.push(new TextDecoder().decode(bytes));
        return rpc.sendTransaction(bytes, ...rest);
      },
    },
    relayer: {
      accountId: 'relayer.testnet',
      async sign({ depositYocto }) {
        expect(depositYocto).toBe(expectedDeposit);
        const hash = `tx${signed.length + 1}`;
        signed.push(hash);
        return { borshBytes: new TextEncoder().encode(hash), hash, publicKey: 'ed25519:K' };
      },
      learn: async (_, failure) => failure.reason === 'InvalidNonce',
    },
    spend: createMemorySpendMeter({ capYocto: null, log: createLog(() => undefined) }),
    contractId: REGISTRY,
    initialBalanceYocto: 100n,
    gas: 1n,
    log: createLog(() => undefined),
    metrics: noMetrics,
    ...options,
  });
  const refusal = () =>
    made.register(REQUEST, 'r').then(
      () => expect.fail('it was registered'),
      (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)),
    );
  return { register: () => made.register(REQUEST, 'r'), refusal, made, signed, sent };
}

function deferred() {
  let resolve: () => void = () => expect.fail('not made yet');
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Returns the answers in turn; throws those that are errors. */
function oneByOne<T>(...answers: (T | Error)[]) {
  return async (): Promise<T> => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error('the script has no further answer');
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

describe('the registrar (core 7)', () => {
  afterEach(() => vi.restoreAllMocks());

  it('signs again only after a stale nonce', async () => {
    const { register, sent } = registrar({
      sendTransaction: oneByOne<TransactionOutcome>(refused('InvalidNonce'), good('tx2')),
    });
    expect(await register()).toEqual({ transactionHash: 'tx2' });
    expect(sent).toEqual(['tx1', 'tx2']);
  });

  it.each([
    ['returns from our registry', {}, 105n, 1n],
    ['stays with a registry that keeps it', { callFunctionJson: otherRegistry }, 100n, 101n],
  ])(
    'counts what a registration that is refused on the chain cost: the deposit %s',
    async (_, registry, deposit, spent) => {
      const paid: bigint[] = [];
      const commit = (yocto: bigint) => void paid.push(yocto);
      const { refusal } = registrar(
        { sendTransaction: async () => ({ ...bad('tx1'), ...BURNT_ONE }), ...registry },
        { spend: { reserve: () => ({ commit, release: () => undefined }) } },
        deposit,
      );
      expect(await refusal()).toMatchObject({ code: 'not_verified' });
      expect(paid).toEqual([spent]);
    },
  );

  it('spells the origin policy as the registry reads it, from either spelling of the client', async () => {
    const spelled: unknown[] = [];
    const calls: Partial<RpcClient> = {
      callFunction: async (_contract, _method, args) => {
        spelled.push((args as Partial<typeof REQUEST>).authenticator_options);
        return json({ verified: true, user_exists: false });
      },
    };
    for (const origin_policy of [{ all_subdomains: true }, { allSubdomains: true }]) {
      const request = v.parse(RegistrationRequestSchema, {
        ...registrationRequest(),
        authenticator_options: { user_verification: 'preferred', origin_policy },
      });
      await registrar(calls).made.register(request, 'r');
      await registrar({ ...calls, callFunctionJson: otherRegistry }, {}, 100n).made.register(request, 'r');
    }
    const ours = { user_verification: 'preferred', origin_policy: { all_subdomains: true } };
    const theirs = { user_verification: 'preferred', origin_policy: { allSubdomains: true } };
    expect(spelled).toEqual([ours, theirs, ours, theirs]);
  });

  it('names a contract that is no registry, and sends nothing', async () => {
    const { refusal, signed, made } = registrar({ callFunctionJson: async () => ({}) });
    const named = {
      code: 'chain_rejected',
      status: 502,
      message: expect.stringContaining(`${REGISTRY} is not a registry`),
    };
    expect(await refusal()).toMatchObject(named);
    await expect(made.readCapabilities()).rejects.toMatchObject(named);
    expect(signed).toEqual([]);
  });

  it.each([
    ['its contract was removed', 'no_contract'],
    ['its account was deleted', 'unknown_account'],
  ] as const)('names a registry that it met, once %s', async (_, kind) => {
    const gone = async (): Promise<never> => {
      throw rpcError({ kind }, { reason: 'the node says so' });
    };
    for (const chain of [{ callFunction: gone }, { callFunctionJson: costFailing(gone) }]) {
      const { refusal, signed } = registrar(chain);
      expect(await refusal()).toMatchObject({
        code: 'chain_rejected',
        message:
          `${REGISTRY} is not a registry that this wallet can use: no contract is deployed there. ` +
          'Check contractId, or update the wallet. Nothing was sent.',
      });
      expect(signed).toEqual([]);
    }
  });

  it('gives up on a nonce that stays stale', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { refusal, signed } = registrar({ sendTransaction: () => Promise.reject(refused('InvalidNonce')) });
    expect(await refusal()).toMatchObject({ code: 'chain_rejected', status: 502 });
    expect(signed).toHaveLength(20);
  });

  it('reports a relayer without funds', async () => {
    const { refusal } = registrar({ sendTransaction: () => Promise.reject(refused('NotEnoughBalance')) });
    expect(await refusal()).toMatchObject({ code: 'relayer_unfunded', status: 503, retryAfterSeconds: 60 });
  });

  it('keeps a call with an unknown outcome, and signs no second one until the chain reports it', async () => {
    const { register, refusal, signed, sent } = registrar({
      sendTransaction: oneByOne<TransactionOutcome>(unknown, down(true), down(false), good('tx1')),
    });
    expect(await refusal()).toMatchObject({ code: 'outcome_unknown', status: 502, transactionHash: 'tx1' });
    expect(await refusal()).toMatchObject({ code: 'outcome_unknown', transactionHash: 'tx1' });
    expect(await refusal()).toMatchObject({ code: 'outcome_unknown', transactionHash: 'tx1' });
    expect(await register()).toEqual({ transactionHash: 'tx1' });
    expect({ signed, sent }).toEqual({ signed: ['tx1'], sent: Array(4).fill('tx1') });
  });

  it('marks the kept bytes as sent before, so that they are looked up first', async () => {
    const told: (boolean | undefined)[] = [];
    const answer = oneByOne<TransactionOutcome>(unknown, good('tx1'));
    const { register, refusal, sent } = registrar({
      sendTransaction: (_bytes, _waitUntil, options) => {
        told.push(options?.wasSentBefore);
        return answer();
      },
    });
    await refusal();
    expect(await register()).toEqual({ transactionHash: 'tx1' });
    expect(sent).toEqual(['tx1', 'tx1']);
    expect(told).toEqual([false, true]);
  });

  it('drops a call that never left this machine', async () => {
    const { register, refusal, sent } = registrar({
      sendTransaction: oneByOne<TransactionOutcome>(down(true), good('tx2')),
    });
    expect(await refusal()).toMatchObject({ code: 'chain_unreachable', status: 503 });
    expect(await register()).toEqual({ transactionHash: 'tx2' });
    expect(sent).toEqual(['tx1', 'tx2']);
  });

  it('does not report success before it has seen the key list', async () => {
    const { refusal, register, signed } = registrar({
      viewAccessKeyList: () => Promise.reject(down(false)),
      transactionStatus: async () => good('tx1'),
    });
    expect(await refusal()).toMatchObject({ code: 'outcome_unknown', transactionHash: 'tx1' });
    await expect(register()).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(signed).toEqual(['tx1']);
  }, 20_000);

  it.each([
    ["the registry's acceptance", good],
    // An earlier transaction of the same request created the account.
    ['its refusal', bad],
  ])(
    'does not call an account foreign while the nodes show none of its keys, after %s',
    async (_, answer) => {
      const account = { amount: '1', locked: '0', code_hash: HASH, storage_usage: 1, ...AT_BLOCK };
      const access_key = { nonce: 0, permission: 'FullAccess' as const };
      const keys: { public_key: string; access_key: typeof access_key }[] = [];
      let isSent = false;
      const { register, refusal, signed } = registrar({
        viewAccount: async () => (isSent ? account : null),
        viewAccessKeyList: async () => ({ keys, ...AT_BLOCK }),
        sendTransaction: async () => {
          isSent = true;
          return answer('tx1');
        },
      });
      expect(await refusal()).toMatchObject({ code: 'outcome_unknown', transactionHash: 'tx1' });
      keys.push({ public_key: REQUEST.new_public_key, access_key });
      expect(await register()).toEqual({ transactionHash: 'tx1' });
      expect(signed).toEqual(['tx1']);
    },
    20_000,
  );

  it("reports success despite the registry's refusal when the account holds the requested key", async () => {
    let asked = 0;
    const { register } = registrar({
      sendTransaction: async () => bad('tx1'),
      viewAccount: async () => {
        asked += 1;
        return asked === 1
          ? null
          : { amount: '1', locked: '0', code_hash: HASH, storage_usage: 1, ...AT_BLOCK };
      },
    });
    expect(await register()).toEqual({ transactionHash: 'tx1' });
  });

  it('waits for its own registration, sent by an earlier relay and not final yet', async () => {
    let asked = 0;
    const { register, signed } = registrar({
      callFunction: async () => json({ verified: false, user_exists: true }),
      viewAccessKeyList: async () => {
        asked += 1;
        if (asked < 3) return { keys: [], ...AT_BLOCK };
        const access_key = { nonce: 0, permission: 'FullAccess' as const };
        return { keys: [{ public_key: REQUEST.new_public_key, access_key }], ...AT_BLOCK };
      },
    });
    expect(await register()).toEqual({ transactionHash: null });
    expect(signed).toEqual([]);
  });

  it('does not report its own registration as a taken name where a node that lags gives the verdict', async () => {
    const { made, signed } = registrar({
      viewAccount: async () => ({ amount: '1', locked: '0', storage_usage: 1, ...AT_BLOCK }) as never,
      callFunction: async () => json({ verified: true, user_exists: false }),
    });
    expect(await made.register(REQUEST, 'r1')).toEqual({ transactionHash: null });
    expect(signed).toEqual([]);
  });

  it('does not report a merely reserved name as taken, before or after a transaction', async () => {
    const noAccount = async () => ({ keys: [], ...AT_BLOCK });
    const reserved = json({ verified: false, user_exists: true });
    const before = registrar({ callFunction: async () => reserved, viewAccessKeyList: noAccount });
    expect(await before.refusal()).toMatchObject({ code: 'outcome_unknown', retryAfterSeconds: 5 });
    expect(before.sent).toEqual([]);

    const answers = [json({ verified: true, user_exists: false }), reserved];
    const after = registrar({
      callFunction: async () => answers.shift() ?? reserved,
      sendTransaction: async () => bad('tx1'),
      viewAccessKeyList: noAccount,
    });
    expect(await after.refusal()).toMatchObject({ code: 'outcome_unknown', transactionHash: 'tx1' });
  });

  it('handles rivals for one name in turn, so that each gets a correct answer', async () => {
    const { promise: gate, resolve: release } = deferred();
    let holder: string | undefined;
    const { made, register, signed } = registrar({
      callFunction: async () => json({ verified: holder === undefined, user_exists: holder !== undefined }),
      viewAccount: async () =>
        holder === undefined
          ? null
          : { amount: '1', locked: '0', code_hash: HASH, storage_usage: 1, ...AT_BLOCK },
      viewAccessKeyList: async () => {
        const access_key = { nonce: 0, permission: 'FullAccess' as const };
        return { keys: holder === undefined ? [] : [{ public_key: holder, access_key }], ...AT_BLOCK };
      },
      sendTransaction: async (bytes) => {
        await gate;
        if (signed.length === 1) throw refused('Expired');
        holder = OTHER_KEY;
        return good(new TextDecoder().decode(bytes));
      },
    });
    const first = register();
    const second = made.register({ ...REQUEST, new_public_key: OTHER_KEY }, 'r');
    const third = register();
    release();
    await expect(first).rejects.toMatchObject({ code: 'chain_rejected' });
    await expect(second).resolves.toEqual({ transactionHash: 'tx2' });
    expect(third).toBe(first);
    await expect(register()).rejects.toMatchObject({ code: 'account_exists' });
    expect(signed).toEqual(['tx1', 'tx2']);
  });

  it('registers again after a chain reset', async () => {
    let hasAccount = true;
    const { register, sent } = registrar({
      sendTransaction: async (bytes) => {
        hasAccount = true;
        return good(new TextDecoder().decode(bytes));
      },
      viewAccessKeyList: async () => {
        if (!hasAccount) return { keys: [], ...AT_BLOCK };
        const access_key = { nonce: 0, permission: 'FullAccess' as const };
        return { keys: [{ public_key: REQUEST.new_public_key, access_key }], ...AT_BLOCK };
      },
    });
    expect(await register()).toEqual({ transactionHash: 'tx1' });
    expect(await register()).toEqual({ transactionHash: 'tx1' });
    hasAccount = false;
    expect(await register()).toEqual({ transactionHash: 'tx2' });
    expect(sent).toEqual(['tx1', 'tx2']);
  });

  it('reports a failed execution', async () => {
    const failed = outcome('tx1', { Failure: { ActionError: { index: 0, kind: {} } } });
    const { refusal } = registrar({ sendTransaction: async () => failed });
    expect(await refusal()).toMatchObject({ code: 'chain_rejected', status: 502, transactionHash: 'tx1' });
  });

  it("rejects an answer that is not the registry's", async () => {
    const { refusal, sent } = registrar({ callFunction: async () => json('hello') });
    expect(await refusal()).toMatchObject({ code: 'chain_rejected' });
    expect(sent).toEqual([]);
  });

  it('refuses requests above its maximum with Retry-After, and is idle once all are done', async () => {
    const { promise: gate, resolve: release } = deferred();
    const { made, register } = registrar(
      { sendTransaction: () => gate.then(() => good('tx1')) },
      { maxParallel: 1 },
    );
    const running = register();
    const bob = 'bob.w3a-v1.testnet';
    const other = { ...REQUEST, new_account_id: bob, vrf_data: { ...REQUEST.vrf_data, user_id: bob } };
    await expect(made.register(other, 'r')).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: 5,
    });
    let isIdle = false;
    const idle = made.idle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    release();
    await running;
    await idle;
  });
});
