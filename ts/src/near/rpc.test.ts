import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitUntil } from '../types.js';
import {
  createRpcClient,
  executionFailure,
  parseRpcUrls,
  type RpcCall,
  returnedBytes,
  rpcFailure,
  type SendOptions,
} from './index.js';
import { makeSignedTransfer } from './testing/signed-transfer.js';

const HASH = '11111111111111111111111111111111';
const AT_BLOCK = { block_height: 7, block_hash: HASH };
const ACCESS_KEY = { nonce: 41, permission: 'FullAccess', ...AT_BLOCK };
const UNKNOWN_ACCOUNT = handlerError('UNKNOWN_ACCOUNT', {}, 'account a.testnet does not exist while viewing');
const UNKNOWN_TRANSACTION = handlerError('UNKNOWN_TRANSACTION', {}, "Transaction X doesn't exist");
const NODE_TIMEOUT = { status: 408, ...handlerError('TIMEOUT_ERROR', null, 'Timeout') };
const INVALID_NONCE = handlerError(
  'INVALID_TRANSACTION',
  {},
  {
    TxExecutionError: { InvalidTxError: { InvalidNonce: { tx_nonce: 5, ak_nonce: 7 } } },
  },
);

type Reply = { result?: unknown; error?: unknown; status?: number; text?: string } | Error;

function handlerError(name: string, info: unknown, data: unknown) {
  return {
    error: { name: 'HANDLER_ERROR', cause: { name, info }, code: -32000, message: 'Server error', data },
  };
}

/** A client of one or several nodes that answer from a script; `calls` records each call and its node. */
function scripted(script: Record<string, Reply[]>, options: { timeoutMs?: number; agreement?: number } = {}) {
  const calls: RpcCall[] = [];
  const requests: { method: string; params: Record<string, unknown> }[] = [];
  const client = createRpcClient({
    urls: Object.keys(script).map((name) => `https://${name}.example/key/SECRET`),
    onCall: (call) => calls.push(call),
    ...options,
    fetch: async (url, init) => {
      requests.push(JSON.parse(String(init?.body)));
      const reply = script[new URL(String(url)).hostname.split('.')[0]!]!.shift();
      if (!reply) throw new Error('the script has no further reply');
      if (reply instanceof Error) throw reply;
      const { status = 200, text, ...envelope } = reply;
      return new Response(text ?? JSON.stringify({ jsonrpc: '2.0', id: '1', ...envelope }), {
        status,
        statusText: 'Said So',
      });
    },
  });
  return { client, calls, requests, nodes: () => calls.map((call) => call.node.slice(8, -8)) };
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { message: (error as Error).message, code: (error as { code?: string }).code, ...rpcFailure(error) };
}

describe('addresses', () => {
  it('come as a list, or as one string separated by commas or spaces', () => {
    expect(parseRpcUrls(' https://a.example, https://b.example\nhttp://c.example ')).toEqual([
      'https://a.example',
      'https://b.example',
      'http://c.example',
    ]);
    expect(parseRpcUrls(['https://a.example'])).toEqual(['https://a.example']);
  });

  it('must not be empty and must be http', () => {
    expect(() => createRpcClient({ urls: [] })).toThrow('NEAR RPC URL cannot be empty');
    expect(() => createRpcClient({ urls: ' , ' })).toThrow('NEAR RPC URL cannot be empty');
    expect(() => createRpcClient({ urls: 'ftp://a.example' })).toThrow('not an http(s) URL');
  });

  it('must not contain a password, and the error does not repeat it', () => {
    const make = () => createRpcClient({ urls: 'https://alice:SECRET@a.example/rpc' });
    expect(make).toThrow('at a.example must not hold a user name or password');
    expect(make).not.toThrow('SECRET');
  });
});

