import type { ErrorValues, LatchkeyErrorCode } from 'latchkey';
import { filled } from 'latchkey/internal';

/** A sentence for a person; one that takes values is followed by one for an error that carries none. */
export type Headline = string | readonly [withValues: string, without: string];

/** A headline for every code: a code without one does not compile. */
export type Headlines = Readonly<Record<LatchkeyErrorCode, Headline>>;

/** The headline of a code; that of UNKNOWN where the code is none of ours, such as one of a newer wallet. */
export function headlineOf(headlines: Headlines, code: string | undefined, values: ErrorValues = {}): string {
  const isOurs = code !== undefined && Object.hasOwn(headlines, code);
  const headline = headlines[isOurs ? (code as LatchkeyErrorCode) : 'UNKNOWN'];
  if (typeof headline === 'string') return headline;
  const [withValues, without] = headline;
  const holes = withValues.matchAll(/\{(\w+)\}/g);
  const isWhole = [...holes].every(([, name = '']) => values[name] !== undefined);
  return isWhole ? filled(withValues, values) : without;
}
