/** `latchkey/tokens`: fungible tokens (NEP-141) of an account: what it has, a transfer to sign, and what comes in. */
import { INVALID_AMOUNT, LatchkeyError } from '../errors/account.js';
import { readUnits, writeUnits } from '../units.js';

export { type Incoming, type IncomingOptions, watchIncoming } from './incoming.js';
export type { TokenMetadata } from './metadata.js';
export {
  type AccountTokens,
  readToken,
  readTokens,
  type Token,
  type TokenSources,
} from './read-tokens.js';
export { type TokenTransfer, type TokenTransferArgs, tokenTransfer } from './transfer.js';

/**
 * Converts an amount as a person writes it to the smallest unit of a token with so many decimals, exactly: `('1.5', 6)` gives
 * `'1500000'`. Throws INVALID_AMOUNT for anything else than digits with a point, and for more decimals than the token has.
 */
export function parseUnits(text: string, decimals: number): string {
  const units = readUnits(text, decimals);
  if (units !== null) return String(units);
  const wanted = `an amount such as 1.5, with at most ${decimals} decimals`;
  throw new LatchkeyError(INVALID_AMOUNT, { values: { value: text, wanted } });
}

/** The reverse of {@link parseUnits}, without trailing zeros. Throws INVALID_AMOUNT for anything but a whole number of 0 or more. */
export function formatUnits(units: string | bigint, decimals: number): string {
  const text = String(units);
  if (/^\d+$/.test(text)) return writeUnits(BigInt(text), decimals);
  throw new LatchkeyError(INVALID_AMOUNT, { values: { value: text, wanted: 'a whole number of a unit' } });
}
