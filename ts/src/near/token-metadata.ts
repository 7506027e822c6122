/** What a token's contract says of itself (NEP-148), as far as it can be shown. */
import * as v from 'valibot';

const MAX_SYMBOL = 16;
const MAX_NAME = 40;
/** A text is read no further: a contract may give megabytes. */
const READ = 256;
/** Control, format, separator, mark and quote characters, and those that fonts leave out. */
const UNFIT = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\p{Pi}\p{Pf}\u2800"'`„‚]/gu;

/** The two of its fields without which no amount can be shown. */
export const TokenMetadataSchema = v.object({
  symbol: v.string(),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(38)),
});

/** Its symbol without what hides, reorders or closes quotes, at most 16 characters; empty where nothing is left. */
export function shownSymbol(symbol: string): string {
  return clipped(symbol.slice(0, READ).replace(UNFIT, ''), MAX_SYMBOL);
}

/** The same of its name, in words, at most 40 characters. */
export function shownName(name: string): string {
  const words = name.slice(0, READ).split(/\s+/);
  return clipped(
    words
      .map((word) => word.replace(UNFIT, ''))
      .filter((word) => word !== '')
      .join(' '),
    MAX_NAME,
  );
}

const clipped = (text: string, most: number): string => [...text].slice(0, most).join('');
