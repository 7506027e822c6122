import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as account from './account.js';
import * as core from './core.js';
import * as frame from './frame.js';

const src = resolve(import.meta.dirname, '..');
const sources = ['../src', '../../react/src', '../../server/src'].flatMap((folder) =>
  readdirSync(resolve(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|testing\/|^errors\//.test(path))
    .map((path) => readFileSync(resolve(src, folder, path), 'utf8')),
);
const helpers =
  readFileSync(resolve(src, 'errors/core.ts'), 'utf8') +
  readFileSync(resolve(src, 'errors/account.ts'), 'utf8');

const isText = (value: unknown): value is core.ErrorText =>
  typeof value === 'object' && value !== null && 'code' in value && 'text' in value;
const texts = Object.entries({ ...core, ...account, ...frame }).flatMap(([name, value]) =>
  isText(value) ? [{ name, ...value }] : [],
);

describe('The texts of errors (core 8, frame 8)', () => {
  it('have the name of their code, but for the one of what was executed', () => {
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter(({ name, code }) => name !== code).map(({ name }) => name)).toEqual([
      'TRANSACTION_EXECUTED',
    ]);
  });

  it('are each used by something', () => {
    const used = (name: string): boolean =>
      sources.some((source) => new RegExp(`\\b${name}\\b`).test(source)) ||
      new RegExp(`[(:] ?${name}\\b`).test(helpers);
    expect(texts.map(({ name }) => name).filter((name) => !used(name))).toEqual([]);
  });

  it('are each written once, and repeated in no other file', () => {
    const longest = (text: string): string =>
      text.split(/\{\w+\}/).reduce((found, piece) => (piece.length > found.length ? piece : found), '');
    const pieces = texts.map(({ text }) => longest(text)).filter((piece) => piece.length >= 20);
    expect(pieces.filter((piece, at) => pieces.indexOf(piece) !== at)).toEqual([]);
    expect(pieces.filter((piece) => sources.some((source) => source.includes(piece)))).toEqual([]);
  });
});
