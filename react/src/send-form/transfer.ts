import { filled, isNearAccountId, readUnits, writeUnits } from 'latchkey/internal';
import type { TokenTexts } from '../texts/token-texts.js';

export const NEAR_DECIMALS = 24;

type Words = TokenTexts['send'];

/** The receiver that the typed text means. No account has a capital letter, which a phone's keyboard begins with. */
export const receiverOf = (typed: string): string => typed.trim().toLowerCase();

/** Why nothing can be sent to this account; undefined if it can, as far as its name tells. `contractId`: the token's. */
export function receiverProblem(
  receiver: string,
  from: string,
  contractId: string | undefined,
  words: Words,
): string | undefined {
  if (receiver === '') return words.noReceiver;
  if (!isNearAccountId(receiver)) return words.notAnAccount;
  if (receiver === contractId) return words.isTheToken;
  return receiver === from ? words.isYourself : undefined;
}

/** The amount of the typed text in the smallest unit, exactly, or why it is none. `most`: what there is, where it is known. */
export function amountOf(
  typed: string,
  decimals: number,
  most: string | undefined,
  words: Words,
): { readonly units: string } | { readonly problem: string } {
  const text = typed.trim().replace(/^\./, '0.');
  if (text === '') return { problem: words.noAmount };
  const units = readUnits(text, decimals);
  if (units === null) return { problem: filled(words.notAnAmount, { decimals }) };
  if (units === 0n) return { problem: words.isZero };
  if (most !== undefined && units > BigInt(most)) return { problem: words.isTooMuch };
  return { units: String(units) };
}

/** yoctoNEAR, 0.01 NEAR: pays for the transfer itself, also to an account that it makes (0.008 NEAR), and for some more to accounts that exist. */
const KEPT_FOR_FEES = 10n ** 22n;

/** The most that the form offers to send, in NEAR. Undefined if nothing is left next to what is kept for fees. */
export function mostOf(spendable: string): string | undefined {
  const most = BigInt(spendable) - KEPT_FOR_FEES;
  return most > 0n ? writeUnits(most, NEAR_DECIMALS) : undefined;
}
