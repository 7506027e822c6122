import texts from './english.json' with { type: 'json' };

/** The texts of the page on which users try their own authenticators. */
export const englishCheck = texts;

export type CheckTexts = typeof englishCheck;
