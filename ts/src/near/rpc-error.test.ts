/**
 * Answers of nodes of several versions, and of gateways, that mean the same are read as one kind.
 * docs/maintainers/rpc-answers.md has the versions. `#n` is a pull request or an issue of near/nearcore; sentences without one are
 * the `#[error]` texts of near-jsonrpc-primitives 0.38.0.
 */
import { describe, expect, it } from 'vitest';
import { CANCELLED, LatchkeyError, NEAR_RPC_FAILED } from '../errors/core.js';
import { type RpcFailure, rpcFailure } from './index.js';
import { postJson } from './rpc.js';
import { placeOfFailure, queryResult, resultOf } from './rpc-answer.js';
import {
  errorFromAnswer,
  errorFromText,
  isFinalAnswer,
  isTransient,
  outcomeUnknown,
  type RpcFailureKind,
  rpcError,
} from './rpc-error.js';
import { handlerError } from './testing/scripted-node.js';

/** The JSON of an answer, and its HTTP status if that is not 200. */
interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly status?: number;
}

const KEY = 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp';
const HASH = 'Asyx4Z1TKCGSx1LeT8hV9X1rpeBmrsXbEjsW8v3XfmWw';
const AT_BLOCK = { block_height: 187_310_138, block_hash: HASH };
const NO_CODE = 'CompilationError(CodeDoesNotExist { account_id: AccountId("test.near") })';
const PANIC = 'HostError(GuestPanic { panic_msg: "Not enough balance" })';
const PARSE = 'missing field `finality`';

/** In place of a `query`'s result. */
const flat = (error: string): Answer => ({ result: { error, logs: [], ...AT_BLOCK } });
/** Without the structure that nodes have added since 2021, and that some gateways drop. */
const unstructured = (data: unknown, code = -32_000): Answer => ({
  error: { code, message: 'Server error', data },
});
const wasm = (error: string) => `wasm execution failed with error: ${error}`;
const returned = (error: string) => `Function call returned an error: ${error}`;
const contractError = (vm_error: unknown, data: string): Answer =>
  handlerError('CONTRACT_EXECUTION_ERROR', { vm_error, ...AT_BLOCK }, data);
const internal = (error_message: string): Answer => ({
  status: 500,
  error: {
    name: 'INTERNAL_ERROR',
    cause: { name: 'INTERNAL_ERROR', info: { error_message } },
    code: -32_000,
    message: 'Server error',
    data: `The node reached its limits. Try again later. More details: ${error_message}`,
  },
});
const timeout = (info?: unknown): Answer => handlerError('TIMEOUT_ERROR', info, 'Timeout');
const invalidRequest = (status: number): Answer => ({
  status,
  error: {
    name: 'REQUEST_VALIDATION_ERROR',
    cause: { name: 'PARSE_ERROR', info: { error_message: PARSE } },
    code: -32_700,
    message: 'Parse error',
    data: PARSE,
  },
});
const refusal = { TxExecutionError: { InvalidTxError: { InvalidNonce: { tx_nonce: 5, ak_nonce: 7 } } } };

