import { filled } from 'latchkey/internal';
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
    ? filled(words.tokenAmount, { amount: exactUnits(amount, token.decimals), symbol: token.symbol })
    : filled(words.units, { amount: exactUnits(amount) });
}
