/** Amounts in NEAR, as users write them. */

const YOCTO_DIGITS = 24;

/** Reads a decimal amount such as `0.5` as exact yoctoNEAR; null if it is not one. */
export function readNear(text: string): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,24}))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(YOCTO_DIGITS, '0'));
}

/** Writes yoctoNEAR as an exact decimal amount without trailing zeros. */
export function writeNear(yocto: bigint): string {
  const digits = String(yocto).padStart(YOCTO_DIGITS + 1, '0');
  const fraction = digits.slice(-YOCTO_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -YOCTO_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
