// Specification: core 2
import { describe, expect, it } from 'vitest';
import { ENGLISH, faultsIn, LANGUAGES, textsIn } from './texts.js';

/** What no person needs to know. Such words stand under Details alone (docs/concepts/terms.mdx). */
const OF_DEVELOPERS =
  /\b(registry|rp ?id|yocto\w*|digest|rpc|nonce|gas|vrf|prf|webauthn|indexeddb|iframe|cross-origin[\w-]*)\b/i;

/** The confirmation and its actions have a part for Details. */
const HAS_DETAILS = /^confirm\.(?!button)/;

it.each(['en', ...LANGUAGES])(
  'no text of %s that a person reads outside Details has a word of developers',
  (tag) => {
    const found = [...(tag === 'en' ? ENGLISH : textsIn(tag))].filter(([place]) => !HAS_DETAILS.test(place));
    expect(found.length).toBeGreaterThan(700);
    expect(found.filter(([, text]) => OF_DEVELOPERS.test(text))).toEqual([]);
  },
);

describe.each(LANGUAGES)('the translation %s (core 2)', (tag) => {
  it('has every text, with the same names in braces and the forms of its numbers', () => {
    expect(faultsIn(tag, textsIn(tag))).toEqual([]);
  });

  it('repeats no English sentence', () => {
    const repeated = [...textsIn(tag)].filter(
      ([place, text]) => text === ENGLISH.get(place) && /[a-z]{3} [a-z]/i.test(text),
    );
    expect(repeated).toEqual([]);
  });
});

it('finds a missing text, one that the kit has not, another name in braces, and a missing form of a number', () => {
  const faulty = new Map(textsIn('de'));
  faulty.delete('common.back');
  faulty.set('common.bak', 'Zurück');
  faulty.set('toasts.loggedIn', 'Angemeldet als {konto}!');
  faulty.delete('names.characters.other');
  expect(faultsIn('de', faulty)).toEqual([
    'common.back is missing',
    'names.characters.other is missing',
    'toasts.loggedIn has {konto} where the English has {account}',
    'common.bak is no text of the kit',
  ]);
});
