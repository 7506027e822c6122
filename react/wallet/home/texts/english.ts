import texts from './english.json' with { type: 'json' };

/** The texts of the home page in English. A name in braces is filled by what it names. */
export const englishHome = texts;

export type HomeTexts = typeof englishHome;
