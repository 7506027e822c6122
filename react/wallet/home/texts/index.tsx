import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTexts } from '../../../src/texts/use-texts.js';
import { homeTexts } from '../../language.js';
import { englishHome, type HomeTexts } from './english.js';

export type { HomeTexts } from './english.js';

const Words = createContext<HomeTexts>(englishHome);

/** The texts of this page. */
export const useHomeTexts = (): HomeTexts => useContext(Words);

/** Gives the page its texts, which change with its language. */
export function HomeTextsProvider({ first, children }: { first: HomeTexts; children: ReactNode }) {
  const { language } = useTexts();
  const [words, setWords] = useState(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are those of the page's language
  useEffect(() => {
    let isCurrent = true;
    void homeTexts(englishHome).then((next) => isCurrent && setWords(next));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return <Words.Provider value={words}>{children}</Words.Provider>;
}
