/** The connector's own conversion from npm makes the actions that this adapter reads. */
import { runInNewContext } from 'node:vm';
import { type NearWalletBase, nearActionsToConnectorActions } from '@hot-labs/near-connect';
import { actions, KeyPair } from 'near-api-js';
import { describe, expect, test } from 'vitest';
import { toActionInputs } from '../near-api-js/actions.js';
import type { ActionInput } from '../types.js';
import { toTransactionInput } from './actions.js';
import type { AnyAction, NearConnectWallet } from './types.js';

const key = KeyPair.fromRandom('ed25519').getPublicKey();
const read = (given: unknown): readonly ActionInput[] =>
  toTransactionInput({ receiverId: 'app.testnet', actions: given as AnyAction[] }).actions;
const viaConnector = (made: unknown[]): unknown => nearActionsToConnectorActions(made as never);

describe('the actions of a connector', () => {
  test.each(
    Object.entries({
      createAccount: actions.createAccount(),
      deployContract: actions.deployContract(Uint8Array.of(0, 97, 115, 109)),
      transfer: actions.transfer(10n ** 24n),
      stake: actions.stake(5n, key),
      addFullAccessKey: actions.addFullAccessKey(key),
      addFunctionCallAccessKey: actions.addFunctionCallAccessKey(key, 'app.testnet', ['play'], 9n),
      deleteKey: actions.deleteKey(key),
      deleteAccount: actions.deleteAccount('heir.testnet'),
      publishByHash: actions.deployGlobalContract(Uint8Array.of(0, 97), 'codeHash'),
      useByHash: actions.useGlobalContract({ codeHash: '07'.repeat(32) }),
      useByAccount: actions.useGlobalContract({ accountId: 'code.testnet' }),
    }),
  )('mean what near-api-js means: %s', (_name, action) => {
    expect(read(viaConnector([action]))).toEqual(toActionInputs([action]));
  });

  test('carry the arguments of a call as an object', () => {
    const call = actions.functionCall('play', { move: 'e4', times: [1, 2] }, 30_000_000_000_000n, 1n);
    expect(read(viaConnector([call]))).toEqual([
      {
        type: 'FunctionCall',
        methodName: 'play',
        args: { move: 'e4', times: [1, 2] },
        gas: '30000000000000',
        deposit: '1',
      },
    ]);
  });

  test.each<[string, object]>([
    ['TransferToGasKey', { publicKey: key.toString(), deposit: '5' }],
    ['WithdrawFromGasKey', { publicKey: key.toString(), amount: '5' }],
    [
      'DeterministicStateInit',
      { stateInit: { V1: { code: { AccountId: 'a.testnet' }, data: [] } }, deposit: '0' },
    ],
    [
      'UniversalStateInit',
      { stateInit: { V1: { code: null, data: [], accessKeys: [key.toString()] } }, deposit: '0' },
    ],
    [
      'AddKey',
      { publicKey: key.toString(), accessKey: { permission: { GasKeyFullAccess: { numNonces: 2 } } } },
    ],
  ])("carry what the connector has no words for, in the wallet's own: %s", (type, params) => {
    expect(read([{ type, params }])).toEqual([{ ...params, type }]);
  });

  // Version 0.11.4 of the connector turns near-api-js's own action of this kind into one by hash.
  test('carry a contract that is published by its account', () => {
    const params = { code: Uint8Array.of(0, 97), deployMode: 'AccountId' };
    expect(read([{ type: 'DeployGlobalContract', params }])).toEqual([
      { type: 'DeployGlobalContract', ...params },
    ]);
  });

  test('carry arguments that are bytes as they are, from any buffer', () => {
    const call = (args: Uint8Array) => [
      { type: 'FunctionCall', params: { methodName: 'play', args, gas: '1', deposit: '0' } },
    ];
    expect(read(call(Uint8Array.of(255, 0)))).toMatchObject([{ args: Uint8Array.of(255, 0) }]);
    expect(read(call(Uint8Array.of(9, 255, 0, 9).subarray(1, 3)))).toMatchObject([
      { args: Uint8Array.of(255, 0) },
    ]);
  });

  test.each<[string, unknown]>([
    ['base64', 'AGFzbQ=='],
    ['an ArrayBuffer', Uint8Array.of(0, 97, 115, 109).buffer],
    ['a list of numbers', [0, 97, 115, 109]],
    ['a Uint8Array of another realm', runInNewContext('Uint8Array.of(0, 97, 115, 109)')],
  ])('carry code as %s', (_, code) => {
    const bytes = Uint8Array.of(0, 97, 115, 109);
    expect(read([{ type: 'DeployContract', params: { code } }])).toEqual([
      { type: 'DeployContract', code: bytes },
    ]);
    expect(read([{ type: 'DeployGlobalContract', params: { code, deployMode: 'CodeHash' } }])).toMatchObject([
      { code: bytes },
    ]);
  });

  test.each<[unknown, string]>([
    ['not base64!', 'code as a text that is not base64'],
    [{ 0: 0, 1: 97 }, 'code as Object, which is not bytes'],
    [[0, 353], 'code as Array, which is not bytes'],
    [undefined, 'code as Undefined, which is not bytes'],
  ])('refuse code as %o', (code, named) => {
    expect(() => read([{ type: 'DeployContract', params: { code } }])).toThrow(named);
  });

  test.each([0, 0n, '0', null, undefined])('carry a key that starts at the nonce %o', (nonce) => {
    const bounds = { receiverId: 'app.testnet', allowance: null, methodNames: null };
    for (const permission of ['FullAccess', bounds]) {
      const params = { publicKey: key.toString(), accessKey: { nonce, permission } };
      const expected = permission === bounds ? { FunctionCall: { ...bounds, methodNames: [] } } : permission;
      expect(read([{ type: 'AddKey', params }])).toMatchObject([{ accessKey: { permission: expected } }]);
    }
  });

  test.each([
    ['DelegateV2', { type: 'DelegateV2', params: {} }],
    ['without a type', { transfer: { deposit: 1n } }],
    [
      'another nonce than 0',
      {
        type: 'AddKey',
        params: { publicKey: key.toString(), accessKey: { nonce: 3, permission: 'FullAccess' } },
      },
    ],
  ])('are refused by name where the wallet cannot show them: %s', (named, action) => {
    expect(() => read([action])).toThrow(named);
  });
});

test('a wallet is one that the connector declares', () => {
  // What a connector reads of it, such as an account's public key, may be absent and not undefined.
  const asDeclared = (wallet: NearConnectWallet): NearWalletBase => wallet;
  expect(asDeclared).toBeTypeOf('function');
});
