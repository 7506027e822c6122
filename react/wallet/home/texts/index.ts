import { createContext, useContext } from 'react';
import { englishHome, type HomeTexts } from './english.js';

export type { HomeTexts } from './english.js';

/** The texts of this page. */
export const HomeTextsContext = createContext<HomeTexts>(englishHome);

export const useHomeTexts = (): HomeTexts => useContext(HomeTextsContext);
