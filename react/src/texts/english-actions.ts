import actions from './english/actions.json' with { type: 'json' };

/** The texts that describe an action, in English. The transaction button's frame loads these alone. */
export const englishActions = actions;

export type ActionTexts = typeof englishActions;
