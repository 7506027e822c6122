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

function stored(): string | null {
  try {
    return localStorage.getItem(CHOICE_KEY);
  } catch {
    return null;
  }
}

let chosen = stored();
/** What applies where the user chose none. */
let wanted: readonly string[] = [];
/** The latest page that was asked for: one whose texts come later does not replace it. */
let latest: Language | undefined;

/** The language that the user of this browser chose for the wallet; null if none. */
export const chosenLanguage = (): string | null => chosen;

/** Keeps the user's choice, or forgets it, and draws the page in it. Where nothing may be stored, it lasts as long as the page. */
export async function chooseLanguage(tag: string | null): Promise<void> {
  chosen = tag;
  try {
    if (tag === null) localStorage.removeItem(CHOICE_KEY);
    else localStorage.setItem(CHOICE_KEY, tag);
  } catch {
    // Refused or full.
  }
  await speak(wanted);
}

/** Follows a choice that the user makes in another page of the wallet. */
export function followChoice(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== CHOICE_KEY) return;
    chosen = newValue;
    speak(wanted).catch((error: unknown) => console.warn('The language could not be changed', error));
  });
}

/** Gives the page the user's language, or the first of these that the wallet has. */
export async function speak(others: readonly string[]): Promise<void> {
  wanted = others;
  const tag = [chosen, ...others]
    .map((given) => given?.toLowerCase().split('-')[0] ?? '')
    .find((given) => Object.hasOwn(LANGUAGES, given));
  const language = LANGUAGES[tag ?? 'en'];
  latest = language;
  // As it stands in the page's HTML.
  if (language === here() || language === undefined) return;
  const [texts, { setTexts }] = await Promise.all([language.kit(), import('../src/texts/current.js')]);
  if (language !== latest) return;
  document.documentElement.lang = texts.language ?? 'en';
  document.documentElement.dir = texts.direction ?? 'ltr';
  setTexts(texts);
}

const here = (): Language | undefined => LANGUAGES[document.documentElement.lang];

/** The texts of the home page in the language of this page. */
export const homeTexts = async (inEnglish: HomeTexts): Promise<HomeTexts> =>
  translated(inEnglish, await here()?.home());

/** The same of the page for trying an authenticator. */
export const checkTexts = async (inEnglish: CheckTexts): Promise<CheckTexts> =>
  translated(inEnglish, await here()?.check());
