/** An action of each kind, for tests of what the chain charges for it. */
import { readFileSync } from 'node:fs';
import { base58 } from '@scure/base';
import type { Action } from '../../types.js';

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../tests/vectors/${name}.json`, import.meta.url), 'utf8'));
const bytes = (text: string) => new TextEncoder().encode(text);

export const PAYER = 'relayer.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const { publicKey: ML_DSA_KEY } = vector('ml-dsa-65') as { readonly publicKey: string };
const SECP256K1_KEY = `secp256k1:${base58.encode(new Uint8Array(64).fill(7))}`;
/** The ids of the first states below. */
export const universal = vector('universal-accounts').derived as {
  readonly keyOnly: string;
  readonly contract: string;
};
const HASH = new Uint8Array(32).fill(0x11);
/** More than the payer has. */
export const TOO_MUCH = String(10n ** 36n);
const STATE = {
  V1: { code: { AccountId: 'app.testnet' }, data: [{ key: bytes('k'), value: bytes('first') }] },
};
/** The account of that state (NEP-616). */
export const DERIVED = '0s444aad1262eabaa36a92398ed45ab5f205f728ab';

const call = { type: 'FunctionCall', methodName: 'größe', gas: '30000000000000', deposit: '5' } as const;
const bounds = { receiverId: 'app.testnet', methodNames: ['a', 'bc'], allowance: null };
/** Each for the receiver that it names, or for the payer and another account. */
export const ACTIONS: readonly [string, Action, receiverId?: string][] = [
  ['CreateAccount', { type: 'CreateAccount' }],
  ['DeployContract', { type: 'DeployContract', code: new Uint8Array(1_000) }],
  ['FunctionCall with JSON', { ...call, args: '{"a":"é"}' }],
  ['FunctionCall with bytes', { ...call, args: Uint8Array.of(0, 255, 1) }],
  ['FunctionCall without arguments', { ...call, args: new Uint8Array() }],
  ['Stake', { type: 'Stake', stake: '1', publicKey: KEY }],
  ['AddKey', { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } }],
  [
    'AddKey for calls',
    { type: 'AddKey', publicKey: KEY, accessKey: { permission: { FunctionCall: bounds } } },
  ],
  [
    'AddKey of a gas key',
    { type: 'AddKey', publicKey: KEY, accessKey: { permission: { GasKeyFullAccess: { numNonces: 3 } } } },
  ],
  [
    'AddKey of a gas key for calls',
    {
      type: 'AddKey',
      publicKey: KEY,
      accessKey: {
        permission: {
          GasKeyFunctionCall: { numNonces: 1_024, receiverId: 'app.testnet', methodNames: ['a', 'bc'] },
        },
      },
    },
  ],
  ['AddKey of ML-DSA-65', { type: 'AddKey', publicKey: ML_DSA_KEY, accessKey: { permission: 'FullAccess' } }],
  ['TransferToGasKey', { type: 'TransferToGasKey', publicKey: KEY, deposit: '5' }],
  ['TransferToGasKey of ML-DSA-65', { type: 'TransferToGasKey', publicKey: ML_DSA_KEY, deposit: '5' }],
  ['TransferToGasKey of secp256k1', { type: 'TransferToGasKey', publicKey: SECP256K1_KEY, deposit: '5' }],
  ['WithdrawFromGasKey', { type: 'WithdrawFromGasKey', publicKey: KEY, amount: '5' }, PAYER],
  ['DeleteKey', { type: 'DeleteKey', publicKey: KEY }],
  ['DeleteAccount', { type: 'DeleteAccount', beneficiaryId: 'app.testnet' }],
  [
    'DeployGlobalContract',
    { type: 'DeployGlobalContract', code: new Uint8Array(1_000), deployMode: 'CodeHash' },
  ],
  [
    'UseGlobalContract by hash',
    { type: 'UseGlobalContract', contractIdentifier: { CodeHash: '11111111111111111111111111111112' } },
  ],
  [
    'UseGlobalContract by account',
    { type: 'UseGlobalContract', contractIdentifier: { AccountId: 'app.testnet' } },
  ],
  [
    'DeterministicStateInit',
    { type: 'DeterministicStateInit', stateInit: STATE, deposit: TOO_MUCH },
    DERIVED,
  ],
  [
    'UniversalStateInit of keys',
    {
      type: 'UniversalStateInit',
      stateInit: { V1: { code: null, data: [], accessKeys: [`ml-dsa-65-hash:${base58.encode(HASH)}`] } },
      deposit: TOO_MUCH,
    },
    universal.keyOnly,
  ],
  [
    'UniversalStateInit of a contract',
    {
      type: 'UniversalStateInit',
      stateInit: {
        V1: {
          code: { CodeHash: base58.encode(new Uint8Array(32).fill(0x22)) },
          data: [{ key: bytes('key'), value: bytes('value') }],
          accessKeys: [],
        },
      },
      deposit: TOO_MUCH,
    },
    universal.contract,
  ],
];
