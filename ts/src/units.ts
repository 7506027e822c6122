/** Amounts as people write them, of a whole that has so many decimals. */

/** Reads a decimal amount such as `0.5` exactly; null if it is none, or has more than `decimals` digits behind the point. */
export function readUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,39})(?:\.(\d{1,39}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Writes smallest units as an exact decimal amount without trailing zeros. */
export function writeUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  const whole = digits.slice(0, point);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
