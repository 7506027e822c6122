/** Checks the confirmation settings that a page gives, wherever they enter. */
import { INVALID_CONFIG, LatchkeyError } from '../errors/core.js';
import type { Choices, ConfirmationConfig, ConfirmationWish } from '../types.js';

/** The longest delay before a request goes on by itself: any longer looks broken. */
export const MAX_DELAY_MS = 60_000;

type Rule = readonly [isGood: (value: unknown) => boolean, what: string];

const DELAY: Rule = [
  (value) => typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS,
  `a number of milliseconds from 0 to ${MAX_DELAY_MS}`,
];
const RULES: { readonly [K in keyof ConfirmationWish]-?: Rule } = {
  uiMode: oneOf('skip', 'modal', 'drawer'),
  behavior: oneOf('requireClick', 'autoProceed'),
  theme: oneOf('dark', 'light'),
  autoProceedDelay: DELAY,
  autoProceedDelayMs: DELAY,
};

/** Returns one sentence for each unknown setting, and for each with a wrong value. An undefined value counts as absent. */
export function settingsProblems(given: ConfirmationWish): string[] {
  const problems = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(RULES, name)) return [`confirmationConfig has no setting ${name}`];
    const [isGood, what] = RULES[name as keyof ConfirmationWish];
    return value === undefined || isGood(value) ? [] : [`confirmationConfig.${name} must be ${what}`];
  });
  const { autoProceedDelay: delay, autoProceedDelayMs: delayMs } = given;
  if (delay !== undefined && delayMs !== undefined && delay !== delayMs)
    problems.push('confirmationConfig has two delays: autoProceedDelay and autoProceedDelayMs mean the same');
  return problems;
}

/** Returns the settings that are given, each under its one name. */
export function namedSettings(given: ConfirmationWish): Partial<ConfirmationConfig>;
/** The same of choices, where null takes one back. */
export function namedSettings(given: Choices<ConfirmationWish>): Choices<ConfirmationConfig>;
export function namedSettings({ autoProceedDelay, ...given }: Choices<ConfirmationWish>) {
  const all = { autoProceedDelayMs: autoProceedDelay, ...given };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** As {@link namedSettings}. Throws INVALID_CONFIG, which names every problem. */
export function checkedSettings(given: ConfirmationWish): Partial<ConfirmationConfig> {
  const problems = settingsProblems(given);
  if (problems.length > 0) {
    throw new LatchkeyError(INVALID_CONFIG, {
      values: { reason: problems.join('; ') },
      details: { problems },
    });
  }
  return namedSettings(given);
}

function oneOf(...values: string[]): Rule {
  return [(value) => values.includes(value as string), values.join(' or ')];
}
