import texts from './english/welcome.json' with { type: 'json' };

/** What the login menu says under its field to those who are new or have lost their account, in English. */
export const englishWelcome = texts;

export type WelcomeTexts = typeof englishWelcome;
