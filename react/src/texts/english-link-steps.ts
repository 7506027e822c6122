import texts from './english/link-steps.json' with { type: 'json' };

/** The texts of the steps of a linking on the new device, in English. They load with its code. */
export const englishLinkSteps = texts;

export type LinkStepTexts = typeof englishLinkSteps;
