import texts from './english/tokens.json' with { type: 'json' };

/** The texts of the list of tokens and of the form that sends, in English. */
export const englishTokens = texts;

export type TokenTexts = typeof englishTokens;
