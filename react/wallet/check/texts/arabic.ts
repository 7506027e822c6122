import type { Translation } from '../../../src/texts/catalogue.js';
import texts from './arabic.json' with { type: 'json' };
import type { CheckTexts } from './english.js';

export const arabicCheck: Translation<CheckTexts> = texts;
