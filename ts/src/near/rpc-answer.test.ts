import { base58 } from '@scure/base';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isLatchkeyError } from '../errors/latchkey-error.js';
import {
  actionErrorKind,
  executionFailure,
  gasKeyView,
  isFullAccessView,
  returnedBytes,
  rpcFailure,
} from './index.js';
import {
  AccessKeyListSchema,
  AccessKeyViewSchema,
  AccountViewSchema,
  BlockViewSchema,
  outcomeReader,
  parseReturnedJson,
  placeOf,
  placeOfFailure,
  queryResult,
  readCallResult,
  reader,
  resultOf,
  TransactionOutcomeSchema,
} from './rpc-answer.js';

const HASH = '1'.repeat(32);
const LONGEST_HASH = base58.encode(new Uint8Array(32).fill(255));
const AT = { block_height: 7, block_hash: HASH };

function failureOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    const message = isLatchkeyError(error) ? error.message : undefined;
    return { message, ...rpcFailure(error) };
  }
  return 'no failure';
}

const malformedAt = (place: string) => ({
  kind: 'malformed',
  message: `RPC request failed: the answer has an unexpected shape at ${place}`,
});

describe('a value of an answer (core 7)', () => {
  const hashIn = (block_hash: unknown) => () =>
    reader(AccessKeyListSchema)({ keys: [], block_height: 7, block_hash });

  it('is a hash if it is 32 bytes in base58', () => {
    expect(LONGEST_HASH).toHaveLength(44);
    for (const hash of [HASH, LONGEST_HASH]) expect(hashIn(hash)()).toMatchObject({ block_hash: hash });
  });

  it.each([
    ['31 bytes', '1'.repeat(31)],
    ['33 bytes', '1'.repeat(33)],
    ['no base58', `${HASH.slice(1)}0`],
    ['nothing', ''],
    ['a number', 7],
  ])('is no hash if it is %s', (_, text) => {
    expect(failureOf(hashIn(text))).toMatchObject(malformedAt('block_hash'));
  });

  it.each([-1, 0.5, 2 ** 53, '7', null])('is no height if it is %j', (block_height) => {
    const read = () => reader(AccessKeyListSchema)({ keys: [], ...AT, block_height });
    expect(failureOf(read)).toMatchObject(malformedAt('block_height'));
  });

  it.each(['', '-1', '1.5', '1e9', ' 1', '1'.repeat(40), 5])('is no amount if it is %j', (amount) => {
    const account = { amount: '1'.repeat(39), locked: '0', code_hash: HASH, storage_usage: 0, ...AT };
    expect(reader(AccountViewSchema)(account)).toEqual(account);
    const read = (change: object) => () => reader(AccountViewSchema)({ ...account, ...change });
    expect(failureOf(read({ amount }))).toMatchObject(malformedAt('amount'));
    expect(failureOf(read({ locked: amount }))).toMatchObject(malformedAt('locked'));
  });

  it.each(['', '-1', '1'.repeat(21), 'x', 1])('is no time if it is %j', (timestamp_nanosec) => {
    const read = (time: unknown) =>
      reader(BlockViewSchema)({ header: { height: 7, hash: HASH, timestamp_nanosec: time } });
    expect(read('1'.repeat(20)).header.height).toBe(7);
    expect(failureOf(() => read(timestamp_nanosec))).toMatchObject(malformedAt('header.timestamp_nanosec'));
  });

  it.each([
    ['above a byte', [0, 256]],
    ['below a byte', [-1]],
    ['a fraction', [0.5]],
    ['a text', '12'],
    ['a list of texts', ['1']],
    ['an object', { length: 0 }],
  ])('is no bytes if it is %s', (_, result) => {
    const call = { result: [0, 255], logs: ['a'], ...AT };
    expect(readCallResult(call)).toEqual({
      bytes: Uint8Array.of(0, 255),
      logs: ['a'],
      blockHeight: 7,
      blockHash: HASH,
    });
    expect(failureOf(() => readCallResult({ ...call, result }))).toMatchObject({ kind: 'malformed' });
  });

  it('is refused as a whole where it is no object', () => {
    expect(failureOf(() => reader(AccountViewSchema)(5))).toMatchObject(malformedAt('result'));
  });
});