const SAME: readonly [meaning: string, read: Partial<RpcFailure>, answers: readonly Answer[]][] = [
  [
    'the account does not exist',
    { kind: 'unknown_account' },
    [
      handlerError('UNKNOWN_ACCOUNT', AT_BLOCK, 'account gone.testnet does not exist while viewing'),
      // EXPERIMENTAL_view_access_key.
      handlerError('UNKNOWN_ACCOUNT', AT_BLOCK, 'Account gone.testnet does not exist while viewing'),
      // query of a key, from #16267 on.
      flat('account gone.testnet does not exist while viewing'),
      // #1106, of 2020.
      unstructured('account gone.testnet does not exist while viewing'),
      unstructured('Account gone.testnet does not exist while viewing'),
    ],
  ],
  [
    'the account does not have the key',
    { kind: 'unknown_access_key' },
    [
      // #1860.
      flat(`access key ${KEY} does not exist while viewing`),
      handlerError(
        'UNKNOWN_ACCESS_KEY',
        { public_key: KEY, ...AT_BLOCK },
        `Access key for public key ${KEY} does not exist while viewing`,
      ),
      // Before #15167; #11918 has it without a name.
      handlerError(
        'UNKNOWN_ACCESS_KEY',
        { public_key: KEY, ...AT_BLOCK },
        `Access key for public key ${KEY} has never been observed on the node`,
      ),
      unstructured(`Access key for public key ${KEY} has never been observed on the node`),
      unstructured(`Access key for public key ${KEY} does not exist while viewing`),
    ],
  ],
  [
    'the account has no contract',
    { kind: 'no_contract' },
    [
      // #14644.
      flat(wasm('CompilationError(CodeDoesNotExist { account_id: "test.near" })')),
      flat(wasm(NO_CODE)),
      flat(wasm(`FunctionCallError(${NO_CODE})`)),
      // Gateways have the machine's error as text, as in #9702.
      contractError(wasm(NO_CODE), returned(wasm(NO_CODE))),
      contractError(wasm(NO_CODE), returned(JSON.stringify(wasm(NO_CODE)))),
      contractError(
        { CompilationError: { CodeDoesNotExist: { account_id: 'test.near' } } },
        returned(NO_CODE),
      ),
      handlerError(
        'NO_CONTRACT_CODE',
        { contract_account_id: 'test.near', ...AT_BLOCK },
        'Contract code for contract ID #test.near has never been observed on the node',
      ),
      unstructured(returned(wasm(NO_CODE))),
      unstructured('Contract code for contract ID #test.near has never been observed on the node'),
    ],
  ],
  [
    'the contract has no such method',
    { kind: 'contract' },
    [
      // #11549; wrapped: near/core-contracts#20.
      flat(wasm('MethodResolveError(MethodNotFound)')),
      flat(wasm('FunctionCallError(MethodResolveError(MethodNotFound))')),
      contractError(
        wasm('MethodResolveError(MethodNotFound)'),
        returned(wasm('MethodResolveError(MethodNotFound)')),
      ),
      contractError({ MethodResolveError: 'MethodNotFound' }, returned('MethodResolveError(MethodNotFound)')),
      unstructured(returned('MethodResolveError(MethodNotFound)')),
    ],
  ],
  [
    'the contract panicked',
    { kind: 'contract' },
    [
      flat(wasm(PANIC)),
      // near/near-api-js#493.
      flat(wasm(`FunctionCallError(${PANIC})`)),
      contractError(wasm(PANIC), returned(wasm(PANIC))),
      // #15113.
      contractError(
        { ExecutionError: 'Smart contract panicked: Not enough balance' },
        returned('ExecutionError("Smart contract panicked: Not enough balance")'),
      ),
    ],
  ],
  [
    'the node does not have the block',
    { kind: 'node', causeName: 'UNKNOWN_BLOCK' },
    [
      // #12137.
      handlerError('UNKNOWN_BLOCK', {}, `DB Not Found Error: BLOCK: ${HASH} \n Cause: Unknown`),
      handlerError('UNKNOWN_BLOCK', {}, `DB Not Found Error: BLOCK HEADER: ${HASH}`),
      {
        status: 422,
        ...handlerError('UNKNOWN_BLOCK', {}, 'DB Not Found Error: BLOCK HEIGHT: 10 \n Cause: Unknown'),
      },
      handlerError(
        'UNKNOWN_BLOCK',
        { block_reference: { block_id: 10 } },
        'Block either has never been observed on the node or has been garbage collected: BlockId(Height(10))',
      ),
      // #4399.
      unstructured('DB Not Found Error: BLOCK HEIGHT: 10 \n Cause: Unknown'),
      unstructured(
        'Block either has never been observed on the node or has been garbage collected: BlockId(Height(10))',
      ),
    ],
  ],
  [
    'the node has dropped the block',
    { kind: 'node' },
    [
      handlerError(
        'GARBAGE_COLLECTED_BLOCK',
        AT_BLOCK,
        'The data for block #10 is garbage collected on this node, use an archival node to fetch historical data',
      ),
      internal(
        'The data for block #10 is garbage collected on this node, use an archival node to fetch historical data',
      ),
    ],
  ],
  [
    'the node does not track the shard',
    { kind: 'node' },
    [
      handlerError('UNAVAILABLE_SHARD', { requested_shard_id: 3 }, 'The node does not track the shard ID 3'),
      internal('The node does not track the shard ID 3'),
      handlerError(
        'DOES_NOT_TRACK_SHARD',
        undefined,
        "Node doesn't track this shard. Cannot determine whether the transaction is valid",
      ),
    ],
  ],
  [
    'the node is not synced',
    { kind: 'node' },
    [
      handlerError('NO_SYNCED_BLOCKS', undefined, 'There are no fully synchronized blocks on the node yet'),
      internal('There are no fully synchronized blocks on the node yet'),
      handlerError('NOT_SYNCED_YET', undefined, 'There are no fully synchronized blocks yet'),
    ],
  ],
  [
    'the account has more keys than one answer holds',
    { kind: 'node' },
    [
      handlerError(
        'TOO_MANY_ACCESS_KEYS',
        { requested_account_id: 'a.testnet', limit: 100, ...AT_BLOCK },
        'Account a.testnet has more than 100 access keys; use a paginated view_access_key_list request',
      ),
      internal(
        'Unexpected query error: TooManyAccessKeys { requested_account_id: AccountId("a.testnet"), limit: 100 }',
      ),
    ],
  ],
  [
    'the node cannot read its own state',
    { kind: 'node' },
    [internal('MissingTrieValue'), { ...internal('MissingTrieValue'), status: 200 }],
  ],
  [
    'the node stopped waiting for the transaction',
    { kind: 'timeout' },
    [
      // #2488.
      unstructured('Timeout'),
      timeout(),
      timeout(null),
      // From #15950 on.
      ...['NOT_OBSERVED', 'ERROR', 'DOES_NOT_TRACK_SHARD'].map((cause) => timeout({ cause })),
    ].flatMap((answer) => [answer, { ...answer, status: 408 }]),
  ],
  [
    'no block that the node has holds the transaction',
    { kind: 'unknown_transaction' },
    [
      handlerError(
        'UNKNOWN_TRANSACTION',
        { requested_transaction_hash: HASH },
        `Transaction ${HASH} doesn't exist`,
      ),
      // #2572.
      unstructured(`Transaction ${HASH} doesn't exist`),
    ],
  ],
  [
    'the transaction is refused',
    { kind: 'invalid_transaction', reason: 'InvalidNonce', info: { tx_nonce: 5, ak_nonce: 7 } },
    [handlerError('INVALID_TRANSACTION', {}, refusal), unstructured(refusal)],
  ],
  ['the request is wrong', { kind: 'invalid_request' }, [invalidRequest(200), invalidRequest(400)]],
];

