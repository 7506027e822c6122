import type { Translation } from '../../../src/texts/catalogue.js';
import texts from './arabic.json' with { type: 'json' };
import type { HomeTexts } from './english.js';

export const arabicHome: Translation<HomeTexts> = texts;
