import type { ErrorValues, LatchkeyErrorCode } from 'latchkey';

/** A sentence for a person; one that takes values is followed by one for an error that carries none. */
export type Headline = string | readonly [withValues: string, without: string];

/** A headline for every code: a code without one does not compile. */
export type Headlines = Readonly<Record<LatchkeyErrorCode, Headline>>;

const HOLE = /\{(\w+)\}/g;

/** Fills a text; undefined where a value is missing. */
function filledWhole(text: string, values: ErrorValues): string | undefined {
  const holes = [...text.matchAll(HOLE)].map(([, name = '']) => name);
  if (holes.some((name) => values[name] === undefined)) return undefined;
  return text.replace(HOLE, (_, name: string) => String(values[name]));
}

/** The headline of a code; that of UNKNOWN where the code is none of ours, such as one of a newer wallet. */
export function headlineOf(headlines: Headlines, code: string | undefined, values: ErrorValues = {}): string {
  const isOurs = code !== undefined && Object.hasOwn(headlines, code);
  const headline = headlines[isOurs ? (code as LatchkeyErrorCode) : 'UNKNOWN'];
  if (typeof headline === 'string') return headline;
  const [withValues, without] = headline;
  return filledWhole(withValues, values) ?? without;
}
