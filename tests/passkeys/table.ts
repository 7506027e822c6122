/** The public table of authenticators: what the flows found, and what of it was never tried. */

import { type Flow, knobsOf, type Profile, unknownOf } from '../../dev/authenticators/profile.js';
import type { LatchkeyErrorCode } from '../../ts/src/errors/latchkey-error.js';

/** How a flow ended. */
export interface Ended {
  readonly prompts: number;
  readonly code?: LatchkeyErrorCode;
  readonly sentence?: string | undefined;
}

/** What the flows found of an authenticator. */
export type Row = Partial<Record<Flow, Ended>> & {
  warning?: LatchkeyErrorCode | undefined;
  warningSentence?: string | undefined;
};

/** A row of the table, as its file has it. */
export interface TableRow {
  readonly id: string;
  readonly authenticator: string;
  readonly where: string;
  /** Absent where it is not known, or differs by model. */
  readonly aaguid?: string;
  readonly registrationPrompts: number;
  /** Of the first signature in a browser, and of later ones where they take fewer. Absent where no account is made. */
  readonly signaturePrompts?: readonly number[];
  /** `works with one prompt`, `works with two prompts`, or `refused` and the sentence that the user reads. */
  readonly result: string;
  /** The flow that fails although the account works, in the sentence that the user reads. */
  readonly except?: string;
  /** What `checkDevice` says before a name is chosen. */
  readonly warning?: string;
  /** What no report says, and the table therefore takes as usual. */
  readonly unknown?: readonly string[];
  readonly triedOnHardware: 'never';
}

/** What the user reads, with a place for the account's name. */
const saidOf = ({ code, sentence = code }: Ended): string =>
  (sentence ?? '').replaceAll(/\bz[\da-f]{12}\.[\w.-]*\w/g, '{account}');

function resultOf({ register = { prompts: 0 }, sign }: Row): string {
  if (register.code) return `refused: ${saidOf(register)}`;
  if (sign?.code) return `refused at the first signature: ${saidOf(sign)}`;
  return `works with ${register.prompts === 1 ? 'one prompt' : 'two prompts'}`;
}

/** The table as JSON, its lists each on one line. */
export function tableOf(profiles: readonly Profile[], rows: ReadonlyMap<string, Row>): string {
  const table = profiles.map((profile) => rowOf(profile, rows.get(profile.id) ?? {}));
  const text = JSON.stringify(table, undefined, 2).replaceAll(
    /\[\s+([^[\]{}]+?)\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`,
  );
  return `${text}\n`;
}

function rowOf(profile: Profile, row: Row): TableRow {
  const { id, authenticator, where } = profile;
  const { register = { prompts: 0 }, sign, signAgain, recover, warningSentence } = row;
  const { aaguid } = knobsOf(profile);
  const unknown = unknownOf(profile);
  const signatures = [sign, signAgain].flatMap((end) => (end ? [end.prompts] : []));
  return {
    id,
    authenticator,
    where,
    ...(aaguid && { aaguid }),
    registrationPrompts: register.prompts,
    ...(signatures.length > 0 && { signaturePrompts: [...new Set(signatures)] }),
    result: resultOf(row),
    ...(!sign?.code && recover?.code && { except: `recovery: ${saidOf(recover)}` }),
    ...(warningSentence && { warning: warningSentence }),
    ...(unknown.length > 0 && { unknown }),
    triedOnHardware: 'never',
  };
}
