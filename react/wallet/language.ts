/**
 * The language of this page: the one that its user chose, or the operator's, or that of the page around it, or the browser's.
 * English where the wallet has none of them.
 */
import { type Translation, translated } from '../src/texts/catalogue.js';
import type { Catalogue } from '../src/texts/english.js';
import type { CheckTexts } from './check/texts/english.js';
import type { HomeTexts } from './home/texts/english.js';

interface Language {
  /** Its name in itself. */
  readonly name: string;
  readonly kit: () => Promise<Catalogue>;
  readonly home: () => Promise<Translation<HomeTexts>>;
  readonly check: () => Promise<Translation<CheckTexts>>;
}

/** By its tag. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    name: 'English',
    kit: async () => (await import('../src/texts/english.js')).english,
    home: async () => ({}),
    check: async () => ({}),
  },
  de: {
    name: 'Deutsch',
    kit: async () => (await import('../src/texts/german.js')).german,
    home: async () => (await import('./home/texts/german.js')).germanHome,
    check: async () => (await import('./check/texts/german.js')).germanCheck,
  },
  ar: {
    name: 'العربية',
    kit: async () => (await import('../src/texts/arabic.js')).arabic,
    home: async () => (await import('./home/texts/arabic.js')).arabicHome,
    check: async () => (await import('./check/texts/arabic.js')).arabicCheck,
  },
};

/** Each language by its tag and its name in itself. */
export const languages: readonly (readonly [tag: string, name: string])[] = Object.entries(LANGUAGES).map(
  ([tag, { name }]) => [tag, name],
);

const CHOICE_KEY = 'latchkey-language';

/** The language that the user of this browser chose for the wallet; null if none. */
export function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(CHOICE_KEY);
  } catch {
    return null;
  }
}

let wanted: readonly string[] = [];

/** Keeps the user's choice, or forgets it, and draws the page in it. */
export async function chooseLanguage(tag: string | null): Promise<void> {
  if (tag === null) localStorage.removeItem(CHOICE_KEY);
  else localStorage.setItem(CHOICE_KEY, tag);
  await speak(wanted);
}

/** Gives the page the user's language, or the first of these that the wallet has. */
export async function speak(others: readonly string[]): Promise<void> {
  wanted = others;
  const tag = [chosenLanguage(), ...others]
    .map((given) => given?.toLowerCase().split('-')[0] ?? '')
    .find((given) => Object.hasOwn(LANGUAGES, given));
  const language = LANGUAGES[tag ?? 'en'];
  // As it stands in the page's HTML.
  if (language === here() || language === undefined) return;
  const [texts, { setTexts }] = await Promise.all([language.kit(), import('../src/texts/current.js')]);
  setTexts(texts);
  document.documentElement.lang = texts.language ?? 'en';
  document.documentElement.dir = texts.direction ?? 'ltr';
}

const here = (): Language | undefined => LANGUAGES[document.documentElement.lang];

/** The texts of the home page in the language of this page. */
export const homeTexts = async (inEnglish: HomeTexts): Promise<HomeTexts> =>
  translated(inEnglish, await here()?.home());

/** The same of the page for trying an authenticator. */
export const checkTexts = async (inEnglish: CheckTexts): Promise<CheckTexts> =>
  translated(inEnglish, await here()?.check());
