import type { Token } from 'latchkey/tokens';
import { exactNear, exactUnits } from '../../src/format/amount.js';
import type { HomeTexts } from './texts/index.js';

/** An amount of NEAR, or of a token with its contract's own word for it, where that is known. */
export function amountText(
  contractId: string | undefined,
  amount: string,
  tokens: readonly Token[],
  { activity: words }: HomeTexts,
): string {
  if (contractId === undefined) return exactNear(amount) ?? amount;
  const token = tokens.find((each) => each.contractId === contractId);
  return token
    ? words.tokenAmount(exactUnits(amount, token.decimals), token.symbol)
    : words.units(exactUnits(amount));
}
