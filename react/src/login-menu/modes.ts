import { existingAccountIdProblem } from 'latchkey';
import { filled } from 'latchkey/internal';
import type { AccountInputState } from '../account-input.js';
import { texts } from '../texts/current.js';
import { nameProblem } from './name-problem.js';

export type LoginMode = 'register' | 'login' | 'recover';

/** Why 'Continue' does nothing yet; in a recovery, why it goes on without the name. */
export interface Blocked {
  /** Shown for two seconds. */
  readonly hint: string | null;
  /** Stays next to the field for as long as it applies. */
  readonly advice: string | null;
  /** The mode that takes this name. */
  readonly instead?: { readonly mode: LoginMode; readonly label: string };
}

/** Where the menu is, as far as it decides what a name may do. */
export interface Surroundings {
  readonly isSecure: boolean;
  readonly isFramed: boolean;
  /** The account that creates new ones, directly under itself. */
  readonly registrar: string;
}

type Typed = Pick<AccountInputState, 'inputUsername' | 'targetAccountId' | 'accountExists'>;

/** Why no flow can take the name; undefined when one can. */
export function blockedBy(mode: LoginMode, input: Typed, at: Surroundings): Blocked | undefined {
  const words = texts().names;
  if (mode === 'register' && !at.isSecure) {
    return { hint: words.httpsRequired, advice: words.httpsAdvice };
  }
  const name = input.inputUsername.trim();
  if (name === '') return mode === 'recover' ? undefined : { hint: null, advice: null };
  if (mode === 'register' && input.accountExists) {
    return {
      hint: words.taken,
      advice: filled(words.takenAdvice, { account: input.targetAccountId }),
      instead: { mode: 'login', label: words.logInInstead },
    };
  }
  const problem = nameProblem({ name, accountId: input.targetAccountId, isNew: mode === 'register' });
  if (problem !== undefined) return { hint: null, advice: problem };
  if (mode === 'register') return blockedAsNew(input.targetAccountId, at.registrar);
  return mode === 'login' ? blockedAsUnknown(input, at) : undefined;
}

/** Only the registrar creates accounts, and only directly under itself. */
function blockedAsNew(accountId: string, registrar: string): Blocked | undefined {
  const ending = `.${registrar}`;
  if (!accountId.endsWith(ending)) {
    return {
      hint: filled(texts().names.endsIn, { ending }),
      advice: filled(texts().names.endsInAdvice, { ending }),
    };
  }
  if (!accountId.slice(0, -ending.length).includes('.')) return undefined;
  return { hint: null, advice: filled(texts().names.noDot, { ending }) };
}

/**
 * A framed wallet knows another site's accounts only by their passkeys, so login with an unknown name continues there with
 * recovery.
 */
function blockedAsUnknown({ accountExists, targetAccountId }: Typed, at: Surroundings): Blocked | undefined {
  if (accountExists || at.isFramed) return undefined;
  return {
    hint: texts().names.notFound,
    advice: filled(texts().names.notFoundAdvice, { account: targetAccountId }),
    instead: { mode: 'recover', label: texts().names.restoreInstead },
  };
}

/** The account to link this device to: a valid typed id that this device does not know, unless registering. */
export function joinedBy(
  mode: LoginMode,
  input: Pick<AccountInputState, 'targetAccountId' | 'isUsingExistingAccount' | 'accountExists'>,
): string | undefined {
  if (mode === 'register' || input.isUsingExistingAccount || input.accountExists) return undefined;
  return existingAccountIdProblem(input.targetAccountId) === undefined ? input.targetAccountId : undefined;
}
