import { expect, it } from 'vitest';
import { germanErrors } from '../../../react/src/texts/german-errors.js';
import * as account from './account.js';
import * as frame from './frame.js';

const english = { ...frame, ...account };
const holesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

it.each(Object.entries(germanErrors))('%s has in German the same values as in English', (code, text) => {
  const { text: original } = english[code as 'OFFLINE'];
  expect(holesOf(text)).toEqual(holesOf(original));
  expect(text).not.toBe(original);
});
