/** Checks the settings that a page sends, before they are stored. */
import { LatchkeyError } from '../errors/index.js';
import type { ConfirmationConfig } from '../types.js';

/** The longest delay before a request goes on by itself: any longer looks broken. */
export const MAX_DELAY_MS = 60_000;

const RULES: { readonly [K in keyof ConfirmationConfig]: readonly [(value: unknown) => boolean, string] } = {
  uiMode: oneOf('skip', 'modal', 'drawer'),
  behavior: oneOf('requireClick', 'autoProceed'),
  theme: oneOf('dark', 'light'),
  autoProceedDelayMs: [
    (value) => typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS,
    `a number of milliseconds from 0 to ${MAX_DELAY_MS}`,
  ],
};

/** Throws INVALID_CONFIG, naming every unknown setting and every setting with a wrong value. */
export function assertSettings(settings: Partial<ConfirmationConfig>): void {
  const problems = Object.entries(settings).flatMap(([name, value]) => {
    if (!Object.hasOwn(RULES, name)) return [`confirmationConfig has no setting ${name}`];
    const [isGood, what] = RULES[name as keyof ConfirmationConfig];
    return isGood(value) ? [] : [`confirmationConfig.${name} must be ${what}`];
  });
  if (problems.length > 0) {
    throw new LatchkeyError('INVALID_CONFIG', {
      values: { reason: problems.join('; ') },
      details: { problems },
    });
  }
}

function oneOf(...values: string[]): readonly [(value: unknown) => boolean, string] {
  return [(value) => typeof value === 'string' && values.includes(value), values.join(' or ')];
}
