import { useCallback } from 'react';
import { useRead } from '../use-read.js';

/** An amount of NEAR or of a token. */
export interface Money {
  /** The token's contract; absent for NEAR. */
  readonly contractId?: string | undefined;
  /** Decimal digits, in the smallest unit. */
  readonly amount: string;
  /** How many digits of the amount stand behind the point. */
  readonly decimals: number;
}

/** What money is worth, as a text such as `€12.30`; undefined where that is not known. The kit knows no prices. */
export type WorthOf = (money: Money) => string | undefined | Promise<string | undefined>;

/** Draws nothing until it is known, and where it is not. */
export function Worth({ contractId, amount, decimals, worthOf }: Money & { worthOf: WorthOf | undefined }) {
  const read = useCallback(
    async () => worthOf?.({ ...(contractId !== undefined && { contractId }), amount, decimals }),
    [worthOf, contractId, amount, decimals],
  );
  const { value } = useRead(worthOf ? read : null);
  return value === undefined ? null : <span className="faint small">{value}</span>;
}
