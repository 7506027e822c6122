// What a translator needs, and what is wrong with the translations that are here.
// Usage: npm run texts               what each language lacks
//        npm run texts -- fr         every text for a new language, or what one that is here lacks
import { readFileSync } from 'node:fs';
import { englishEnterPhrase, englishShowPhrase } from '../ts/src/export/phrase-viewer-texts.js';
import { englishViewer } from '../ts/src/export/viewer-texts.js';
import { isMain } from './release/lib.mjs';

type Tree = { readonly [name: string]: Tree | string };
/** The texts of one catalogue by their places, such as `common.back`; `confirm.facts.blocks.one` is a form of a number. */
export type Texts = ReadonlyMap<string, string>;

const read = (path: string): Tree =>
  JSON.parse(readFileSync(new URL(`../react/${path}`, import.meta.url), 'utf8'));
const part = (name: string): Tree => read(`src/texts/english/${name}.json`);

/** The files of a language, by its tag. */
const FILES: Readonly<Record<string, string>> = { de: 'german', ar: 'arabic' };

export const LANGUAGES = Object.keys(FILES);

/** In English, which is in several files because its parts load at different times. */
export const ENGLISH: Texts = flat({
  ...part('kit'),
  steps: part('steps'),
  welcome: part('welcome'),
  deviceList: part('device-list'),
  linkSteps: part('link-steps'),
  tokens: part('tokens'),
  confirm: {
    ...part('confirm'),
    acts: part('acts'),
    actions: part('actions'),
    button: part('button'),
    keyViewer: englishViewer as unknown as Tree,
  },
  phraseViewer: { show: englishShowPhrase, enter: englishEnterPhrase } as unknown as Tree,
  errors: part('errors'),
  home: read('wallet/home/texts/english.json'),
  check: read('wallet/check/texts/english.json'),
});

export function textsIn(tag: string): Texts {
  const file = `${FILES[tag]}.json`;
  const [home, check] = [read(`wallet/home/texts/${file}`), read(`wallet/check/texts/${file}`)];
  return flat({ ...read(`src/texts/${file}`), home, check });
}

const NOTES = read('src/texts/notes.json') as Readonly<Record<string, string>>;

/** What no translation translates. */
const SETTINGS = ['language', 'direction'];

function flat(tree: Tree, at = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[at + name, value]] : [...flat(value, `${at}${name}.`)],
    ),
  );
}

const holesIn = (text: string): string => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');

/** The place without the form of a number, and that form. */
function formOf(place: string, among: Texts): { readonly base: string; readonly form: string } | undefined {
  const at = place.lastIndexOf('.');
  const [base, form] = [place.slice(0, at), place.slice(at + 1)];
  return among.has(`${base}.other`) ? { base, form } : undefined;
}

/** The forms that a number has in a language, by the names of CLDR. */
const formsIn = (tag: string): readonly string[] =>
  new Intl.PluralRules(tag).resolvedOptions().pluralCategories;

/** Without a form of its own in English, the number is never 1. */
const neededIn = (tag: string, base: string): readonly string[] =>
  formsIn(tag).filter((form) => form === 'other' || ENGLISH.has(`${base}.one`) || !/zero|one/.test(form));

/** The places that a translation has: those of the English texts, with the forms of its own language. */
function placesIn(tag: string): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [place, text] of ENGLISH) {
    const counted = formOf(place, ENGLISH);
    if (!counted) places.set(place, text);
    else if (counted.form === 'other')
      for (const form of neededIn(tag, counted.base))
        places.set(`${counted.base}.${form}`, ENGLISH.get(`${counted.base}.${form}`) ?? text);
  }
  return places;
}

/** What is wrong with a translation, a sentence for each fault. */
export function faultsIn(tag: string, translation: Texts): string[] {
  const places = placesIn(tag);
  const missing = [...places]
    .filter(([place]) => !translation.has(place))
    .map(([place]) => `${place} is missing`);
  const faults = [...translation].flatMap(([place, text]) => {
    const english = places.get(place);
    if (english === undefined) return [`${place} is no text of the kit`];
    // A form for one number may say it in words.
    const [own, other] = [holesIn(text), holesIn(english)].map((holes) =>
      formOf(place, places as Texts) ? holes.replace('{count}', '').trim() : holes,
    );
    return own === other
      ? []
      : [`${place} has ${own || 'no names'} where the English has ${other || 'none'}`];
  });
  return [...missing, ...faults];
}

function noteOf(place: string): string | undefined {
  const names = Object.keys(NOTES).filter((name) => place === name || place.startsWith(`${name}.`));
  return names.map((name) => NOTES[name]).join(' ') || undefined;
}

/** A text with all that its translator has to know. */
function asked([place, text]: [string, string]): string {
  const note = noteOf(place);
  return `${place}\n  ${text}${note === undefined ? '' : `\n  (${note})`}`;
}

function print(tag: string | undefined): void {
  if (tag === undefined) {
    for (const one of LANGUAGES) {
      const faults = faultsIn(one, textsIn(one));
      console.log(`${one}: ${textsIn(one).size} texts, ${faults.length} faults`);
      for (const fault of faults) console.log(`  ${fault}`);
    }
    return;
  }
  const has = LANGUAGES.includes(tag) ? textsIn(tag) : new Map<string, string>();
  const wanted = [...placesIn(tag)].filter(([place]) => !has.has(place) && !SETTINGS.includes(place));
  console.log(
    `${wanted.length} texts to translate. A name in braces stays as it is: it is filled. Numbers have the forms ${formsIn(tag).join(', ')}.\n`,
  );
  console.log(wanted.map(asked).join('\n'));
}

if (isMain(import.meta.url)) {
  const [tag] = process.argv.slice(2);
  try {
    print(tag);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(`“${tag}” is no language. Name one by its tag, such as fr or pt-BR.`);
    process.exitCode = 1;
  }
}
