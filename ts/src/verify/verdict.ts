/** The result type of this entry. */

/** Nothing was verified. `reason` is for programs, `message` describes the fault. */
export interface Refused<Reason extends string> {
  readonly verified: false;
  readonly reason: Reason;
  /** May quote client input and a node's text: for a log, not for a page's HTML. */
  readonly message: string;
}

/** The verified facts, or the refusal. */
export type Verdict<Verified extends object, Reason extends string> =
  | ({ readonly verified: true } & Readonly<Verified>)
  | Refused<Reason>;

export function refused<Reason extends string>(reason: Reason, message: string): Refused<Reason> {
  return { verified: false, reason, message };
}
