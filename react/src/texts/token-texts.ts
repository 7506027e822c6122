import { inFull } from './catalogue.js';
import { englishTokens, type TokenTexts } from './english-tokens.js';
import { useTexts } from './use-texts.js';

export type { TokenTexts };

/** The texts of tokens in this page's language, for a component: English where its catalogue has none. */
export const useTokenTexts = (): TokenTexts => inFull(englishTokens, useTexts().tokens);