describe('the permission of a key (core 7)', () => {
  const read = (permission: unknown) => reader(AccessKeyViewSchema)({ nonce: 1, permission, ...AT });
  const gas = { balance: '5', num_nonces: 2 };
  const limited = { ...gas, receiver_id: 'c.testnet', method_names: [] };

  it('is everything for a key with full access, also for one that holds gas', () => {
    expect(isFullAccessView(read('FullAccess'))).toBe(true);
    expect(isFullAccessView(read({ GasKeyFullAccess: gas }))).toBe(true);
    expect(isFullAccessView(read({ GasKeyFunctionCall: limited }))).toBe(false);
    const call = { allowance: null, receiver_id: 'c.testnet', method_names: ['m'] };
    expect(isFullAccessView(read({ FunctionCall: call }))).toBe(false);
  });

  it('names what a gas key has, and nothing for any other key', () => {
    expect(gasKeyView(read({ GasKeyFullAccess: gas }))).toEqual(gas);
    expect(gasKeyView(read({ GasKeyFunctionCall: limited }))).toEqual(limited);
    expect(gasKeyView(read('FullAccess'))).toBeUndefined();
    expect(gasKeyView(read({ NewerThanThisClient: {} }))).toBeUndefined();
  });

  it.each(['GasKeyFullAccess', 'GasKeyFunctionCall'])(
    'is refused where %s has no readable balance',
    (name) => {
      for (const balance of [5, '-5', undefined]) {
        expect(failureOf(() => read({ [name]: { ...limited, balance } }))).toMatchObject({
          kind: 'malformed',
        });
      }
    },
  );

  it('passes through where it is newer than this client, and is refused where it is none', () => {
    expect(read({ NewerThanThisClient: { a: 1 } }).permission).toEqual({ NewerThanThisClient: { a: 1 } });
    for (const none of ['NoAccess', 5, null]) {
      expect(failureOf(() => read(none))).toMatchObject({ kind: 'malformed' });
    }
  });
});

describe('the end of a transaction (core 4)', () => {
  const outcome = (status: unknown) => outcomeReader(HASH)({ final_execution_status: 'FINAL', status });

  it('is a failure only where the status holds one', () => {
    const failure = { ActionError: { kind: 'AccountAlreadyExists' } };
    expect(executionFailure(outcome({ Failure: failure }))).toEqual(failure);
    for (const status of ['Started', undefined, { SuccessValue: '' }, { SuccessReceiptId: HASH }]) {
      expect(executionFailure(outcome(status))).toBeNull();
    }
  });

  it('returned bytes only where the status holds a value', () => {
    expect(returnedBytes(outcome({ SuccessValue: 'AP8=' }))).toEqual(Uint8Array.of(0, 255));
    expect(returnedBytes(outcome({ SuccessValue: '' }))).toEqual(new Uint8Array());
    for (const status of ['Started', undefined, { Failure: {} }, { SuccessReceiptId: HASH }]) {
      expect(returnedBytes(outcome(status))).toBeNull();
    }
  });

  it.each(['AAA', 'AAAAA', 'A===', 'A=AA', 'A-A=', 'AA=A', '====', 'AA A'])(
    'is refused where the value is not base64: %s',
    (SuccessValue) => {
      expect(failureOf(() => outcome({ SuccessValue }))).toMatchObject({ kind: 'malformed' });
    },
  );

  it('is read where the value is base64 with or without padding', () => {
    for (const SuccessValue of ['AAAA', 'AAA=', 'AA==', 'aZ09+/8='])
      expect(outcome({ SuccessValue }).status).toEqual({ SuccessValue });
  });

  it('is named by the fault of its action', () => {
    expect(actionErrorKind({ ActionError: { kind: 'Expired' } })).toBe('Expired');
    expect(actionErrorKind({ ActionError: { kind: { AccountAlreadyExists: { account_id: 'a' } } } })).toBe(
      'AccountAlreadyExists',
    );
    for (const other of [null, {}, { InvalidTxError: 'Expired' }, { ActionError: { kind: 5 } }]) {
      expect(actionErrorKind(other)).toBeUndefined();
    }
  });

  it('belongs to the transaction asked for, also where the node does not repeat its hash', () => {
    const transaction = (hash: string) => ({
      final_execution_status: 'FINAL',
      transaction: { hash, signer_id: 'a.testnet', receiver_id: 'b.testnet' },
    });
    expect(outcomeReader(HASH)({ final_execution_status: 'NONE' })).toEqual({
      final_execution_status: 'NONE',
      transactionId: HASH,
    });
    expect(outcomeReader(HASH)(transaction(HASH))).toMatchObject({ transactionId: HASH });
    expect(failureOf(() => outcomeReader(HASH)(transaction(LONGEST_HASH)))).toEqual({
      kind: 'malformed',
      message: 'RPC request failed: the answer is not about the transaction asked for',
    });
  });

  it('is refused at a level that the client does not know', () => {
    expect(failureOf(() => reader(TransactionOutcomeSchema)({ final_execution_status: 'DONE' }))).toEqual(
      malformedAt('final_execution_status'),
    );
  });
});