async function failureOf({ status = 200, ...envelope }: Answer): Promise<RpcFailure | undefined> {
  const fetch = async () =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id: '1', ...envelope }), { status });
  const options = { fetch, timeoutMs: 10_000, maxBytes: 1_000_000 };
  return postJson('https://node.example', {}, options)
    .then(resultOf)
    .then(queryResult)
    .then(() => undefined, rpcFailure);
}

describe('answers that mean the same (core 7)', () => {
  it.each(SAME)('are read as one: %s', async (_, read, answers) => {
    for (const answer of answers) {
      expect({ answer, ...(await failureOf(answer)) }).toMatchObject(read);
    }
  });
});

describe('what a failure allows', () => {
  const TRANSIENT: readonly RpcFailureKind[] = ['unreachable', 'timeout', 'malformed', 'node', 'busy'];
  const FINAL: readonly RpcFailureKind[] = [
    'unknown_account',
    'unknown_access_key',
    'no_contract',
    'contract',
    'invalid_transaction',
    'invalid_request',
    'outcome_unknown',
  ];

  it.each(TRANSIENT)('%s may go away, and is no word of the chain', (kind) => {
    expect([isTransient({ kind }), isFinalAnswer({ kind })]).toEqual([true, false]);
  });

  it.each(FINAL)('%s stays', (kind) => {
    expect([isTransient({ kind }), isFinalAnswer({ kind })]).toEqual([false, true]);
  });

  it('a transaction that a node does not know may be known to another', () => {
    expect(isTransient({ kind: 'unknown_transaction' })).toBe(false);
    expect(isFinalAnswer({ kind: 'unknown_transaction' })).toBe(false);
  });

  it.each([
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [499, false],
    [404, false],
    [undefined, false],
  ])('HTTP %s may go away: %s', (status, isPassing) => {
    const failure: RpcFailure = { kind: 'http', ...(status !== undefined && { status }) };
    expect([isTransient(failure), isFinalAnswer(failure)]).toEqual([isPassing, false]);
  });

  it('the block is read where the node names a height and a hash', () => {
    const placeIn = (info: unknown) => placeOfFailure({ kind: 'contract', info });
    const block_hash = '1'.repeat(32);
    expect(placeIn({ block_height: 5, block_hash })).toEqual({ height: 5, hash: block_hash });
    for (const block_height of [1.5, '5', undefined])
      expect(placeIn({ block_height, block_hash })).toBeUndefined();
    for (const info of [{ block_height: 5, block_hash: 'x' }, {}, null, undefined])
      expect(placeIn(info)).toBeUndefined();
  });
});

