import { isNearAccountId, readNear, writeNear } from 'latchkey/internal/wallet';
import type { HomeTexts } from './texts/index.js';

/** The accounts that a transfer creates: a key's (64 hex digits), an Ethereum address's, and one of a state init (NEP-616). */
const MADE_BY_A_TRANSFER = /^(?:[0-9a-f]{64}|0x[0-9a-f]{40}|0s[0-9a-f]{40})$/;

/** Whether the chain makes the account when something is sent to it. */
export const isMadeByTransfer = (accountId: string): boolean => MADE_BY_A_TRANSFER.test(accountId);

/** The receiver that the typed text means. No account has a capital letter, which a phone's keyboard begins with. */
export const receiverOf = (typed: string): string => typed.trim().toLowerCase();

/** Why nothing can be sent to this account; undefined if it can, as far as its name tells. */
export function receiverProblem(
  receiver: string,
  from: string,
  { send: words }: HomeTexts,
): string | undefined {
  if (receiver === '') return words.noReceiver;
  if (!isNearAccountId(receiver)) return words.notAnAccount;
  return receiver === from ? words.isYourself : undefined;
}

/** The amount of the typed text in yoctoNEAR, exactly, or why it is none. `spendable`: in yoctoNEAR, where it is known. */
export function amountOf(
  typed: string,
  spendable: string | undefined,
  { send: words }: HomeTexts,
): { readonly yocto: string } | { readonly problem: string } {
  const text = typed.trim().replace(/^\./, '0.');
  if (text === '') return { problem: words.noAmount };
  const yocto = readNear(text);
  if (yocto === null) return { problem: words.notAnAmount };
  if (yocto === 0n) return { problem: words.isZero };
  if (spendable !== undefined && yocto > BigInt(spendable)) return { problem: words.isTooMuch };
  return { yocto: String(yocto) };
}

/** yoctoNEAR, 0.01 NEAR: pays for the transfer itself, also to an account that it makes (0.008 NEAR), and for some more to accounts that exist. */
const KEPT_FOR_FEES = 10n ** 22n;

/** The most that the form offers to send, in NEAR. Undefined if nothing is left next to what is kept for fees. */
export function mostOf(spendable: string): string | undefined {
  const most = BigInt(spendable) - KEPT_FOR_FEES;
  return most > 0n ? writeNear(most) : undefined;
}
