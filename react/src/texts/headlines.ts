import type { ErrorValues, LatchkeyErrorCode } from 'latchkey';
import { COMES_BACK_TEXT, filled } from 'latchkey/internal';

/** A sentence for a person; one that takes values has another for an error that carries none. */
export type Headline = string | { readonly filled: string; readonly plain: string };

/**
 * What a screen says of each error: what happened, whether money and keys are safe, what to do now. `EXECUTED` is the one of a
 * TRANSACTION_FAILED that the chain carried out, `not-yet` and `no-longer` are those of one whose value `lacks` says that of what
 * it needs from the network, and `COMES_BACK` is what stands for the `{reason}` of an error.
 */
export type Headlines = Readonly<
  Record<LatchkeyErrorCode | 'EXECUTED' | 'not-yet' | 'no-longer' | 'COMES_BACK', Headline>
>;

/** Those that a catalogue has. */
export type SomeHeadlines = { readonly [Name in keyof Headlines]?: Headlines[Name] | undefined };

/** The headline of a code; that of UNKNOWN where the code is none of ours, such as one of a newer wallet. */
export function headlineOf(
  headlines: SomeHeadlines,
  code: string | undefined,
  values: ErrorValues = {},
): string | undefined {
  const headline = headlines[nameOf(headlines, code, values)];
  if (headline === undefined) return undefined;
  if (typeof headline === 'string') return headline;
  const known =
    values.reason === COMES_BACK_TEXT ? { ...values, reason: headlines.COMES_BACK as string } : values;
  const holes = headline.filled.matchAll(/\{(\w+)\}/g);
  const isWhole = [...holes].every(([, name = '']) => known[name] !== undefined);
  return isWhole ? filled(headline.filled, known) : headline.plain;
}

function nameOf(
  headlines: SomeHeadlines,
  code: string | undefined,
  { fate, lacks = code }: ErrorValues,
): keyof Headlines {
  if (code === 'TRANSACTION_FAILED' && fate === 'failed') return 'EXECUTED';
  return lacks !== undefined && Object.hasOwn(headlines, lacks) ? (lacks as keyof Headlines) : 'UNKNOWN';
}
