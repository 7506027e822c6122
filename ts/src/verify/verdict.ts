/** The one result type of this entry. */

/** Nothing was verified. `reason` is for programs, `message` says what was wrong. */
export interface Refused<Reason extends string> {
  readonly verified: false;
  readonly reason: Reason;
  /** May quote what was sent and what a node said: for a log, not for a page's HTML. */
  readonly message: string;
}

/** What was verified, or why not. */
export type Verdict<Verified extends object, Reason extends string> =
  | ({ readonly verified: true } & Readonly<Verified>)
  | Refused<Reason>;

export function refused<Reason extends string>(reason: Reason, message: string): Refused<Reason> {
  return { verified: false, reason, message };
}
