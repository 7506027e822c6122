import errors from './english/errors.json' with { type: 'json' };
import type { Headlines } from './headlines.js';

/** A module of its own, which loads with the first failure. */
export const englishHeadlines: Headlines = errors;
