import { texts } from './current.js';

/**
 * The locale of dates and counts: the browser's, where it has the page's language, since it knows more of its user. Digits are
 * Latin in every language, as in the names, codes and amounts that a person compares.
 */
export function locale(): string {
  const { language } = texts();
  const own = globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === language);
  return new Intl.Locale(own ?? language, { numberingSystem: 'latn' }).toString();
}
