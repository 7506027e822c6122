import { describe, expect, it } from 'vitest';
import { aboutNear, atMostNear, exactNear, exactUnits, parseNear, showAmount, showGas } from './amount.js';

describe('amounts (core 9)', () => {
  it('shows whole and fractional NEAR exactly', () => {
    expect(showAmount('0')).toEqual({ near: '0', exact: true, yocto: '0' });
    expect(showAmount(`1${'0'.repeat(24)}`)?.near).toBe('1');
    expect(showAmount('100000000000000000000')).toEqual({
      near: '0.0001',
      exact: true,
      yocto: '100,000,000,000,000,000,000',
    });
    expect(showAmount(`1234567${'0'.repeat(24)}`)?.near).toBe('1,234,567');
  });

  it('rounds a long fraction and marks it as rounded', () => {
    expect(showAmount('1234567890123456789012345')).toEqual({
      near: '≈ 1.234568',
      exact: false,
      yocto: '1,234,567,890,123,456,789,012,345',
    });
    expect(showAmount('1999999999999999999999999')).toMatchObject({ near: '≈ 2', exact: false });
  });

  it('never shows a small amount as zero', () => {
    expect(showAmount('1')).toEqual({ near: '< 0.000001', exact: false, yocto: '1' });
    expect(showAmount('1000000000000000001')).toMatchObject({ near: '≈ 0.000001', exact: false });
  });

  it('is undefined for text that is not an amount', () => {
    for (const text of ['', '-1', '1.5', '1e24', '0x10', '１', ' 1'])
      expect(showAmount(text)).toBeUndefined();
  });

  it('shows every digit where the exact amount counts', () => {
    expect(exactNear('1234567890123456789012345')).toBe('1.234567890123456789012345 NEAR');
    expect(exactNear('999999999999999999')).toBe('999,999,999,999,999,999 yoctoNEAR');
    expect(exactNear('1000000000000000000')).toBe('0.000001 NEAR');
    expect(exactNear('0')).toBe('0 NEAR');
    expect(exactNear('1.5')).toBeUndefined();
  });

  it('scales the amount of a token without floats', () => {
    expect(exactUnits('1234567890', 6)).toBe('1,234.56789');
    expect(exactUnits('1', 38)).toBe(`0.${'0'.repeat(37)}1`);
    expect(exactUnits('340282366920938463463374607431768211455')).toBe(
      '340,282,366,920,938,463,463,374,607,431,768,211,455',
    );
    expect(exactUnits('1200', 2)).toBe('12');
  });

  it('shows gas in Tgas', () => {
    expect(showGas('30000000000000')).toBe('30 Tgas');
    expect(showGas('1500000000000')).toBe('1.5 Tgas');
    expect(showGas('lots')).toBe('lots');
  });

  it('reads NEAR as a person writes it', () => {
    expect(parseNear('0.001')).toBe('1000000000000000000000');
    expect(parseNear('.5')).toBe('500000000000000000000000');
    expect(parseNear('1.0000000000000000000000019')).toBe('1000000000000000000000001');
    for (const text of ['', '.', 'one', '-1', '1e3']) expect(parseNear(text)).toBeUndefined();
  });

  it('rounds an estimate to one digit, and a bound up to two', () => {
    const yocto = (millionths: number) => String(BigInt(millionths) * 10n ** 18n);
    expect([aboutNear(yocto(289)), aboutNear(yocto(22)), aboutNear(yocto(950))]).toEqual([
      '0.0003 NEAR',
      '0.00002 NEAR',
      '0.001 NEAR',
    ]);
    expect([atMostNear(yocto(30_919)), atMostNear(yocto(31_000)), atMostNear(yocto(99_100))]).toEqual([
      '0.031 NEAR',
      '0.031 NEAR',
      '0.1 NEAR',
    ]);
    expect([aboutNear('0'), atMostNear('0'), atMostNear('much')]).toEqual(['0 NEAR', '0 NEAR', 'much']);
  });
});
