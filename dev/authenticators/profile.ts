/** A profile: what is known of an authenticator in one place, where it is known from, and what the wallet makes of it. */
import type { LatchkeyErrorCode } from 'latchkey';
import { type Knobs, PLAIN } from './knobs.js';

/** A knob's setting and the report of it: section and row of authenticators.md, and its sources there. */
export type Fact<T> = readonly [setting: T, source: string];

/** Knobs without a fact are as in PLAIN, also the unknown ones, on which no report was found. */
export type Facts = { readonly [K in keyof Knobs]?: Fact<Knobs[K]> | 'unknown' };

/** A flow's number of prompts, and the code of its failure if it fails. */
export type Expected = number | { readonly prompts: number; readonly code: LatchkeyErrorCode };

/**
 * The flows of a user: the account's, then those of a second device, which shows a code (`link`) that the first one scans,
 * and last a browser that has forgotten the account.
 */
export type Flow =
  | 'register'
  | 'login'
  | 'sign'
  | 'signAgain'
  | 'export'
  | 'scan'
  | 'link'
  | 'recover'
  | 'signRecovered';

export interface Profile {
  readonly id: string;
  readonly authenticator: string;
  readonly where: string;
  readonly userAgent?: string;
  readonly facts: Facts;
  /** Recovery asks from another device by hybrid, or from the phone itself where the passkey was made by hybrid. */
  readonly recoversElsewhere?: boolean;
  readonly expected: { readonly [F in Flow]?: Expected };
  /** What `checkDevice` warns about, before a name is chosen. */
  readonly warning?: LatchkeyErrorCode;
}

export function knobsOf({ facts }: Profile): Knobs {
  const known = Object.entries(facts).flatMap(([knob, fact]) =>
    fact === 'unknown' ? [] : [[knob, fact[0]]],
  );
  return { ...PLAIN, ...Object.fromEntries(known) };
}

export const unknownOf = ({ facts }: Profile): string[] =>
  Object.entries(facts)
    .filter(([, fact]) => fact === 'unknown')
    .map(([knob]) => knob);
