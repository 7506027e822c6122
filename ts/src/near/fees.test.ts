import { describe, expect, it } from 'vitest';
import {
  assertSpendable,
  atGasPrice,
  boughtYocto,
  insufficientBalance,
  KNOWN_FEES,
  spendableYocto,
  transactionCost,
} from './fees.js';

const NEAR = 10n ** 24n;
const account = (amount: bigint, storage_usage: number, locked = 0n) => ({
  amount: String(amount),
  locked: String(locked),
  storage_usage,
  code_hash: '',
  block_height: 1,
  block_hash: '',
});

describe('The spendable balance', () => {
  it('is the whole balance while the storage is free', () => {
    expect(spendableYocto(account(NEAR, 770))).toBe(NEAR);
  });

  it('excludes the amount that larger storage locks, which a stake may cover', () => {
    expect(spendableYocto(account(NEAR, 1_000))).toBe(NEAR - 10n ** 22n);
    expect(spendableYocto(account(NEAR, 1_000, 10n ** 22n))).toBe(NEAR);
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

  it('is shown rounded down to five decimals, and the needed amount rounded up', () => {
    const { message } = insufficientBalance('alice.near', 10n ** 18n * 19n, 3n * NEAR + 1n);
    expect(message).toContain('alice.near has 0.00001 NEAR free, and this needs 3.00001 NEAR');
    expect(insufficientBalance('alice.near', 0n, 2n * NEAR).message).toContain(
      'has 0 NEAR free, and this needs 2 NEAR',
    );
  });
});
