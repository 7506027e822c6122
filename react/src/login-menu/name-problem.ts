import {
  type AccountIdRules,
  accountIdProblem,
  existingAccountIdProblem,
  MAX_REGISTRABLE_LENGTH,
} from 'latchkey';
import { filled } from 'latchkey/internal';
import { plainUntrusted } from '../format/text.js';
import { counted } from '../texts/counted.js';
import { texts } from '../texts/current.js';

/** The longest account id on the chain, in characters. */
const MAX_LENGTH = 64;

/** The typed text, and its purpose. */
export interface TypedName {
  /** The typed text, in lower case and without spaces at its ends. */
  readonly name: string;
  /** The account that it means. */
  readonly accountId: string;
  /** It is to become a new account, whose id may have 51 characters. */
  readonly isNew: boolean;
}

/** Why the typed text cannot be a name, in plain words; undefined if it can. */
export function nameProblem({ name, accountId, isNew }: TypedName): string | undefined {
  const stranger = [...name].find((character) => !/[a-z0-9._-]/.test(character));
  const words = texts().names;
  if (stranger === ' ') return words.noSpaces;
  if (stranger !== undefined) return filled(words.noSuchCharacter, { character: plainUntrusted(stranger) });

  const excess = accountId.length - (isNew ? MAX_REGISTRABLE_LENGTH : MAX_LENGTH);
  if (excess > 0) {
    const characters = (count: number) => counted(words.characters, count);
    return filled(words.tooLong, { excess: characters(excess), most: characters(name.length - excess) });
  }
  const problem = isNew
    ? accountIdProblem(accountId, rules(name, accountId))
    : existingAccountIdProblem(accountId);
  if (problem === undefined) return undefined;
  if (SEPARATOR_OUT_OF_PLACE.test(name)) return words.separators;
  return name.includes('.') ? words.wholeId : problem;
}

/** A name alone gets the registry's suffix, whatever that ends in. */
function rules(name: string, accountId: string): AccountIdRules {
  return name.includes('.') ? {} : { suffixes: [accountId.slice(name.length + 1)] };
}

const SEPARATOR_OUT_OF_PLACE = /^[._-]|[._-]$|[._-]{2}/;