describe('views', () => {
  it('ask with the parameters of the specification', async () => {
    const { client, requests, calls } = scripted({ one: [{ result: ACCESS_KEY }] });
    const key = await client.viewAccessKey('a.testnet', 'ed25519:K');
    expect(key).toMatchObject({ nonce: 41, permission: 'FullAccess', block_height: 7 });
    expect(requests[0]).toMatchObject({
      method: 'query',
      params: {
        request_type: 'view_access_key',
        account_id: 'a.testnet',
        public_key: 'ed25519:K',
        finality: 'final',
      },
    });
    expect(calls).toEqual([{ method: 'query', requestType: 'view_access_key', node: 'https://one.example' }]);
  });

  it("use the node's names for the queries and read the final block", async () => {
    const { client, requests } = scripted({ one: Array(5).fill({ error: { message: 'enough' } }) });
    const asked = [
      client.block(),
      client.viewAccount('a.testnet'),
      client.viewAccessKeyList('a.testnet'),
      client.callFunction('c.testnet', 'm'),
    ];
    await Promise.allSettled(asked);
    expect(requests.map(({ method, params }) => [method, params.request_type, params.finality])).toEqual([
      ['block', undefined, 'final'],
      ['query', 'view_account', 'final'],
      ['query', 'view_access_key_list', 'final'],
      ['query', 'call_function', 'final'],
    ]);
    expect(requests[3]?.params).toMatchObject({
      account_id: 'c.testnet',
      method_name: 'm',
      args_base64: expect.any(String),
    });
    expect(requests[0]).toMatchObject({ jsonrpc: '2.0', id: expect.anything() });
  });

  it('return null for a missing account or key, in every form a node reports it', async () => {
    const insideResult = {
      result: { error: 'access key ed25519:K does not exist while viewing', logs: [], ...AT_BLOCK },
    };
    const { client } = scripted({
      one: [
        UNKNOWN_ACCOUNT,
        insideResult,
        handlerError('UNKNOWN_ACCESS_KEY', {}, 'x'),
        { error: { data: 'account a does not exist while viewing' } },
      ],
    });
    expect(await client.viewAccount('a.testnet')).toBeNull();
    expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toBeNull();
    expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toBeNull();
    expect(await client.viewAccount('a.testnet')).toBeNull();
  });

  it('report a contract error of either form as kind contract, without asking another node', async () => {
    const text = 'wasm execution failed with error: MethodResolveError(MethodNotFound)';
    const { client, calls } = scripted({
      one: [
        { result: { error: text, logs: [], ...AT_BLOCK } },
        handlerError('CONTRACT_EXECUTION_ERROR', {}, text),
      ],
      two: [],
    });
    expect(await failureOf(client.callFunction('c.testnet', 'nope'))).toMatchObject({
      kind: 'contract',
      message: `RPC request failed: ${text}`,
    });
    expect(await failureOf(client.callFunction('c.testnet', 'nope'))).toMatchObject({ kind: 'contract' });
    expect(calls).toHaveLength(2);
  });

  it('send JSON arguments and return a checked JSON value', async () => {
    const bytes = [...new TextEncoder().encode('{"greeting":"hi"}')];
    const { client, requests } = scripted({
      one: Array(2).fill({ result: { result: bytes, logs: ['l'], ...AT_BLOCK } }),
    });
    const schema = v.object({ greeting: v.string() });
    expect(await client.callFunctionJson(schema, 'c.testnet', 'get', { a: 1 })).toEqual({ greeting: 'hi' });
    expect(atob(String(requests[0]!.params.args_base64))).toBe('{"a":1}');
    const wrong = client.callFunctionJson(v.object({ other: v.string() }), 'c.testnet', 'get');
    expect(await failureOf(wrong)).toMatchObject({ kind: 'malformed' });
  });

  it('ask the next node when the caller rejects an answer, and return the last one', async () => {
    const saying = (byte: number): Reply => ({ result: { result: [byte], logs: [], ...AT_BLOCK } });
    const { client, nodes } = scripted({ one: [saying(0), saying(0)], two: [saying(1), saying(2)] });
    const accept = (result: { bytes: Uint8Array }) => result.bytes[0] === 1;
    expect((await client.callFunction('c.testnet', 'm', {}, { accept })).bytes[0]).toBe(1);
    expect((await client.callFunction('c.testnet', 'm', {}, { accept })).bytes[0]).toBe(2);
    expect(nodes()).toEqual(['one', 'two', 'one', 'two']);
  });
});

