// Specification: core 2
import { expect, it } from 'vitest';
import { english as englishDemo } from '../demo/app/src/texts/english.js';
import { german as germanDemo } from '../demo/app/src/texts/german.js';
import { english } from '../react/src/texts/english.js';
import { englishButton } from '../react/src/texts/english-button.js';
import { englishHeadlines } from '../react/src/texts/english-errors.js';
import { german } from '../react/src/texts/german.js';
import { germanHeadlines } from '../react/src/texts/german-errors.js';
import { englishCheck } from '../react/wallet/check/texts/english.js';
import { germanCheck } from '../react/wallet/check/texts/german.js';
import { englishHome } from '../react/wallet/home/texts/english.js';
import { germanHome } from '../react/wallet/home/texts/german.js';
import { englishEnterPhrase, englishShowPhrase } from '../ts/src/export/phrase-viewer-texts.js';

/** What no person needs to know. Such words stand under Details alone (docs/concepts/terms.mdx). */
const OF_DEVELOPERS =
  /\b(registry|rp ?id|yocto\w*|digest|rpc|nonce|gas|vrf|prf|webauthn|indexeddb|iframe|cross-origin[\w-]*)\b/i;

/** Of the confirmation and its embedded button the actions have a part for Details; their texts are not here. */
const { confirm: _confirm, errors: _errors, steps: _steps, ...inGerman } = german;
const CATALOGUES = {
  english,
  englishButton,
  englishHeadlines,
  englishHome,
  englishCheck,
  englishShowPhrase,
  englishEnterPhrase,
  inGerman,
  germanHeadlines,
  germanHome,
  germanCheck,
  englishDemo,
  germanDemo,
};

/** Every text with its place; one that takes values, with these. */
function textsIn(part: unknown, place: string): [string, string][] {
  if (typeof part === 'string') return [[place, part]];
  if (typeof part === 'function') return [[place, String(part('1', '2'))]];
  return Object.entries(part as object).flatMap(([name, value]) => textsIn(value, `${place}.${name}`));
}

it('no text that a person reads outside Details has a word of developers', () => {
  const found = Object.entries(CATALOGUES).flatMap(([name, catalogue]) => textsIn(catalogue, name));
  expect(found.length).toBeGreaterThan(900);
  expect(found.filter(([, text]) => OF_DEVELOPERS.test(text))).toEqual([]);
});
