import type { Action } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { englishActions } from '../texts/english-actions.js';
import { describeAction, totalSpent } from './describe-action.js';

const described = (action: Action) => describeAction(action, englishActions);
const publicKey = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const functionCall: Action = { type: 'FunctionCall', methodName: 'm', args: '{}', gas: '1', deposit: '5' };
const functionCallKey = (allowance: string | null, methodNames: string[]): Action => ({
  type: 'AddKey',
  publicKey,
  accessKey: { permission: { FunctionCall: { allowance, receiverId: 'app.testnet', methodNames } } },
});
const stateInit: Action = {
  type: 'DeterministicStateInit',
  stateInit: {
    V1: {
      code: { CodeHash: '11111111111111111111111111111112' },
      data: [{ key: Uint8Array.of(1, 2), value: Uint8Array.of(255) }],
    },
  },
  deposit: '5',
};
const gasKeyOfCalls = (methodNames: string[]): Action => ({
  type: 'AddKey',
  publicKey,
  accessKey: { permission: { GasKeyFunctionCall: { numNonces: 3, receiverId: 'app.testnet', methodNames } } },
});
const universalState = (accessKeys: string[]): Action => ({
  type: 'UniversalStateInit',
  stateInit: { V1: { code: { AccountId: 'code.testnet' }, data: [], accessKeys } },
  deposit: '5',
});
const every: Action[] = [
  { type: 'CreateAccount' },
  { type: 'DeployContract', code: new Uint8Array(1234) },
  functionCall,
  { type: 'Transfer', amount: '7' },
  { type: 'Stake', stake: '9', publicKey },
  { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } },
  functionCallKey('3', ['a', 'b']),
  { type: 'DeleteKey', publicKey },
  { type: 'DeleteAccount', beneficiaryId: 'eve.testnet' },
  { ...functionCall, args: Uint8Array.of(0, 255) },
  { ...functionCall, args: new Uint8Array() },
  { type: 'DeployGlobalContract', code: new Uint8Array(1000), deployMode: 'AccountId' },
  { type: 'UseGlobalContract', contractIdentifier: { AccountId: 'code.testnet' } },
  stateInit,
  { type: 'AddKey', publicKey, accessKey: { permission: { GasKeyFullAccess: { numNonces: 4 } } } },
  gasKeyOfCalls(['a']),
  { type: 'TransferToGasKey', publicKey, deposit: '5' },
  { type: 'WithdrawFromGasKey', publicKey, amount: '5' },
  universalState([publicKey]),
];

