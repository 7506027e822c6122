// What the chain wants up front for each action, to the yocto: it names the cost of a transaction that it refuses.
import { readFileSync } from 'node:fs';
import { base58, base64 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import * as signer from '../../wasm/signer/signer.js';
import type { Action } from '../types.js';
import { bytes, loadSigner } from '../workers/testing/signer-wasm.js';
import { depositOf, transactionCost } from './fees.js';
import { createRpcClient } from './index.js';

const PAYER = 'relayer.testnet';
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}.json`, import.meta.url), 'utf8'));
const { publicKey: ML_DSA_KEY } = vector('ml-dsa-65') as { readonly publicKey: string };
const SECP256K1_KEY = `secp256k1:${base58.encode(new Uint8Array(64).fill(7))}`;
/** Of the first states below. */
const universal = vector('universal-accounts').derived as {
  readonly keyOnly: string;
  readonly contract: string;
};
const HASH = new Uint8Array(32).fill(0x11);
/** More than the account has. */
const TOO_MUCH = String(10n ** 36n);
const STATE = {
  V1: { code: { AccountId: 'app.testnet' }, data: [{ key: bytes('k'), value: bytes('first') }] },
};
/** The account of that state (NEP-616). */
const DERIVED = '0s444aad1262eabaa36a92398ed45ab5f205f728ab';

const call = { type: 'FunctionCall', methodName: 'größe', gas: '30000000000000', deposit: '5' } as const;
const bounds = { receiverId: 'app.testnet', methodNames: ['a', 'bc'], allowance: null };
const ACTIONS: readonly [string, Action, receiverId?: string][] = [
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

let chain: Devnet;

beforeAll(async () => {
  await loadSigner();
  chain = await startDevnet();
});
afterAll(() => chain?.stop());

/** The cost that the chain names when it refuses the actions, which want more than the account has. */
async function costOnChain(receiverId: string, actions: readonly Action[]): Promise<bigint> {
  const rpc = createRpcClient({ urls: chain.url });
  const block = await rpc.block({ finality: 'final' });
  const signed = signer.signWithKeyPair(bytes(developmentKey(PAYER)), {
    signerAccountId: PAYER,
    receiverId,
    nonce: String((BigInt(block.header.height) + 1n) * 1_000_000n - 1n),
    blockHash: block.header.hash,
    actions: [...actions],
  });
  const params = { signed_tx_base64: base64.encode(signed.borshBytes), wait_until: 'FINAL' };
  const response = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'send_tx', params }),
  });
  const text = await response.text();
  const cost = /"NotEnoughBalance":\{[^}]*"cost":"(\d+)"/.exec(text)?.[1];
  if (cost === undefined) throw new Error(text);
  return BigInt(cost);
}

describe('the cost of a transfer is what the chain wants up front, where the receiver is (core 7)', () => {
  it.each([
    ['the account of a key', 'ab'.repeat(32)],
    ['the account of an Ethereum address', `0x${'ab'.repeat(20)}`],
    ['the account of a first state', DERIVED],
    ['a universal account', universal.keyOnly],
    ['a name that looks like one', `0x${'ab'.repeat(19)}.testnet`],
    ['a name', 'app.testnet'],
  ])('%s', async (_what, receiverId) => {
    for (const times of [1, 2]) {
      const actions = Array.from({ length: times }, () => ({ type: 'Transfer', amount: TOO_MUCH }) as const);
      const { gasYocto, depositYocto } = transactionCost(PAYER, { receiverId, actions });
      expect(await costOnChain(receiverId, actions)).toBe(gasYocto + depositYocto);
    }
  });
});

describe('the cost of an action is what the chain wants up front', () => {
  it.each(ACTIONS)('%s', async (_name, action, only) => {
    for (const receiverId of only ? [only] : [PAYER, 'app.testnet']) {
      const tooDear: Action = { type: 'Transfer', amount: TOO_MUCH };
      const actions = depositOf(action) === BigInt(TOO_MUCH) ? [action] : [tooDear, action];
      const { gasYocto, depositYocto } = transactionCost(PAYER, { receiverId, actions });
      expect(await costOnChain(receiverId, actions), receiverId).toBe(gasYocto + depositYocto);
    }
  });
});
