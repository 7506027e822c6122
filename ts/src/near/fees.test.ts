import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Action } from '../types.js';
import {
  assertSpendable,
  atGasPrice,
  boughtYocto,
  depositOf,
  depositOfAll,
  FeeConfigSchema,
  insufficientBalance,
  KNOWN_FEES,
  spendableYocto,
  transactionCost,
} from './fees.js';
import { ACTIONS, DERIVED, PAYER, universal } from './testing/priced-actions.js';

const NEAR = 10n ** 24n;
const account = (amount: bigint, storage_usage: number, locked = 0n) => ({
  amount: String(amount),
  locked: String(locked),
  storage_usage,
  code_hash: '',
  block_height: 1,
  block_hash: '',
});

/** yoctoNEAR for the gas of each action, to the payer and to another account; fees.chain.test.ts asks a chain for the same. */
const GAS_YOCTO: Readonly<Record<string, readonly bigint[]>> = {
  CreateAccount: [7_368_865_450_000_000_000_000n, 7_368_865_450_000_000_000_000n],
  DeployContract: [387_362_018_900_000_000_000n, 391_449_090_500_000_000_000n],
  'FunctionCall with JSON': [30_918_907_261_965_800_000_000n, 30_918_984_523_193_500_000_000n],
  'FunctionCall with bytes': [30_918_890_045_274_000_000_000n, 30_918_935_493_055_000_000_000n],
  'FunctionCall without arguments': [30_918_882_666_691_800_000_000n, 30_918_914_480_138_500_000_000n],
  Stake: [235_254_643_750_000_000_000n, 235_254_643_750_000_000_000n],
  AddKey: [230_807_087_500_000_000_000n, 230_807_087_500_000_000_000n],
  'AddKey for calls': [231_315_426_820_500_000_000n, 231_338_306_012_500_000_000n],
  'AddKey of a gas key': [441_762_510_935_200_000_000n, 440_545_286_135_200_000_000n],
  'AddKey of a gas key for calls': [72_201_070_910_255_700_000_000n, 71_785_614_391_047_700_000_000n],
  'AddKey of ML-DSA-65': [230_807_087_500_000_000_000n, 230_807_087_500_000_000_000n],
  TransferToGasKey: [374_060_805_931_200_000_000n, 373_655_064_331_200_000_000n],
  'TransferToGasKey of ML-DSA-65': [374_060_805_931_200_000_000n, 373_655_064_331_200_000_000n],
  'TransferToGasKey of secp256k1': [377_496_682_616_000_000_000n, 377_090_941_016_000_000_000n],
  WithdrawFromGasKey: [374_060_805_931_200_000_000n],
  DeleteKey: [223_306_737_500_000_000_000n, 223_306_737_500_000_000_000n],
  DeleteAccount: [281_103_350_000_000_000_000n, 281_103_350_000_000_000_000n],
  DeployGlobalContract: [392_789_074_900_000_000_000n, 396_876_146_500_000_000_000n],
  'UseGlobalContract by hash': [324_195_910_804_800_000_000n, 324_326_697_096_000_000_000n],
  'UseGlobalContract by account': [322_825_571_682_900_000_000n, 322_870_529_470_500_000_000n],
  DeterministicStateInit: [7_799_328_650_000_000_000_000n],
  'UniversalStateInit of keys': [7_714_324_487_500_000_000_000n],
  'UniversalStateInit of a contract': [7_804_001_650_000_000_000_000n],
};

describe('The cost of an action', () => {
  it.each(ACTIONS)('is for gas what the chain wants up front: %s', (name, action, only) => {
    const receivers = only ? [only] : [PAYER, 'app.testnet'];
    const costs = receivers.map((receiverId) => transactionCost(PAYER, { receiverId, actions: [action] }));
    expect(costs.map(({ gasYocto }) => gasYocto)).toEqual(GAS_YOCTO[name]);
  });

  it('is that of each of its names, for a key that calls several methods of a contract', () => {
    const gasFor = (methodNames: string[]) => {
      const permission = { FunctionCall: { receiverId: 'app.testnet', methodNames, allowance: null } };
      const action: Action = { type: 'AddKey', publicKey: 'ed25519:1', accessKey: { permission } };
      return transactionCost(PAYER, { receiverId: PAYER, actions: [action] }).gasYocto;
    };
    expect(gasFor(['a', 'bc']) - gasFor([])).toBe(5n * 1_925_331n * 1_100_000_000n);
  });

  it.each<[string, string, bigint]>([
    ['the account of a key', 'ab'.repeat(32), 7_607_442_456_250_000_000_000n],
    ['the account of an Ethereum address', `0x${'ab'.repeat(20)}`, 7_495_500_818_750_000_000_000n],
    ['the account of a first state', DERIVED, 7_495_500_818_750_000_000_000n],
    ['a universal account', universal.keyOnly, 7_495_500_818_750_000_000_000n],
    ['a name that looks like one', `0x${'ab'.repeat(19)}.testnet`, 245_500_818_750_000_000_000n],
    ['a name as long as a key', `${'a'.repeat(56)}.testnet`, 245_500_818_750_000_000_000n],
  ])('is for a transfer that of making the account, where one can be made: %s', (_, receiverId, gasYocto) => {
    const actions: Action[] = [{ type: 'Transfer', amount: '7' }];
    expect(transactionCost(PAYER, { receiverId, actions })).toEqual({ gasYocto, depositYocto: 7n });
  });

  it('is without gas in a lane, where the gas key pays for that', () => {
    const actions: Action[] = [{ type: 'Transfer', amount: '7' }];
    expect(transactionCost(PAYER, { receiverId: 'app.testnet', actions, lane: 0 })).toEqual({
      gasYocto: 0n,
      depositYocto: 7n,
    });
  });
});

