import errors from './english/errors.json' with { type: 'json' };
import type { Headlines } from './headlines.js';

export { type Headline, type Headlines, headlineOf, type SomeHeadlines } from './headlines.js';

/** What a screen says of each error, in English. A module of its own, which loads with the first failure. */
export const englishHeadlines: Headlines = errors;
