/** The language of this page. The texts of the kit are in {@link setTexts}; those of the wallet's own pages are loaded with them. */
import { type Translation, translated } from '../src/texts/catalogue.js';
import { setTexts } from '../src/texts/current.js';
import type { Catalogue } from '../src/texts/english.js';
import type { CheckTexts } from './check/texts/english.js';
import type { HomeTexts } from './home/texts/english.js';

interface Language {
  readonly kit: () => Promise<Catalogue>;
  readonly home: () => Promise<Translation<HomeTexts>>;
  readonly check: () => Promise<Translation<CheckTexts>>;
}

/** Every language but English, by its tag. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    kit: async () => (await import('../src/texts/german.js')).german,
    home: async () => (await import('./home/texts/german.js')).germanHome,
    check: async () => (await import('./check/texts/german.js')).germanCheck,
  },
};

const current = (): Language | undefined => LANGUAGES[document.documentElement.lang];

/** Gives the page the first of these languages that the wallet has: English, if it has none. */
export async function speak(wanted: readonly string[]): Promise<void> {
  const tags = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  const tag = tags.find((one) => one === 'en' || Object.hasOwn(LANGUAGES, one)) ?? 'en';
  const texts = await LANGUAGES[tag]?.kit();
  if (!texts) return;
  setTexts(texts);
  document.documentElement.lang = tag;
  document.documentElement.dir = texts.direction ?? 'ltr';
}

/** The texts of the home page in the language of this page. */
export const homeTexts = async (english: HomeTexts): Promise<HomeTexts> =>
  translated(english, await current()?.home());

/** The same of the page for trying an authenticator. */
export const checkTexts = async (english: CheckTexts): Promise<CheckTexts> =>
  translated(english, await current()?.check());
