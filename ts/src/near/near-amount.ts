/** Amounts in NEAR, as people write them. */

const YOCTO_DIGITS = 24;

/** Reads a decimal amount such as `0.5` as yoctoNEAR, exactly; null when it is none. */
export function readNear(text: string): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,24}))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(YOCTO_DIGITS, '0'));
}

/** Writes yoctoNEAR as a decimal amount, exactly and without trailing zeros. */
export function writeNear(yocto: bigint): string {
  const digits = String(yocto).padStart(YOCTO_DIGITS + 1, '0');
  const fraction = digits.slice(-YOCTO_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -YOCTO_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
