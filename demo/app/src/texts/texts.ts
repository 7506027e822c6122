import { english, type Texts } from './english.js';
import { german } from './german.js';

/** Whether the browser's language is German. Outside a browser, the texts are English. */
export const isGerman = typeof document !== 'undefined' && /^de\b/.test(navigator.language);

/** The texts of this page, in the browser's language. */
export const texts: Texts = isGerman ? german : english;
