import { useEffect, useState } from 'react';
import { asError } from '../src/as-error.js';
import { useTexts } from '../src/texts/use-texts.js';
import { chooseLanguage, chosenLanguage, languages } from './language.js';

export interface LanguageChoiceProps {
  /** The element's id, for its label. */
  id: string;
  /** Says what applies where the user chose none. */
  auto: string;
  /** The texts of the language could not be loaded (offline, say). */
  onError: (error: Error) => void;
}

/** The language in which the user of this browser wants the wallet. */
export function LanguageChoice({ id, auto, onError }: LanguageChoiceProps) {
  const { language } = useTexts();
  const [chosen, setChosen] = useState(chosenLanguage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may have changed the choice, and with it the language
  useEffect(() => setChosen(chosenLanguage()), [language]);
  const choose = (tag: string): void => {
    const next = tag === '' ? null : tag;
    setChosen(next);
    chooseLanguage(next).catch((error: unknown) => onError(asError(error)));
  };
  return (
    <select id={id} value={chosen ?? ''} onChange={(event) => choose(event.target.value)}>
      <option value="">{auto}</option>
      {languages.map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag} translate="no">
          {name}
        </option>
      ))}
    </select>
  );
}