describe('the description of an action', () => {
  it('warns only about actions that give control away, cannot be undone, or cannot be read', () => {
    const warned = every.filter((action) => described(action).warning !== undefined);
    expect(warned.map((action) => action.type)).toEqual([
      'DeployContract',
      'AddKey',
      'DeleteKey',
      'DeleteAccount',
      'FunctionCall',
      'DeployGlobalContract',
      'UseGlobalContract',
      'AddKey',
      'UniversalStateInit',
    ]);
  });

  it('takes a key that calls the account it is on for the risk of one with full access', () => {
    const key = functionCallKey('3', ['a']);
    expect(describeAction(key, englishActions, 'app.testnet')).toMatchObject({
      risk: 'high',
      warning: englishActions.ownCallKeyWarning,
    });
    expect(describeAction(key, englishActions, 'alice.testnet').warning).toBeUndefined();
  });

  it('takes a key without limits for a lesser risk than one with full access', () => {
    const risk = (action: Action) => described(action).risk;
    expect(risk(functionCallKey('3', ['a']))).toBeUndefined();
    for (const key of [functionCallKey(null, ['a']), functionCallKey('3', []), functionCallKey(null, [])])
      expect(risk(key)).toBe('raised');
    expect(risk({ type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } })).toBe('high');
    expect(described(functionCallKey(null, [])).warning).toMatch(/every method.*all of your NEAR on gas/);
  });

  it('takes a gas key with full access, and the keys of a first state, for the risk of a full-access key', () => {
    expect(every.filter((action) => described(action).title === englishActions.addFullGasKey)).toHaveLength(
      1,
    );
    expect(described(every[14] as Action)).toMatchObject({
      risk: 'high',
      warning: englishActions.addFullKeyWarning,
    });
    expect(described(universalState([publicKey]))).toMatchObject({ risk: 'high' });
    expect(described(universalState([]))).not.toHaveProperty('risk');
  });

  it('shows the lanes of a gas key and what it may call, and warns where that is every method', () => {
    const shown = JSON.stringify(described(gasKeyOfCalls(['a'])));
    for (const value of ['"3"', '"app.testnet"', '"a"', publicKey, englishActions.lanesPaid])
      expect(shown).toContain(value);
    expect(shown).not.toContain(englishActions.allowance);
    expect(described(gasKeyOfCalls([]))).toMatchObject({
      risk: 'raised',
      warning: englishActions.looseMethods,
    });
    const own = describeAction(gasKeyOfCalls(['a']), englishActions, 'app.testnet');
    expect(own).toMatchObject({ risk: 'high', warning: englishActions.ownCallKeyWarning });
  });

  it('shows amount and key of what fills and empties a gas key, and what a first state installs', () => {
    for (const action of every.slice(16, 18)) {
      const shown = JSON.stringify(described(action));
      for (const value of ['"5"', publicKey]) expect(shown).toContain(value);
    }
    const shown = JSON.stringify(described(universalState([publicKey, 'secp256k1:abc'])));
    for (const value of ['code.testnet', `${publicKey}, secp256k1:abc`, '"5"'])
      expect(shown).toContain(value);
    expect(totalSpent(every.slice(16))).toBe(10n);
  });

  it('shows every value that will be signed', () => {
    const shown = (action: Action) => JSON.stringify(described(action));
    for (const value of ['"m"', '"{}"', '"1"', '"5"']) expect(shown(functionCall)).toContain(value);
    for (const value of ['app.testnet', 'a, b', '"3"', publicKey]) {
      expect(shown(functionCallKey('3', ['a', 'b']))).toContain(value);
    }
    expect(shown(functionCallKey(null, []))).toMatch(/Every method.*Unlimited/);
    expect(shown({ type: 'DeployContract', code: new Uint8Array(1234) })).toContain('1,234 bytes');
    const bytes = { ...functionCall, args: Uint8Array.of(0, 255) };
    for (const value of ['2 bytes', '00ff', 'cannot be read']) expect(shown(bytes)).toContain(value);
    const global: Action = {
      type: 'DeployGlobalContract',
      code: new Uint8Array(1000),
      deployMode: 'CodeHash',
    };
    // 0.0001 NEAR for each byte.
    for (const value of ['1,000 bytes', 'never changes', `"${10n ** 23n}"`])
      expect(shown(global)).toContain(value);
    for (const value of ['11111111111111111111111111111112', '0102 = ff', '"5"'])
      expect(shown(stateInit)).toContain(value);
    expect(shown({ type: 'UseGlobalContract', contractIdentifier: { AccountId: 'code.testnet' } })).toMatch(
      /code\.testnet.*change it at any time/,
    );
    expect(shown({ type: 'Stake', stake: '9', publicKey })).toContain('"9"');
  });

  it('keeps text of the transaction out of the trusted title', () => {
    const hostile: Action = {
      type: 'FunctionCall',
      methodName: 'Transfer 0 NEAR',
      args: '',
      gas: '',
      deposit: '',
    };
    expect(described(hostile)).toMatchObject({ title: 'Call', subject: 'Transfer 0 NEAR' });
  });

  it('sums what leaves the account', () => {
    expect(totalSpent(every)).toBe(37n);
    expect(totalSpent([{ type: 'Transfer', amount: 'much' }])).toBeUndefined();
  });
});
