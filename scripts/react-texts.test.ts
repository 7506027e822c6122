// Specification: core 2
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const react = fileURLToPath(new URL('../react/', import.meta.url));
const screens = ['src', 'wallet'].flatMap((folder) =>
  readdirSync(join(react, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !/\.test\.tsx$|testing\//.test(path))
    .map((path) => join(folder, path)),
);

/** A type in the source, and the name of a setting. */
const NO_TEXT = /Promise$|^allowedHosts$/;

/** The words between two tags, and those of an attribute that a person sees or hears. */
const WORDS = [
  />\s*([A-Za-z“‘][^<>{}=;()]*[a-z]{2}[^<>{}=;()]*)</g,
  /\b(?:aria-label|aria-valuetext|alt|placeholder|title|label|lead|more|note|text|agree)="([^"]*[a-z]{2}[^"]*)"/g,
];

it('no screen of the kit or of the wallet page has a text of its own', () => {
  expect(screens.length).toBeGreaterThan(30);
  const found = screens.flatMap((path) => {
    const source = readFileSync(join(react, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    return WORDS.flatMap((words) =>
      [...source.matchAll(words)]
        .map(([, text = '']) => text.trim())
        .filter((text) => !NO_TEXT.test(text))
        .map((text) => `${path}: ${text}`),
    );
  });
  expect(found).toEqual([]);
});
