import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { createRpcClient, parseRpcUrls, type RpcCall, rpcFailure } from './index.js';
import { type PostOptions, postJson } from './rpc.js';
import { LaggingChain } from './testing/lagging-chain.js';
import {
  BAD_GATEWAY,
  blockAt,
  invalid,
  OLD_TIMEOUT,
  scriptedNodes,
  UNKNOWN_KEY,
  UNKNOWN_TRANSACTION as UNSEEN,
} from './testing/scripted-node.js';
import { FREE, hash, nonce, outcome, publicKey, SPENT, sendTo, signerId } from './testing/sending.js';

const HASH = '11111111111111111111111111111111';
const AT_BLOCK = { block_height: 7, block_hash: HASH };
const ACCESS_KEY = { nonce: 41, permission: 'FullAccess', ...AT_BLOCK };
const UNKNOWN_ACCOUNT = handlerError('UNKNOWN_ACCOUNT', {}, 'account a.testnet does not exist while viewing');
const UNKNOWN_TRANSACTION = handlerError('UNKNOWN_TRANSACTION', {}, "Transaction X doesn't exist");
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

describe('addresses (core 5)', () => {
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

  it.each(['https://alice@a.example', 'https://:SECRET@a.example'])(
    'must contain neither a user name nor a password alone: %s',
    (url) => {
      expect(() => parseRpcUrls(['https://b.example', url])).toThrow('must not hold a user name or password');
    },
  );

  it.each(['a.example', 'nohttp:x', 'httpsx://a.example', 'file:///etc/hosts'])(
    'are refused where one is none of http: %s',
    (url) => {
      const parse = () => parseRpcUrls(`https://b.example ${url}`);
      expect(parse).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
      expect(parse).toThrow(`not an http(s) URL for NEAR RPC: ${url}`);
    },
  );

  it.each([
    ['one provider', 'https://a.example https://a.example/other', undefined, false],
    ['two providers', 'https://a.example https://b.example', undefined, true],
    ['two providers, one of which decides', 'https://a.example https://b.example', 1, false],
    ['this machine', 'http://localhost:3030 http://127.0.0.1:3031', undefined, true],
    ['this machine and one provider, which decides', 'http://localhost:3030 https://a.example', 1, false],
  ])('tell whether no single remote node decides: %s', (_, urls, agreement, isWitnessed) => {
    expect(createRpcClient({ urls, agreement }).isWitnessed).toBe(isWitnessed);
  });
});

