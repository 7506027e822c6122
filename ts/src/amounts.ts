/** Amounts as people write them, and as the chain takes them. */
import { INVALID_AMOUNT, LatchkeyError } from './errors/core.js';
import { readNear, writeNear } from './near/near-amount.js';

const TGAS_DIGITS = 12;

/**
 * Converts NEAR to yoctoNEAR (10^-24 NEAR) exactly: `'0.5'` gives `'500000000000000000000000'`. Takes a decimal text, so
 * that no digit is lost. Throws INVALID_AMOUNT for anything else, and for more than 24 decimals.
 */
export function parseNear(near: string): string {
  const yocto = readNear(near);
  if (yocto === null) throw invalid(near, 'an amount of NEAR such as 0.5, with at most 24 decimals');
  return String(yocto);
}

/**
 * Converts yoctoNEAR to NEAR exactly, without trailing zeros: `'500000000000000000000000'` gives `'0.5'`. Throws
 * INVALID_AMOUNT for anything but a whole number of 0 or more.
 */
export function formatNear(yocto: string | bigint): string {
  const text = String(yocto);
  if (!/^\d+$/.test(text)) throw invalid(text, 'a whole number of yoctoNEAR');
  return writeNear(BigInt(text));
}

/** Converts Tgas (10^12 gas) to gas exactly: `'30'` gives `'30000000000000'`. Throws INVALID_AMOUNT. */
export function parseTgas(tgas: string): string {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,12}))?$/.exec(tgas) ?? [];
  if (whole === undefined) throw invalid(tgas, 'an amount of Tgas such as 30, with at most 12 decimals');
  return String(BigInt(whole + fraction.padEnd(TGAS_DIGITS, '0')));
}

/** Without types, anything may be given. */
const invalid = (value: unknown, wanted: string): LatchkeyError =>
  new LatchkeyError(INVALID_AMOUNT, { values: { value: String(value), wanted } });
