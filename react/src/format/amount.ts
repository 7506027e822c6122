const NEAR_DECIMALS = 24;
const SHOWN_DECIMALS = 6;

/** An amount as the confirmation shows it. */
export interface ShownAmount {
  /** The figure in NEAR, thousands grouped, with at most six decimals: `1.5`, `≈ 1.234568` or `< 0.000001`. */
  near: string;
  /** True when `near` is not rounded. */
  exact: boolean;
  /** The figure in yoctoNEAR (10^-24 NEAR), thousands grouped. */
  yocto: string;
}

/** Less than this is in yoctoNEAR: 0.000001 NEAR. */
export const LEAST_SHOWN = 10n ** BigInt(NEAR_DECIMALS - SHOWN_DECIMALS);

/**
 * Formats a decimal string of yoctoNEAR for display, without floats.
 * Returns undefined when the text is not a plain unsigned integer; the caller then shows it unchanged.
 */
export function showAmount(yocto: string): ShownAmount | undefined {
  if (!/^\d+$/.test(yocto)) return undefined;
  const value = BigInt(yocto);
  const exact = value % LEAST_SHOWN === 0n;
  return { near: exact ? nearText(value) : inexact(value), exact, yocto: group(value.toString()) };
}

/** Every digit of an amount in NEAR, or of a very small one in yoctoNEAR. Undefined when it is not a plain integer. */
export function exactNear(yocto: string): string | undefined {
  if (!/^\d+$/.test(yocto)) return undefined;
  const value = BigInt(yocto);
  return value > 0n && value < LEAST_SHOWN
    ? `${group(value.toString())} yoctoNEAR`
    : `${nearText(value)} NEAR`;
}

/** An estimate, to one significant digit. As it came where it is no amount. */
export function aboutNear(yocto: string): string {
  return significantNear(yocto, 1, 2n);
}

/** An upper bound, rounded up to two significant digits. As it came where it is no amount. */
export function atMostNear(yocto: string): string {
  return significantNear(yocto, 2, 1n);
}

/** Adds a unit of the last digit, divided by `share`, and cuts the digits after it. */
function significantNear(yocto: string, digits: number, share: bigint): string {
  if (!/^\d+$/.test(yocto)) return yocto;
  const unit = 10n ** BigInt(Math.max(BigInt(yocto).toString().length - digits, 0));
  const more = share === 1n ? unit - 1n : unit / share;
  return `${nearText(((BigInt(yocto) + more) / unit) * unit)} NEAR`;
}

/** Every digit of a whole amount of a token with so many decimals. */
export function exactUnits(amount: string, decimals = 0): string {
  return decimal(BigInt(amount), decimals);
}

/** Gas in Tgas (10^12), or unchanged when it is not a plain unsigned integer. */
export function showGas(gas: string): string {
  if (!/^\d+$/.test(gas)) return gas;
  return `${decimal(BigInt(gas), 12)} Tgas`;
}

/** Parses NEAR as a person writes it ("0.001") to yoctoNEAR; cuts decimals beyond the 24th. Undefined if not a number. */
export function parseNear(near: string): string | undefined {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(near.trim());
  if (!match || `${match[1] ?? ''}${match[2] ?? ''}` === '') return undefined;
  const fraction = (match[2] ?? '').slice(0, NEAR_DECIMALS).padEnd(NEAR_DECIMALS, '0');
  return BigInt(`${match[1] ?? ''}${fraction}`).toString();
}

function inexact(value: bigint): string {
  if (value < LEAST_SHOWN) return `< ${nearText(LEAST_SHOWN)}`;
  return `≈ ${nearText(((value + LEAST_SHOWN / 2n) / LEAST_SHOWN) * LEAST_SHOWN)}`;
}

function nearText(yocto: bigint): string {
  return decimal(yocto, NEAR_DECIMALS);
}

function decimal(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = group(digits.slice(0, point));
  const fraction = digits.slice(point).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