describe('views (core 7)', () => {
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

  // Nodes up to 2.14 name the key here, and later ones the account (nearcore#16267), inside the result or as an error.
  it('return null for the key of an account that does not exist', async () => {
    const insideResult = {
      result: { error: 'account a.testnet does not exist while viewing', logs: [], ...AT_BLOCK },
    };
    const { client } = scripted({ one: [UNKNOWN_ACCOUNT, insideResult] });
    expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toBeNull();
    expect(await client.viewAccessKey('a.testnet', 'ed25519:K')).toBeNull();
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

  it.each([
    'CompilationError(CodeDoesNotExist { account_id: AccountId("c.testnet") })',
    'FunctionCallError(CompilationError(CodeDoesNotExist { account_id: AccountId("c.testnet") }))',
  ])('name an account without a contract, as nodes write it: %s', async (error) => {
    const text = `wasm execution failed with error: ${error}`;
    const { client } = scripted({
      one: [
        { result: { error: text, logs: [], ...AT_BLOCK } },
        handlerError(
          'CONTRACT_EXECUTION_ERROR',
          { vm_error: text },
          `Function call returned an error: ${text}`,
        ),
        handlerError('NO_CONTRACT_CODE', {}, 'x'),
      ],
    });
    for (let form = 0; form < 3; form += 1) {
      expect(await failureOf(client.callFunction('c.testnet', 'm'))).toMatchObject({ kind: 'no_contract' });
    }
  });

  it.each([
    'CodeDoesNotExist',
    'CompilationError(CodeDoesNotExist { account_id: AccountId(\\"c.testnet\\") })',
    'account c.testnet does not exist while viewing',
    'access key ed25519:K does not exist while viewing',
    "Transaction K doesn't exist",
    'Timeout',
  ])('take no failure from the words of a contract: %s', async (words) => {
    const text = `wasm execution failed with error: HostError(GuestPanic { panic_msg: "${words}" })`;
    const { client } = scripted({
      one: [
        { result: { error: text, logs: [], ...AT_BLOCK } },
        handlerError(
          'CONTRACT_EXECUTION_ERROR',
          { vm_error: text },
          `Function call returned an error: ${text}`,
        ),
        handlerError(
          'CONTRACT_EXECUTION_ERROR',
          { vm_error: { ExecutionError: `Smart contract panicked: ${words}` } },
          `Function call returned an error: ExecutionError("Smart contract panicked: ${words}")`,
        ),
      ],
    });
    for (let form = 0; form < 3; form += 1) {
      expect(await failureOf(client.callFunction('c.testnet', 'm'))).toMatchObject({ kind: 'contract' });
    }
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

describe('fallback (core 5, core 7, core 8)', () => {
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

  it('returns to a node that failed after 30 seconds, and to one that was only slow at once', async () => {
    const { client, requests } = scriptedNodes({
      one: { block: [BAD_GATEWAY, blockAt(7), OLD_TIMEOUT, blockAt(7)] },
      two: { block: [blockAt(7)] },
    });
    const nodesAsked = async () => {
      const { length } = requests;
      await client.block();
      return requests.slice(length).map(({ node }) => node);
    };
    expect(await nodesAsked()).toEqual(['one', 'two']);
    const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    pass(29_000);
    expect(await nodesAsked()).toEqual(['two']);
    pass(2_000);
    expect(await nodesAsked()).toEqual(['one']);
    expect(await nodesAsked()).toEqual(['one', 'two']);
    expect(await nodesAsked()).toEqual(['one']);
  });

  it('asks every node that has failed lately after all others, in their order', async () => {
    const fails = { block: [BAD_GATEWAY] };
    const nodes = { one: fails, two: fails, three: { block: [blockAt(7), BAD_GATEWAY] } };
    const { client, requests } = scriptedNodes(nodes, { agreement: 1 });
    await client.block();
    await expect(client.block()).rejects.toThrow('502');
    expect(requests.map(({ node }) => node)).toEqual(['one', 'two', 'three', 'three', 'one', 'two']);
  });

  const REFUSED = { error: { name: 'REQUEST_VALIDATION_ERROR', data: 'no such field' } };

  it('goes on where a single node refuses what it is asked about a transaction', async () => {
    const final = outcome('FINAL');
    const lookUp = scriptedNodes({ one: { tx: [invalid('Expired')] }, two: { tx: [final] } }).client;
    expect(await lookUp.transactionStatus(hash, signerId)).toMatchObject({ transactionId: hash });
    const sent = await sendTo({ one: { send_tx: [REFUSED] }, two: { send_tx: [final] } });
    expect(sent.end).toMatchObject({ final_execution_status: 'FINAL' });
    expect(sent.requests.map(({ node }) => node)).toEqual(['one', 'two']);
  });

  it('stops where a node refuses a view', async () => {
    const script = { one: { query: [REFUSED, UNKNOWN_KEY] }, two: {} };
    const { client, requests } = scriptedNodes(script, { agreement: 1 });
    const view = () => client.viewAccessKey('a.testnet', 'ed25519:K');
    expect(await failureOf(view())).toMatchObject({ kind: 'invalid_request' });
    expect(await view()).toBeNull();
    expect(requests).toHaveLength(2);
  });

  it('rejects with the abort reason and asks no further node', async () => {
    const { client, calls } = scripted({ one: [], two: [] });
    await expect(client.block(undefined, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    expect(calls).toHaveLength(1);
  });
});

describe('a hostile node (core 7)', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const calls: ((client: ReturnType<typeof createRpcClient>) => Promise<unknown>)[] = [
    (client) => client.block(),
    (client) => client.viewAccount('a.testnet'),
    (client) => client.viewAccessKey('a.testnet', 'ed25519:K'),
    (client) => client.viewAccessKeyList('a.testnet'),
    (client) => client.callFunction('c.testnet', 'm'),
    (client) => client.callFunctionJson(v.string(), 'c.testnet', 'm'),
    (client) => client.transactionStatus(HASH, 'a.testnet'),
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

describe('a request to a node (core 7)', () => {
  const URL_OF_NODE = 'https://one.example/key/SECRET';
  const post = (fetch: PostOptions['fetch'], options: Partial<PostOptions> = {}) =>
    postJson(URL_OF_NODE, { a: 1 }, { fetch, timeoutMs: 1_000, maxBytes: 1_000, ...options });
  const answering = (text: string, init: ResponseInit = {}) =>
    failureOf(post(async () => new Response(text, init)));

  it('posts JSON and asks for JSON', async () => {
    const sent: unknown[] = [];
    const fetch = async (...request: unknown[]) => {
      sent.push(request);
      return new Response('{"result":1}');
    };
    expect(await post(fetch)).toEqual({ result: 1 });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const init = { method: 'POST', headers, body: '{"a":1}', signal: expect.any(AbortSignal) };
    expect(sent).toEqual([[URL_OF_NODE, init]]);
  });

  it('is told to the caller, with the kind of a query alone, and each has its own id', async () => {
    const ids: string[] = [];
    const calls: RpcCall[] = [];
    const client = createRpcClient({
      urls: URL_OF_NODE,
      onCall: (call) => calls.push(call),
      fetch: async (_url, init) => {
        ids.push(JSON.parse(String(init?.body)).id);
        return new Response(JSON.stringify(blockAt(7)));
      },
    });
    await client.block();
    await client.viewAccount('a.testnet').catch(() => undefined);
    expect(calls).toStrictEqual([
      { method: 'block', node: 'https://one.example' },
      { method: 'query', requestType: 'view_account', node: 'https://one.example' },
    ]);
    expect(ids).toEqual(['1', '2']);
  });

  it('for the protocol reads the configuration of the final block', async () => {
    const { client, requests } = scripted({ one: [{ result: { protocol_version: 80 } }] });
    expect(await client.protocolConfig(v.object({ protocol_version: v.number() }))).toEqual({
      protocol_version: 80,
    });
    expect(requests[0]).toMatchObject({
      method: 'EXPERIMENTAL_protocol_config',
      params: { finality: 'final' },
    });
  });

  it('reads an answer of the largest size, and none that is larger', async () => {
    expect(await post(async () => new Response(`"${'x'.repeat(998)}"`))).toHaveLength(998);
    expect(await answering(`"${'x'.repeat(999)}"`)).toMatchObject({
      kind: 'malformed',
      message: 'RPC request failed: the answer is larger than 1000 bytes',
    });
  });

  it.each([8 * 1024 * 1024, 8 * 1024 * 1024 + 1])(
    'reads 8 MiB where nothing else is configured (%i bytes)',
    async (size) => {
      const answer = JSON.stringify(blockAt(7));
      const text = answer + ' '.repeat(size - answer.length);
      const client = createRpcClient({ urls: URL_OF_NODE, fetch: async () => new Response(text) });
      const end = await client.block().catch((error: unknown) => rpcFailure(error)?.kind);
      if (size === 8 * 1024 * 1024) expect(end).toMatchObject({ header: { height: 7 } });
      else expect(end).toBe('malformed');
    },
  );

  it.each([
    ['no text', '', 'Empty response from RPC server'],
    ['blanks', ' \n', 'Empty response from RPC server'],
    ['no JSON', '<html>', 'RPC request failed: the answer is not JSON'],
  ])('is refused as malformed where the answer is %s', async (_, text, message) => {
    expect(await answering(text)).toMatchObject({ kind: 'malformed', message });
  });

  it.each([
    [400, true],
    [404, true],
    [408, false],
    [499, true],
    [500, false],
    [503, false],
  ])('was not delivered where the answer is HTTP %i: %s', async (status, notDelivered) => {
    expect(await answering('', { status })).toMatchObject({
      kind: 'http',
      status,
      notDelivered,
      message: `RPC request failed: ${status}`,
    });
  });

  it.each([
    [429, 'http'],
    [403, 'http'],
    [400, 'unknown_account'],
    [500, 'unknown_account'],
  ])('that is answered with HTTP %i and an error of the chain fails as %s', async (status, kind) => {
    expect(await answering(JSON.stringify(UNKNOWN_ACCOUNT), { status })).toMatchObject({ kind });
  });

  it.each(['{}', '5', '{"error":"text"}', 'null'])(
    'fails by its HTTP status where the body holds no structured error: %s',
    async (text) => {
      expect(await answering(text, { status: 500 })).toMatchObject({ kind: 'http', status: 500 });
    },
  );

  it.each([
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['ECONNRESET', false],
  ])('that ends with %s was not delivered: %s', async (code, notDelivered) => {
    const down = new TypeError('fetch failed', { cause: { code } });
    expect(await failureOf(post(() => Promise.reject(down)))).toMatchObject({
      kind: 'unreachable',
      notDelivered,
      message: 'RPC request failed: the node cannot be reached (fetch failed)',
    });
  });

  it('may have been delivered where nothing says why it ended', async () => {
    for (const thrown of [
      new TypeError('fetch failed'),
      new TypeError('x', { cause: 'ECONNREFUSED' }),
      'x',
    ]) {
      expect(await failureOf(post(() => Promise.reject(thrown)))).toMatchObject({ notDelivered: false });
    }
  });

  it('is not sent for a caller who has aborted, and ends for one who aborts', async () => {
    let sent = 0;
    const hanging: PostOptions['fetch'] = (_url, init) => {
      sent += 1;
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('closed')));
      });
    };
    const reason = new Error('enough');
    await expect(post(hanging, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toBe(0);
    const stopping = new AbortController();
    const waiting = post(hanging, { signal: stopping.signal });
    stopping.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(sent).toBe(1);
  });
});

describe('a state that nodes must confirm (core 4, core 7)', () => {
  skipWaits();

  const noted = { transactionId: hash, signerId, publicKey, nonce, blockHeight: 100 };
  const spent = { tx: [UNSEEN], query: [SPENT], block: [blockAt(200)] };
  const stateOf = (nodes: Parameters<typeof scriptedNodes>[0]) =>
    scriptedNodes(nodes, { agreement: 2 }).client.transactionState(noted);

  it('is confirmed by the other nodes where one does not answer', async () => {
    const down = { ...spent, query: [BAD_GATEWAY] };
    expect(await stateOf({ one: down, two: spent, three: spent })).toEqual({ name: 'refused' });
  });

  it('is not confirmed where one of them says otherwise', async () => {
    expect(await stateOf({ one: spent, two: { ...spent, query: [FREE] } })).toEqual({ name: 'in-pool' });
  });

  it('is not confirmed where too few nodes are there, or too few answer', async () => {
    expect(await stateOf({ one: spent })).toEqual({ name: 'in-pool' });
    const down = { ...spent, query: [BAD_GATEWAY] };
    expect(await stateOf({ one: spent, two: down })).toEqual({ name: 'in-pool' });
  });
});

describe('two addresses of one provider (core 7)', () => {
  skipWaits();

  it('are both asked for their newest block where one node decides', async () => {
    const [one, two] = ['https://one.example/a', 'https://one.example/b'];
    const chain = new LaggingChain({ nodes: { [one]: [0], [two]: [0] } });
    const client = createRpcClient({ urls: chain.urls, fetch: chain.fetch });
    await client.viewAccessKey('a.testnet', 'ed25519:K', { twice: true });
    const asked = chain.asked.filter(({ method }) => method === 'block').map(({ url }) => url);
    expect(asked.slice(0, 2)).toEqual([one, two]);
  });
});

describe('a node that names a time to come back (core 7)', () => {
  skipWaits();

  /** How long after its first answer the node is asked again. */
  async function pauseAfter(retryAfter: string) {
    const askedAt: number[] = [];
    const client = createRpcClient({
      urls: 'https://one.example',
      fetch: async () => {
        askedAt.push(Date.now());
        if (askedAt.length > 1) return new Response(JSON.stringify(blockAt(7)));
        return new Response('', { status: 429, headers: { 'retry-after': retryAfter } });
      },
    });
    const { retryAfterMs } = await failureOf(client.block());
    await client.block();
    return { retryAfterMs, pauseMs: askedAt[1]! - askedAt[0]! };
  }

  it.each([
    ['0', 0, 0],
    ['5', 5_000, 5_000],
    ['10', 10_000, 10_000],
    ['11', 11_000, 10_000],
    ['soon', undefined, 0],
    ['5 s', undefined, 0],
    ['', undefined, 0],
  ])('is asked again after it, at the latest after 10 seconds: %s', async (text, retryAfterMs, pauseMs) => {
    expect(await pauseAfter(text)).toEqual({ retryAfterMs, pauseMs });
  });

  it('is left alone until then, although another answer of it names no time', async () => {
    const askedAt: number[] = [];
    const begun = Date.now();
    const client = createRpcClient({
      urls: 'https://one.example',
      fetch: async () => {
        askedAt.push(Date.now() - begun);
        if (askedAt.length === 1) return new Response('', { status: 429, headers: { 'retry-after': '5' } });
        if (askedAt.length > 2) return new Response(JSON.stringify(blockAt(7)));
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return new Response('', { status: 502 });
      },
    });
    await Promise.allSettled([client.block(), client.block()]);
    await client.block();
    expect(askedAt).toEqual([0, 0, 5_000]);
  });

  it('names it as a date too, which may be over', async () => {
    vi.setSystemTime(new Date('2026-01-01T00:00:00Z'));
    const after = new Date('2026-01-01T00:00:07Z').toUTCString();
    expect(await pauseAfter(after)).toEqual({ retryAfterMs: 7_000, pauseMs: 7_000 });
    const before = new Date('2025-01-01T00:00:00Z').toUTCString();
    expect(await pauseAfter(before)).toEqual({ retryAfterMs: 0, pauseMs: 0 });
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