describe('the error of a failure', () => {
  it('is read back from the errors of this client alone', () => {
    expect(rpcFailure(rpcError({ kind: 'busy' }, { reason: 'r' }))).toEqual({ kind: 'busy' });
    expect(rpcFailure(rpcError({ kind: 'invalid_transaction' }, { reason: 'r' }))?.kind).toBe(
      'invalid_transaction',
    );
    for (const other of [
      new LatchkeyError(NEAR_RPC_FAILED, {}),
      new LatchkeyError(CANCELLED, { details: { kind: 'busy' } }),
      new Error('busy'),
      undefined,
    ])
      expect(rpcFailure(other)).toBeUndefined();
  });

  it('has the text that its reason fills, or its own message, and the cause', () => {
    const cause = new Error('socket');
    const error = rpcError({ kind: 'unreachable' }, { reason: 'no answer' }, cause);
    expect(error).toMatchObject({ code: 'NEAR_RPC_FAILED', values: { reason: 'no answer' }, cause });
    expect(rpcError({ kind: 'malformed' }, { message: 'Empty' }).message).toBe('Empty');
    expect(rpcError({ kind: 'invalid_transaction' }, { reason: 'r' }).code).toBe('TRANSACTION_FAILED');
  });

  it('names the transaction whose end is not known', () => {
    const cause = new Error('timeout');
    const error = outcomeUnknown('ID', 'in-pool', cause);
    expect(error).toMatchObject({
      details: { kind: 'outcome_unknown', transactionId: 'ID', state: 'in-pool' },
      message: expect.stringContaining('what became of transaction ID is not known, and it may still happen'),
      cause,
    });
  });

  it.each(['ShardCongested', 'ShardStuck', 'StorageError'])('says that %s turned the bytes away', (name) => {
    for (const fault of [name, { [name]: { shard_id: 1 } }]) {
      const error = errorFromAnswer({ data: { TxExecutionError: { InvalidTxError: fault } } });
      expect(rpcFailure(error)).toMatchObject({ kind: 'busy', reason: name, notDelivered: true });
    }
  });

  it('takes the reason from the data, else from the message', () => {
    const reason = (answer: unknown) => errorFromAnswer(answer).values?.reason;
    expect(reason({ message: 'm', data: 'd' })).toBe('d');
    expect(reason({ message: 'm', data: { message: 'd' } })).toBe('d');
    expect(reason({ message: 'm', data: { message: 5 } })).toBe('m');
    expect(reason({ message: 'm', data: null })).toBe('m');
    expect(reason({})).toBe('the node gave no reason');
    expect(reason('a sentence')).toBe('a sentence');
    expect(reason(5)).toBe('the node sent an unreadable error');
    expect(rpcFailure(errorFromAnswer(5))).toEqual({ kind: 'malformed' });
  });

  it("names a refused transaction's fault with its data", () => {
    const reason = (InvalidTxError: unknown) =>
      errorFromAnswer({ data: { TxExecutionError: { InvalidTxError } } }).values?.reason;
    expect(reason('Expired')).toBe('Expired');
    expect(reason({ InvalidNonce: { tx_nonce: 5 } })).toBe('InvalidNonce {"tx_nonce":5}');
    expect(reason({})).toBe('the node gave no reason');
  });

  it("cuts a node's text at 1000 characters", () => {
    const long = 'x'.repeat(1_001);
    const lengths = [
      errorFromText(long),
      errorFromAnswer({ data: long }),
      errorFromAnswer({ name: 'REQUEST_VALIDATION_ERROR', data: long }),
      errorFromAnswer({ data: { TxExecutionError: { InvalidTxError: long } } }),
    ].map((error) => String(error.values?.reason).length);
    expect(lengths).toEqual([1_000, 1_000, 1_000, 1_000]);
  });

  it('keeps what the node says with a name', () => {
    const error = errorFromAnswer({
      cause: { name: 'UNKNOWN_ACCOUNT', info: { block_height: 5 } },
      data: 'gone',
    });
    expect(error).toMatchObject({ details: { kind: 'unknown_account', info: { block_height: 5 } } });
    expect(error.values?.reason).toBe('gone');
  });
});
