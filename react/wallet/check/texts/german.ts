import type { Translation } from '../../../src/texts/catalogue.js';
import type { CheckTexts } from './english.js';
import texts from './german.json' with { type: 'json' };

export const germanCheck: Translation<CheckTexts> = texts;
