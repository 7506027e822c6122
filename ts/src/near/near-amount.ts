/** Amounts in NEAR, as users write them. */
import { readUnits, writeUnits } from '../units.js';

const DECIMALS = 24;

/** Reads a decimal amount such as `0.5` as exact yoctoNEAR; null if it is not one. */
export function readNear(text: string): bigint | null {
  return /^\d{1,12}(?:\.|$)/.test(text) ? readUnits(text, DECIMALS) : null;
}

/** Writes yoctoNEAR as an exact decimal amount without trailing zeros. */
export function writeNear(yocto: bigint): string {
  return writeUnits(yocto, DECIMALS);
}