describe('fallback', () => {
  it.each<[string, Reply]>([
    ['cannot be reached', new TypeError('fetch failed')],
    ['cannot be reached, as Workers report it', new Error('Network connection lost.')],
    ['answers an HTTP error', { status: 502, text: 'bad gateway' }],
    ['answers nothing', { text: '' }],
    ['answers no JSON', { text: '<html>' }],
    ['answers no result', { text: '{"jsonrpc":"2.0"}' }],
    ['answers another shape', { result: { nonce: '41' } }],
    ['answers a number that JSON cannot carry', { result: { ...ACCESS_KEY, nonce: 2 ** 60 } }],
    ['is not synced', handlerError('NOT_SYNCED_YET', {}, 'not synced')],
    ['answers an array', { text: '[]' }],
  ])('to the next node when one %s', async (_, reply) => {
    const { client, nodes } = scripted({ one: [reply], two: Array(2).fill({ result: ACCESS_KEY }) });
    expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toMatchObject({ nonce: 41 });
    await client.viewAccessKey('a.testnet', 'ed25519:K');
    expect(nodes()).toEqual(['one', 'two', 'two']);
  });

  it('reports the HTTP status but never the address, which may contain an API key', async () => {
    const { client } = scripted({ one: [{ status: 503, text: 'x' }, { text: ' ' }] });
    const failure = await failureOf(client.block());
    expect(failure).toMatchObject({
      code: 'NEAR_RPC_FAILED',
      kind: 'http',
      status: 503,
      message: 'RPC request failed: 503 Said So',
    });
    expect(JSON.stringify(failure)).not.toContain('SECRET');
    expect((await failureOf(client.block())).message).toBe('Empty response from RPC server');
  });

  it('prefers the JSON-RPC error in the body of an HTTP error', async () => {
    const { client } = scripted({
      one: [{ status: 422, ...handlerError('UNKNOWN_BLOCK', {}, 'DB Not Found') }],
    });
    expect(await failureOf(client.block({ blockId: 5 }))).toMatchObject({
      kind: 'node',
      message: 'RPC request failed: DB Not Found',
    });
  });

  it('does not call a transaction unknown when a node could not be asked', async () => {
    const { client } = scripted({
      one: [new TypeError('down'), UNKNOWN_TRANSACTION],
      two: Array(2).fill(UNKNOWN_TRANSACTION),
    });
    expect(await failureOf(client.transactionStatus(HASH, 'a.testnet'))).toMatchObject({
      kind: 'unreachable',
    });
    expect(await client.transactionStatus(HASH, 'a.testnet')).toBeNull();
  });

  it('rejects with the abort reason and asks no further node', async () => {
    const { client, calls } = scripted({ one: [], two: [] });
    await expect(client.block(undefined, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    expect(calls).toHaveLength(1);
  });
});

describe('a hostile node', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const calls: ((client: ReturnType<typeof createRpcClient>) => Promise<unknown>)[] = [
    (client) => client.block(),
    (client) => client.viewAccount('a.testnet'),
    (client) => client.viewAccessKey('a.testnet', 'ed25519:K'),
    (client) => client.viewAccessKeyList('a.testnet'),
    (client) => client.callFunction('c.testnet', 'm'),
    (client) => client.callFunctionJson(v.string(), 'c.testnet', 'm'),
    (client) => client.transactionStatus(HASH, 'a.testnet', 'FINAL'),
  ];

  it('gets no answer past the checks: each call ends in null or in an error with a kind', async () => {
    const envelope = fc.oneof(
      json,
      fc.record({ result: json }),
      fc.record({ error: json }),
      fc.record({ result: fc.record({ error: json }) }),
      fc.record({
        error: fc.record({ cause: json, data: json, message: json, name: json }, { requiredKeys: [] }),
      }),
      fc.record({
        result: fc.record({ header: json, result: json, keys: json, status: json, transaction: json }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        envelope,
        fc.constantFrom(...calls),
        fc.constantFrom(200, 408, 500),
        async (body, call, status) => {
          const client = createRpcClient({
            urls: 'https://one.example',
            fetch: async () => new Response(JSON.stringify(body), { status }),
          });
          const end = await call(client).catch((error: unknown) => rpcFailure(error)?.kind);
          expect(end === null || typeof end === 'string').toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['toString', 'constructor', '__proto__'])(
    'cannot use %s as the kind of its error',
    async (name) => {
      const { client } = scripted({ one: [handlerError(name, {}, 'x')], two: [{ result: ACCESS_KEY }] });
      expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toMatchObject({ nonce: ACCESS_KEY.nonce });
    },
  );

  it('cannot block the thread with a long error text or pass it on', async () => {
    const text = 'Transaction '.repeat(40_000);
    const { client } = scripted({ one: [{ error: { message: text } }, { result: { error: text } }] });
    const before = process.cpuUsage();
    for (let call = 0; call < 2; call += 1) {
      const { message } = await failureOf(client.viewAccount('a.testnet'));
      expect(message.length).toBeLessThan(1100);
    }
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  });
});

describe('against a real HTTP server', () => {
  it('stops reading an answer that is too long or too late', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1);
      response.on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const endless = createRpcClient({ urls: url, maxAnswerBytes: 1_000_000 });
      expect(await failureOf(endless.block())).toMatchObject({ kind: 'malformed' });
      const slow = createRpcClient({ urls: `${url}/slow`, timeoutMs: 50 });
      expect(await failureOf(slow.block())).toMatchObject({
        kind: 'unreachable',
        message: 'RPC request failed: no answer within 50 ms',
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('marks a refused connection as not delivered', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const client = createRpcClient({ urls: `http://127.0.0.1:${port}` });
    expect(await failureOf(client.block())).toMatchObject({ kind: 'unreachable', notDelivered: true });
  });
});

describe('sending a transaction', async () => {
  const { bytes, hash, signerId, publicKey, nonce } = await makeSignedTransfer();
  const NONCE_SPENT: Reply = { result: { ...ACCESS_KEY, nonce: Number(nonce) } };
  const NONCE_FREE: Reply = { result: { ...ACCESS_KEY, nonce: Number(nonce) - 1 } };
  const outcome = (level: string, status: unknown = { SuccessValue: 'dHJ1ZQ==' }) => ({
    result: {
      final_execution_status: level,
      status,
      transaction: { hash, signer_id: signerId, receiver_id: 'b.testnet' },
    },
  });
  const other = {
    result: {
      ...outcome('FINAL').result,
      transaction: { hash: HASH, signer_id: signerId, receiver_id: 'b' },
    },
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The promise's outcome, with its pauses skipped. */
  async function settled<T>(promise: Promise<T>): Promise<T | Error> {
    let end: T | Error | undefined;
    promise.then(
      (value) => {
        end = value;
      },
      (error: Error) => {
        end = error;
      },
    );
    while (end === undefined) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise(setImmediate);
    }
    return end;
  }

  async function send(
    script: Record<string, Reply[]>,
    waitUntil: WaitUntil = 'FINAL',
    options: SendOptions = {},
    agreement = 1,
  ) {
    const made = scripted(script, { agreement });
    const sent = made.client.sendTransaction(bytes, waitUntil, options);
    await settled(sent);
    return { sent, methods: made.calls.map((call) => call.method), ...made };
  }

  it('makes one call when the first answer is good', async () => {
    const { sent, requests } = await send({ one: [outcome('FINAL')] });
    expect(await sent).toMatchObject({ transactionId: hash, final_execution_status: 'FINAL' });
    expect(new TextDecoder().decode(returnedBytes(await sent)!)).toBe('true');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'send_tx', params: { wait_until: 'FINAL' } });
  });

  it('waits for EXECUTED_OPTIMISTIC by default', async () => {
    const { client, requests } = scripted({ one: [outcome('EXECUTED_OPTIMISTIC')] });
    expect(await client.sendTransaction(bytes)).toMatchObject({ transactionId: hash });
    expect(requests[0]).toMatchObject({ params: { wait_until: 'EXECUTED_OPTIMISTIC' } });
  });

  it('reads the largest value that a contract may return, and rejects a value that is not base64', async () => {
    const most = 4 * 1024 * 1024;
    const SuccessValue = Buffer.alloc(most, 7).toString('base64');
    const { sent } = await send({ one: [outcome('FINAL', { SuccessValue })] });
    expect(returnedBytes(await sent)).toHaveLength(most);
    for (const value of ['A', 'AA=A', 'A===', '====', 'AAA\n', 'AA-_']) {
      const bad = await send({ one: [outcome('FINAL', { SuccessValue: value }), outcome('FINAL')] });
      expect(bad.methods).toEqual(['send_tx', 'tx']);
    }
  });

  it('returns a failed execution as an answer', async () => {
    const { sent } = await send({ one: [outcome('FINAL', { Failure: { ActionError: { index: 0 } } })] });
    expect(executionFailure(await sent)).toEqual({ ActionError: { index: 0 } });
    expect(returnedBytes(await sent)).toBeNull();
  });

  it('looks the transaction up after a lost answer, and does not send it again if it is found', async () => {
    const { sent, methods } = await send({ one: [NODE_TIMEOUT, outcome('FINAL')] });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'tx']);
  });

  it('sends the same bytes again when the lost request never arrived', async () => {
    const { sent, methods, requests } = await send({
      one: [{ status: 502, text: '' }, UNKNOWN_TRANSACTION, outcome('FINAL')],
    });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'tx', 'send_tx']);
    expect(requests[2]!.params.signed_tx_base64).toBe(requests[0]!.params.signed_tx_base64);
  });

  it('reports an unknown outcome when a node that may have sent it stops answering', async () => {
    const { sent } = await send({ one: [new TypeError('lost')], two: [{ status: 403, text: '' }] });
    expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('skips the lookup when the request cannot have arrived', async () => {
    const { sent, methods } = await send({ one: [{ status: 429, text: '' }, outcome('FINAL')] });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'send_tx']);
  });

  it("returns the first copy's outcome when the chain refuses the second copy", async () => {
    const { sent, methods } = await send({
      one: [new TypeError('lost'), outcome('FINAL')],
      two: [INVALID_NONCE, NONCE_SPENT, UNKNOWN_TRANSACTION],
    });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'send_tx', 'query', 'tx', 'tx']);
  });

  it('reports a refusal with the chain’s own name for it', async () => {
    const { sent, methods, requests } = await send({
      one: [INVALID_NONCE, NONCE_SPENT, ...Array(3).fill(UNKNOWN_TRANSACTION)],
    });
    expect(await failureOf(sent)).toMatchObject({
      code: 'TRANSACTION_FAILED',
      kind: 'invalid_transaction',
      reason: 'InvalidNonce',
      info: { ak_nonce: 7 },
    });
    expect(methods).toEqual(['send_tx', 'query', 'tx', 'tx', 'tx']);
    expect(requests[1]!.params).toMatchObject({
      request_type: 'view_access_key',
      account_id: signerId,
      public_key: publicKey,
      finality: 'final',
    });
  });

  it('reports a stale nonce as a refusal only after a final block has spent the nonce', async () => {
    const { sent, methods } = await send({
      one: [INVALID_NONCE, NONCE_FREE, UNKNOWN_TRANSACTION, NONCE_SPENT, outcome('FINAL')],
    });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'query', 'tx', 'query', 'tx']);
  });

  it('looks again for a copy that a browser repeated, since nodes behind one address may lag', async () => {
    const { sent, methods } = await send({
      one: [INVALID_NONCE, NONCE_SPENT, UNKNOWN_TRANSACTION, UNKNOWN_TRANSACTION, outcome('FINAL')],
    });
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['send_tx', 'query', 'tx', 'tx', 'tx']);
  });

  it('reports an unknown outcome when no node answers after a refusal', async () => {
    const { sent } = await send({
      one: [INVALID_NONCE, NONCE_SPENT, ...Array(12).fill({ status: 503, text: '' })],
    });
    expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('accepts a node’s repeated refusal once the nonce is spent', async () => {
    const { sent } = await send({
      one: [INVALID_NONCE, NONCE_FREE, INVALID_NONCE, NONCE_SPENT, ...Array(3).fill(INVALID_NONCE)],
    });
    expect(await failureOf(sent)).toMatchObject({ kind: 'invalid_transaction', reason: 'InvalidNonce' });
  });

  it('asks the other nodes when one repeats its refusal, since another may have a copy in a block', async () => {
    const found = await send({ one: [INVALID_NONCE, NONCE_SPENT, INVALID_NONCE], two: [outcome('FINAL')] });
    expect(await found.sent).toMatchObject({ transactionId: hash });
    const silent = await send({
      one: [INVALID_NONCE, NONCE_SPENT, ...Array(6).fill(INVALID_NONCE)],
      two: Array(6).fill({ status: 503, text: '' }),
    });
    expect(await failureOf(silent.sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
  });

  it('does not trust one node that a nonce is spent when two must agree, since it may withhold the copy', async () => {
    const liar = [INVALID_NONCE, ...Array(6).fill([NONCE_SPENT, UNKNOWN_TRANSACTION]).flat()];
    const honest = Array(6).fill([NONCE_FREE, UNKNOWN_TRANSACTION]).flat();
    const { sent } = await send({ one: liar, two: honest }, 'FINAL', {}, 2);
    expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    const agreed = await send(
      {
        one: [INVALID_NONCE, NONCE_SPENT, ...Array(3).fill(UNKNOWN_TRANSACTION)],
        two: [NONCE_SPENT, ...Array(3).fill(UNKNOWN_TRANSACTION)],
      },
      'FINAL',
      {},
      2,
    );
    expect(await failureOf(agreed.sent)).toMatchObject({ reason: 'InvalidNonce' });
  });

  describe('that a node calls expired', () => {
    const EXPIRED = handlerError(
      'INVALID_TRANSACTION',
      {},
      { TxExecutionError: { InvalidTxError: 'Expired' } },
    );
    const UNKNOWN_BLOCK: Reply = handlerError('UNKNOWN_BLOCK', {}, 'DB Not Found');
    const block = (height: number): Reply => ({
      result: { header: { height, hash: HASH, timestamp_nanosec: '1' } },
    });

    it('is refused once its block is older than the chain allows', async () => {
      const { sent, methods } = await send({ one: [EXPIRED, block(7), block(86_408), UNKNOWN_TRANSACTION] });
      expect(await failureOf(sent)).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
      expect(methods).toEqual(['send_tx', 'block', 'block', 'tx']);
    });

    it('is sent again while its block is recent, since the node may not know that block yet', async () => {
      const { sent, requests } = await send({
        one: [EXPIRED, block(7), block(86_407), UNKNOWN_TRANSACTION, outcome('FINAL')],
      });
      expect(await sent).toMatchObject({ transactionId: hash });
      expect(requests.at(-1)!.params.signed_tx_base64).toBe(requests[0]!.params.signed_tx_base64);
    });

    it('is never reported as refused when one node withholds it with that excuse and another contradicts it', async () => {
      const liar = Array(6)
        .fill([EXPIRED, block(7), block(90_000), UNKNOWN_TRANSACTION])
        .flat();
      const honest = Array(6)
        .fill([block(7), block(8), UNKNOWN_TRANSACTION])
        .flat();
      const { sent } = await send({ one: liar, two: honest }, 'FINAL', {}, 2);
      expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    });

    it('is refused in the end when no node knows the block, since nodes drop old blocks', async () => {
      const forgetful = Array(6).fill([EXPIRED, UNKNOWN_BLOCK, UNKNOWN_TRANSACTION]).flat();
      const { sent } = await send({ one: [...forgetful, ...Array(6).fill(UNKNOWN_TRANSACTION)] });
      expect(await failureOf(sent)).toMatchObject({ kind: 'invalid_transaction', reason: 'Expired' });
    });
  });

  it('reports a refusal when the key no longer exists', async () => {
    const gone = handlerError('UNKNOWN_ACCESS_KEY', {}, 'no such key');
    const { sent } = await send({ one: [INVALID_NONCE, gone, ...Array(3).fill(UNKNOWN_TRANSACTION)] });
    expect(await failureOf(sent)).toMatchObject({ kind: 'invalid_transaction', reason: 'InvalidNonce' });
  });

  it('never reports a transaction in a block as refused, however the nodes lag or fail', async () => {
    const blocks = fc.integer({ min: 0, max: 12 });
    const nodes = fc.array(
      fc.record({ lag: fc.integer({ min: 0, max: 4 }), fails: fc.array(fc.boolean()) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        nodes,
        blocks,
        fc.boolean(),
        fc.boolean(),
        async (made, spentAt, isOurs, wasSentBefore) => {
          const isHealthy = made.every(({ fails }) => !fails.includes(true));
          const client = laggingChain(made, { spentAt, isOurs });
          const end = await settled(client.sendTransaction(bytes, 'FINAL', { wasSentBefore }));
          const kind = end instanceof Error ? rpcFailure(end)?.kind : 'success';
          if (isOurs) expect(['success', 'outcome_unknown']).toContain(kind);
          else expect(['invalid_transaction', 'outcome_unknown']).toContain(kind);
          if (isHealthy && spentAt <= 4) expect(kind).not.toBe('outcome_unknown');
        },
      ),
      { numRuns: 300 },
    );
  });

  /**
   * Nodes that lag by some blocks and fail as scripted. Every request advances the chain by one block. Block
   * `spentAt` spends the nonce: with our transaction, from a copy sent elsewhere, or with another one of the same
   * key.
   */
  function laggingChain(
    made: { lag: number; fails: boolean[] }[],
    { spentAt, isOurs }: { spentAt: number; isOurs: boolean },
  ) {
    let height = 0;
    const faults = made.map(({ fails }) => [...fails]);
    return createRpcClient({
      urls: made.map((_, index) => `https://node${index}.example`),
      fetch: async (url, init) => {
        height += 1;
        const node = Number(/node(\d)/.exec(String(url))![1]);
        if (faults[node]!.shift()) throw new TypeError('fetch failed');
        const isSpentBy = (block: number) => spentAt <= block;
        const newest = height - made[node]!.lag;
        const { method } = JSON.parse(String(init?.body)) as { method: string };
        const answers: Record<string, () => Reply> = {
          send_tx: () => (isSpentBy(newest) ? INVALID_NONCE : NODE_TIMEOUT),
          tx: () => (isOurs && isSpentBy(newest) ? outcome('FINAL') : UNKNOWN_TRANSACTION),
          query: () => (isSpentBy(newest - 2) ? NONCE_SPENT : NONCE_FREE),
        };
        return Response.json({ jsonrpc: '2.0', id: '1', ...answers[method]!() });
      },
    });
  }

  it('looks for a transaction sent before, and ignores a refusal of its copy while a node may lag', async () => {
    const { sent, methods } = await send(
      { one: [UNKNOWN_TRANSACTION, INVALID_NONCE, NONCE_SPENT, UNKNOWN_TRANSACTION, outcome('FINAL')] },
      'FINAL',
      { wasSentBefore: true },
    );
    expect(await sent).toMatchObject({ transactionId: hash });
    expect(methods).toEqual(['tx', 'send_tx', 'query', 'tx', 'tx']);
  });

  it.each(['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL'] as const)(
    'rejects an answer at %s that lacks the execution status',
    async (level) => {
      const { sent } = await send(
        { one: Array(12).fill({ result: { final_execution_status: level } }) },
        level,
      );
      expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    },
  );

  it('keeps waiting until the requested level is reached', async () => {
    const { sent, methods } = await send({
      one: [outcome('EXECUTED_OPTIMISTIC'), outcome('EXECUTED'), outcome('FINAL')],
    });
    expect(await sent).toMatchObject({ final_execution_status: 'FINAL' });
    expect(methods).toEqual(['send_tx', 'tx', 'tx']);
  });

  it('rejects the outcome of another transaction', async () => {
    const { sent } = await send({ one: [other], two: [outcome('FINAL')] });
    expect(await sent).toMatchObject({ transactionId: hash, transaction: { hash } });
  });

  it('gives up after five retries and reports an unknown outcome', async () => {
    const { sent, methods } = await send({ one: Array(12).fill(new TypeError('down')) });
    expect(await failureOf(sent)).toMatchObject({ kind: 'outcome_unknown', transactionId: hash });
    expect(methods).toHaveLength(6);
  });

  it('reports that nothing was sent when no node was reached', async () => {
    const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { sent, methods } = await send({ one: Array(12).fill(refused) });
    expect(await failureOf(sent)).toMatchObject({ kind: 'unreachable', notDelivered: true });
    expect(methods).toEqual(Array(6).fill('send_tx'));
  });

  it('doubles its pauses from 200 ms, with up to 150 ms more', async () => {
    const pauses: number[] = [];
    const timer = vi.spyOn(globalThis, 'setTimeout');
    await send({ one: Array(12).fill({ status: 503, text: '' }) });
    for (const [, ms] of timer.mock.calls) if (ms !== undefined && ms >= 200) pauses.push(ms);
    timer.mockRestore();
    expect(pauses).toHaveLength(5);
    pauses.forEach((ms, retry) => {
      expect(ms).toBeGreaterThanOrEqual(200 * 2 ** retry);
      expect(ms).toBeLessThanOrEqual(200 * 2 ** retry + 150);
    });
  });

  it('stops its pause when aborted', async () => {
    const { client } = scripted({ one: Array(3).fill({ status: 503, text: '' }) });
    const controller = new AbortController();
    const sent = client.sendTransaction(bytes, 'FINAL', { signal: controller.signal });
    sent.catch(() => undefined);
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });

  it('refuses bytes that are not a signed transaction', async () => {
    const { client, calls } = scripted({ one: [] });
    await expect(client.sendTransaction(new Uint8Array(10))).rejects.toThrow(RangeError);
    await expect(client.sendTransaction(new Uint8Array(300).fill(9))).rejects.toThrow(RangeError);
    expect(calls).toHaveLength(0);
  });
});