describe('the envelope of an answer (core 7)', () => {
  it('holds a result, also one that is false, and beside an error of null', () => {
    expect(resultOf({ result: { a: 1 } })).toEqual({ a: 1 });
    expect(resultOf({ result: 0, error: null })).toBe(0);
    expect(resultOf({ result: false, error: undefined })).toBe(false);
  });

  it('is refused without a result', () => {
    const empty = { kind: 'malformed', message: 'Empty response from RPC server' };
    for (const answer of [{}, { result: null }, { result: undefined, error: null }]) {
      expect(failureOf(() => resultOf(answer))).toEqual(empty);
    }
  });

  it('is refused where it is no object', () => {
    for (const answer of [5, 'text', null, undefined]) {
      expect(failureOf(() => resultOf(answer))).toEqual({
        kind: 'malformed',
        message: 'RPC request failed: the answer is not a JSON-RPC response',
      });
    }
  });

  it('throws its error, whatever the result says', () => {
    const error = { cause: { name: 'UNKNOWN_ACCOUNT', info: AT }, data: 'gone' };
    expect(failureOf(() => resultOf({ result: {}, error }))).toEqual({
      kind: 'unknown_account',
      info: AT,
      message: 'RPC request failed: gone',
    });
  });
});

describe('the result of a query (core 7)', () => {
  it('is the result itself where it holds no error', () => {
    for (const result of [{ a: 1 }, null, undefined, 'error', 5]) expect(queryResult(result)).toBe(result);
  });

  it('throws the error that it holds, with the block that it was read at', () => {
    const text = 'access key ed25519:K does not exist while viewing';
    expect(failureOf(() => queryResult({ error: text, logs: [], ...AT }))).toEqual({
      kind: 'unknown_access_key',
      info: AT,
      message: `RPC request failed: ${text}`,
    });
    const structured = { cause: { name: 'UNKNOWN_ACCOUNT', info: AT }, data: 'gone' };
    expect(failureOf(() => queryResult({ error: structured, block_height: 9 }))).toMatchObject({
      kind: 'unknown_account',
      info: AT,
    });
  });

  it('has its place, and so has a refusal that names one', () => {
    const place = { height: 7, hash: HASH };
    expect(placeOf(AT)).toEqual(place);
    expect(placeOf({ blockHeight: 7, blockHash: HASH })).toEqual(place);
    expect(placeOfFailure({ kind: 'contract', info: AT })).toEqual(place);
  });
});

describe('JSON that a contract returns (core 7)', () => {
  const parse = (bytes: Uint8Array) => () =>
    parseReturnedJson(v.object({ a: v.number() }), 'get_a', {
      bytes,
      logs: [],
      blockHeight: 7,
      blockHash: HASH,
    });
  const text = (json: string) => new TextEncoder().encode(json);

  it('is the checked value', () => {
    expect(parse(text('{"a":1}'))()).toEqual({ a: 1 });
  });

  it.each([
    ['no JSON', text('{"a":')],
    ['nothing', new Uint8Array()],
    ['no UTF-8', Uint8Array.of(...text('{"a":1,"b":"'), 0xff, ...text('"}'))],
    ['another shape', text('{"a":"1"}')],
  ])('is refused, with the name of its method, where it is %s', (_, bytes) => {
    expect(failureOf(parse(bytes))).toEqual({
      kind: 'malformed',
      message: 'RPC request failed: get_a returned something unexpected',
    });
  });
});
