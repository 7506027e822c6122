import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { ActionInput, NonceMode, TransactionInput } from '../../types.js';
import { assertDelegable, completeAction, completeTransactions } from './actions.js';

const call: ActionInput = { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: 'hi' } };
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const { publicKey: ML_DSA_KEY } = JSON.parse(
  readFileSync(new URL('../../../../tests/vectors/ml-dsa-65.json', import.meta.url), 'utf8'),
) as { readonly publicKey: string };
const bytesOf = (byte: number) => new Uint8Array(32).fill(byte);
const HANDLE = `ml-dsa-65-hash:${base58.encode(bytesOf(17))}`;
const universal = (V1: object) =>
  ({ type: 'UniversalStateInit', stateInit: { V1 }, deposit: '0' }) as ActionInput;
const AMOUNT = "Transfer needs an amount in yoctoNEAR as a decimal text, as parseNear('0.5') makes it";

const addKey = (permission: unknown) =>
  ({ type: 'AddKey', publicKey: KEY, accessKey: { permission } }) as ActionInput;

describe('actions (core 3, core 5, core 9)', () => {
  it('default to JSON arguments as text, 30 Tgas and no deposit', () => {
    expect(completeAction(call)).toEqual({
      type: 'FunctionCall',
      methodName: 'set_greeting',
      args: '{"greeting":"hi"}',
      gas: '30000000000000',
      deposit: '0',
    });
  });

  it('keep JSON text exactly as the caller gave it', () => {
    expect(completeAction({ ...call, args: '{ "a" : 1 }' })).toMatchObject({ args: '{ "a" : 1 }' });
  });

  it('keep bytes that are not JSON as bytes, also none, and make those that are JSON its text [S14]', () => {
    const args = (given: Uint8Array) => completeAction({ ...call, args: given });
    for (const bytes of [
      new Uint8Array(),
      Uint8Array.of(0, 255),
      Uint8Array.of(0x7b),
      Uint8Array.of(0xef, 0xbb, 0xbf, 0x31),
    ]) {
      expect(args(bytes)).toMatchObject({ args: bytes });
    }
    expect(args(new TextEncoder().encode(' {"a":"é"}'))).toMatchObject({ args: ' {"a":"é"}' });
  });

  it.each<[string, unknown]>([
    ['an ArrayBuffer', Uint8Array.of(0, 255).buffer],
    ['a DataView', new DataView(Uint8Array.of(9, 0, 255).buffer, 1)],
    ['a Uint8Array of another realm', runInNewContext('Uint8Array.of(0, 255)')],
  ])('take bytes as %s', (_, bytes) => {
    const own = Uint8Array.of(0, 255);
    const complete = (action: object) => completeAction(action as ActionInput);
    expect(complete({ ...call, args: bytes })).toMatchObject({ args: own });
    expect(complete({ type: 'DeployContract', code: bytes })).toMatchObject({ code: own });
    const global = { type: 'DeployGlobalContract', code: bytes, deployMode: 'CodeHash' };
    expect(complete(global)).toMatchObject({ code: own });
    const state = { V1: { code: { AccountId: 'code.testnet' }, data: [{ key: bytes, value: bytes }] } };
    expect(complete({ type: 'DeterministicStateInit', stateInit: state, deposit: '0' })).toMatchObject({
      stateInit: { V1: { data: [{ key: own, value: own }] } },
    });
  });

  it.each<[unknown, string]>([
    [new Map([['greeting', 'hi']]), 'FunctionCall needs args that JSON can hold: it is Map'],
    [new Date(0), 'FunctionCall needs args that JSON can hold: it is Date'],
    [{ data: Uint8Array.of(1) }, 'FunctionCall needs args that JSON can hold: data is Uint8Array'],
    [{ sums: [Number.NaN] }, 'FunctionCall needs args that JSON can hold: 0 is NaN'],
    [() => 1, 'FunctionCall needs args as an object, a text or bytes, not Function'],
    [5, 'FunctionCall needs args as an object, a text or bytes, not 5'],
  ])('refuse arguments that JSON would change: %o', (args, problem) => {
    expect(() => completeAction({ ...call, args } as ActionInput)).toThrow(problem);
  });

  it('refuse code that is not bytes', () => {
    for (const code of ['AGFzbQ==', { 0: 0, 1: 97 }, { type: 'Buffer', data: [0] }, [0, 97]]) {
      for (const action of [
        { type: 'DeployContract', code },
        { type: 'DeployGlobalContract', code, deployMode: 'CodeHash' },
      ])
        expect(() => completeAction(action as unknown as ActionInput)).toThrow(
          `${action.type} needs code as`,
        );
    }
  });

  it('put the entries of a first state in the order of their keys', () => {
    const entry = (...key: number[]) => ({ key: Uint8Array.from(key), value: Uint8Array.of(1) });
    const code = { AccountId: 'code.testnet' };
    const of = (data: readonly object[]) =>
      ({ type: 'DeterministicStateInit', stateInit: { V1: { code, data } }, deposit: '1' }) as ActionInput;
    const given = [entry(2), entry(1, 255), entry(), entry(1), entry(1, 2)];
    const sorted = [entry(), entry(1), entry(1, 2), entry(1, 255), entry(2)];
    expect(completeAction(of(given))).toEqual(of(sorted));
    expect(() => completeAction(of([{ key: 'a', value: Uint8Array.of() }]))).toThrow(
      'keys and values as bytes',
    );
  });

  it.each<[object, object]>([
    [{}, { methodNames: [], allowance: null }],
    [
      { allowance: undefined, methodNames: undefined },
      { methodNames: [], allowance: null },
    ],
    [
      { allowance: null, methodNames: null },
      { methodNames: [], allowance: null },
    ],
    [
      { allowance: '25', methodNames: ['play'] },
      { methodNames: ['play'], allowance: '25' },
    ],
  ])('fill in what the caller omitted from a function-call key: %o', (given, expected) => {
    expect(completeAction(addKey({ FunctionCall: { receiverId: 'app.testnet', ...given } }))).toEqual({
      type: 'AddKey',
      publicKey: KEY,
      accessKey: { permission: { FunctionCall: { receiverId: 'app.testnet', ...expected } } },
    });
  });

  it.each<[unknown, string]>([
    ['Everything', "AddKey needs accessKey.permission as 'FullAccess', { FunctionCall }"],
    [{ FunctionCall: null }, "AddKey needs accessKey.permission as 'FullAccess', { FunctionCall }"],
    [
      { FunctionCall: { receiverId: 'app.testnet' }, GasKeyFullAccess: { numNonces: 1 } },
      "AddKey needs accessKey.permission as 'FullAccess', { FunctionCall }",
    ],
    [
      { GasKeyFullAccess: {} },
      'AddKey needs GasKeyFullAccess.numNonces, the number of lanes, from 1 to 1024',
    ],
    [{ GasKeyFullAccess: { numNonces: 1025 } }, 'the number of lanes, from 1 to 1024'],
    [{ GasKeyFullAccess: { numNonces: 1.5 } }, 'the number of lanes, from 1 to 1024'],
    [{ GasKeyFunctionCall: { numNonces: 1 } }, 'AddKey needs GasKeyFunctionCall.receiverId'],
    [
      { GasKeyFunctionCall: { numNonces: 1, receiverId: 'app.testnet', allowance: '5' } },
      'AddKey takes no allowance in GasKeyFunctionCall: the balance of a gas key is its limit',
    ],
    [{ FunctionCall: {} }, 'AddKey needs FunctionCall.receiverId, the account id of a contract'],
    [
      { FunctionCall: { receiverId: 'app.testnet', methodNames: 'play' } },
      'AddKey needs FunctionCall.methodNames as a list of texts',
    ],
    [
      { FunctionCall: { receiverId: 'app.testnet', methodNames: [1] } },
      'AddKey needs FunctionCall.methodNames as a list of texts',
    ],
    [
      { FunctionCall: { receiverId: 'app.testnet', allowance: 25 } },
      'AddKey needs FunctionCall.allowance in yoctoNEAR as a decimal text, or null',
    ],
  ])('refuse a key with the permission %o', (permission, problem) => {
    expect(() => completeAction(addKey(permission))).toThrow(problem);
  });

  it.each<[ActionInput, string]>([
    [{ ...call, args: '{' }, 'FunctionCall action args must be valid JSON string'],
    [{ ...call, methodName: '' }, 'FunctionCall needs a methodName'],
    [{ ...call, methodName: 1 as never }, 'FunctionCall needs a methodName'],
    [{ ...call, gas: '1e3' }, "FunctionCall needs gas as a decimal text, as parseTgas('30') makes it"],
    [{ type: 'Transfer', amount: '' }, AMOUNT],
    [{ type: 'Transfer', amount: '-1' }, AMOUNT],
    [{ type: 'Transfer', amount: '0.5' }, AMOUNT],
    [{ type: 'Transfer', amount: 1 as unknown as string }, AMOUNT],
    [{ ...call, args: { sum: 1n } }, 'FunctionCall needs args that JSON can hold: sum is BigInt'],
    [undefined as unknown as ActionInput, 'An action is an object with a type'],
    [{ type: 'Stake', stake: '1', publicKey: '' }, 'Stake needs a publicKey'],
    [{ type: 'DeployContract', code: new Uint8Array() }, 'DeployContract needs code'],
    [{ type: 'Stake', stake: '1', publicKey: 'ed25519:abc' }, 'Stake needs a publicKey'],
    [{ type: 'DeleteKey', publicKey: '' }, 'DeleteKey needs a publicKey'],
    [
      { type: 'DeleteKey', publicKey: KEY.slice('ed25519:'.length) },
      "needs a publicKey, 'ed25519:', 'secp256k1:' or",
    ],
    [
      { type: 'DeleteKey', publicKey: HANDLE },
      "DeleteKey needs the ML-DSA-65 key itself, 'ml-dsa-65:' and base58: this is only its hash",
    ],
    [{ type: 'Stake', stake: '1', publicKey: ML_DSA_KEY }, 'Stake needs an ed25519 key'],
    [{ type: 'TransferToGasKey', publicKey: '', deposit: '1' }, 'TransferToGasKey needs a publicKey'],
    [{ type: 'TransferToGasKey', publicKey: KEY, deposit: '0.1' }, 'TransferToGasKey needs a deposit'],
    [{ type: 'WithdrawFromGasKey', publicKey: KEY, amount: '' }, 'WithdrawFromGasKey needs an amount'],
    [
      universal({ accessKeys: [ML_DSA_KEY] }),
      'UniversalStateInit needs accessKeys as ed25519:, secp256k1: or ml-dsa-65-hash: and base58',
    ],
    [universal({}), 'needs code or accessKeys: an account without either can never act'],
    [{ type: 'DeleteAccount', beneficiaryId: '' }, 'DeleteAccount needs a beneficiaryId'],
    [
      { type: 'DeployGlobalContract', code: new Uint8Array(), deployMode: 'CodeHash' },
      'DeployGlobalContract needs code',
    ],
    [
      { type: 'DeployGlobalContract', code: Uint8Array.of(1), deployMode: 'Hash' } as unknown as ActionInput,
      "needs deployMode as 'CodeHash' or 'AccountId'",
    ],
    [
      {
        type: 'UseGlobalContract',
        contractIdentifier: { CodeHash: 'x', AccountId: 'y' },
      } as unknown as ActionInput,
      'UseGlobalContract needs a contract as { CodeHash } in base58, or { AccountId }',
    ],
    [{ type: 'Sell' } as unknown as ActionInput, 'Unsupported action type: Sell'],
  ])('refuse %o', (action, problem) => {
    expect(() => completeAction(action)).toThrow(problem);
  });

  it.each<ActionInput>([
    { type: 'CreateAccount' },
    { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } },
    { type: 'DeleteKey', publicKey: KEY },
    { type: 'DeployContract', code: new Uint8Array([0]) },
  ])('keep %o as it is', (action) => {
    expect(completeAction(action)).toEqual(action);
  });

  it('of a first state have their entries and keys in the order of the chain', () => {
    const [one, two] = [`ed25519:${base58.encode(bytesOf(1))}`, `ed25519:${base58.encode(bytesOf(2))}`];
    const secp = `secp256k1:${base58.encode(new Uint8Array(64).fill(1))}`;
    const entry = (key: number) => ({ key: Uint8Array.of(key), value: new Uint8Array() });
    const given = universal({ data: [entry(2), entry(1)], accessKeys: [HANDLE, secp, two, one] });
    expect(completeAction(given)).toMatchObject({
      stateInit: {
        V1: { code: null, data: [entry(1), entry(2)], accessKeys: [one, two, secp, HANDLE] },
      },
    });
  });

  it('name what keeps the receiver from being a universal account', () => {
    const receiver = (receiverId: string) => () => completeTransactions([{ receiverId, actions: [call] }]);
    const id = `0u${'z'.repeat(51)}`;
    expect(receiver(`${id}g`)).not.toThrow();
    expect(receiver(`${id}h`)).toThrow('its last symbol must be 0 or g');
    expect(receiver(`0u${'o'.repeat(51)}g`)).toThrow('its symbols have no i, l, o and u');
  });

  it('keep a strict nonce, and refuse another mode than the two', () => {
    const asked = (nonceMode: unknown) =>
      completeTransactions([
        { receiverId: 'a.testnet', actions: [call], nonceMode: nonceMode as NonceMode },
      ])[0];
    expect(asked('Strict')).toHaveProperty('nonceMode', 'Strict');
    expect(asked('Monotonic')).not.toHaveProperty('nonceMode');
    expect(() => asked('Next')).toThrow("nonceMode as 'Monotonic' or 'Strict'");
  });

  it('of a delegate take back from no gas key and have no strict nonce', () => {
    const receiverId = 'alice.testnet';
    const delegate =
      (more: object, ...actions: ActionInput[]) =>
      () =>
        assertDelegable(completeTransactions([{ receiverId, actions: [call, ...actions], ...more }]));
    expect(delegate({})).not.toThrow();
    expect(delegate({ nonceMode: 'Strict' })).toThrow('A delegate has no strict nonce');
    const withdrawal: ActionInput = { type: 'WithdrawFromGasKey', publicKey: KEY, amount: '1' };
    expect(delegate({}, withdrawal)).toThrow('A delegate cannot take back from a gas key');
  });

  it('need a transaction, a receiver and an action', () => {
    expect(() => completeTransactions([])).toThrow('No payloads provided for signing');
    expect(() => completeTransactions([{ receiverId: '', actions: [call] }])).toThrow('receiverId');
    expect(() => completeTransactions([{ receiverId: 'a.testnet', actions: [] }])).toThrow(
      'at least one action',
    );
  });

  it.each<[unknown, string]>([
    [{ receiverId: 'a.testnet', actions: [call] }, 'Transactions come as a list of { receiverId, actions }'],
    [[undefined], 'A transaction needs a receiverId'],
    [
      [{ receiverId: 1, actions: [call] }],
      'receiverId must be an account id in lower case, such as alice.near',
    ],
    [[{ receiverId: 'a.testnet', actions: call }], 'A transaction needs at least one action'],
    [[{ receiverId: 'a.testnet', actions: ['Transfer'] }], 'An action is an object with a type'],
  ])('are refused in another shape by what they need: %o', (given, problem) => {
    expect(() => completeTransactions(given as readonly TransactionInput[])).toThrow(problem);
  });

  it('are copies: a later change by the caller is neither shown nor signed', () => {
    const key = {
      type: 'AddKey',
      publicKey: KEY,
      accessKey: {
        permission: { FunctionCall: { allowance: null, receiverId: 'app.testnet', methodNames: ['play'] } },
      },
    } satisfies ActionInput;
    const completed = completeTransactions([{ receiverId: 'alice.testnet', actions: [key] }]);
    const before = JSON.stringify(completed);
    key.accessKey.permission.FunctionCall.methodNames.push('withdraw');
    expect(JSON.stringify(completed)).toBe(before);
  });
});