describe('The deposit', () => {
  it('is what an action transfers or attaches, and never a stake or what a gas key gives back', () => {
    const deposits = ACTIONS.map(([name, action]) => [name, depositOf(action)] as const);
    expect(Object.fromEntries(deposits.filter(([, deposit]) => deposit !== 0n))).toEqual({
      'FunctionCall with JSON': 5n,
      'FunctionCall with bytes': 5n,
      'FunctionCall without arguments': 5n,
      TransferToGasKey: 5n,
      'TransferToGasKey of ML-DSA-65': 5n,
      'TransferToGasKey of secp256k1': 5n,
      DeterministicStateInit: 10n ** 36n,
      'UniversalStateInit of keys': 10n ** 36n,
      'UniversalStateInit of a contract': 10n ** 36n,
    });
  });

  it('is the sum of those of all actions', () => {
    const pay: Action = { type: 'Transfer', amount: '7' };
    const call: Action = { type: 'FunctionCall', methodName: 'm', args: '', gas: '1', deposit: '2' };
    expect(depositOfAll([pay, call, { type: 'CreateAccount' }, pay])).toBe(16n);
    expect(transactionCost(PAYER, { receiverId: PAYER, actions: [pay, call, pay] }).depositYocto).toBe(16n);
    expect(depositOfAll([])).toBe(0n);
  });
});

describe('The prices of a chain', () => {
  it('are read where gas has no purchase price, as before protocol 85', () => {
    const { min_gas_purchase_price: _, ...runtime_config } = KNOWN_FEES.runtime_config;
    const config = v.parse(FeeConfigSchema, { ...KNOWN_FEES, runtime_config });
    expect(boughtYocto(2n, config)).toBe(200_000_000n);
  });

  it.each([0, 100_000_000, '0'])('are taken at a gas price of %j', (price) => {
    expect(v.is(FeeConfigSchema, { ...KNOWN_FEES, min_gas_price: price })).toBe(true);
  });

  it.each(['-1', '1.5', '', '1'.repeat(40), -1, 1.5, 2 ** 53, null])(
    'are refused at a gas price of %j',
    (price) => {
      expect(v.is(FeeConfigSchema, { ...KNOWN_FEES, min_gas_price: price })).toBe(false);
    },
  );
});

describe('The spendable balance', () => {
  it('is the whole balance while the storage is free', () => {
    expect(spendableYocto(account(NEAR, 770))).toBe(NEAR);
  });

  it('excludes the amount that larger storage locks, which a stake may cover', () => {
    expect(spendableYocto(account(NEAR, 1_000))).toBe(NEAR - 10n ** 22n);
    expect(spendableYocto(account(NEAR, 1_000, 10n ** 22n))).toBe(NEAR);
    expect(spendableYocto(account(NEAR, 1_000, 10n ** 23n))).toBe(NEAR);
    expect(spendableYocto(account(10n ** 22n, 1_000))).toBe(0n);
    expect(spendableYocto(account(1n, 1_000))).toBe(0n);
  });
});

describe('Gas', () => {
  it('is bought at the purchase price, or at the price of the block where that is higher', () => {
    expect(boughtYocto(30_000_000_000_000n)).toBe(3n * 10n ** 22n);
    expect(boughtYocto(1n, { ...KNOWN_FEES, min_gas_price: '5000000000' })).toBe(5_000_000_000n);
  });
});

describe('The price of gas now', () => {
  it('replaces the lowest price where it is higher, for gas that is burnt and gas that is bought', () => {
    const pay = { receiverId: 'bob.near', actions: [{ type: 'Transfer', amount: '0' } as const] };
    const at = (price: bigint) => transactionCost('alice.near', pay, atGasPrice(price)).gasYocto;
    expect(at(1n)).toBe(transactionCost('alice.near', pay).gasYocto);
    const gas = 108_059_500_000n + 115_123_062_500n;
    expect(at(200_000_000n)).toBe(gas * 200_000_000n + gas * 1_000_000_000n);
    expect(at(5_000_000_000n)).toBe(gas * 5_000_000_000n * 2n);
  });
});

describe('A balance that is too low', () => {
  it('is refused, and one that just suffices is not', () => {
    expect(() => assertSpendable('alice.near', account(NEAR, 1), NEAR)).not.toThrow();
    expect(() => assertSpendable('alice.near', account(NEAR - 1n, 1), NEAR)).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_BALANCE',
        details: { balanceYocto: String(NEAR - 1n), neededYocto: String(NEAR) },
      }),
    );
  });

  it('says that most of the needed amount comes back, where it does', () => {
    const told = (comesBack: boolean) => insufficientBalance('alice.near', 0n, NEAR, { comesBack }).message;
    expect(told(true)).toContain('Most of it comes back.');
    expect(told(false)).toContain('for gas and deposit. Send some NEAR');
    const refuse = () => assertSpendable('alice.near', account(0n, 1), NEAR, { comesBack: true });
    expect(refuse).toThrow('for gas and deposit. Most of it comes back. Send some NEAR');
  });

  it('is shown rounded down to five decimals, and the needed amount rounded up', () => {
    const { message } = insufficientBalance('alice.near', 10n ** 18n * 19n, 3n * NEAR + 1n);
    expect(message).toContain('alice.near has 0.00001 NEAR free, and this needs 3.00001 NEAR');
    expect(insufficientBalance('alice.near', 0n, 2n * NEAR).message).toContain(
      'has 0 NEAR free, and this needs 2 NEAR',
    );
  });
});
