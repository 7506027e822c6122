import type { Translation } from '../../../src/texts/catalogue.js';
import type { HomeTexts } from './english.js';
import texts from './german.json' with { type: 'json' };

export const germanHome: Translation<HomeTexts> = texts;
