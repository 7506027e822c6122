// What the site knows of its pages without drawing them: headings, and the text below each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '@mdx-js/mdx';
import MiniSearch from 'minisearch';
import { VFile } from 'vfile';
import { SEARCH_OPTIONS, type SearchEntry } from '../../src/docs/search-entry.js';
import { markupOf, type Section } from './markup.js';
import { type Page, REPOSITORY } from './pages.js';

/** The characters of a section that a result of the search shows. */
const EXCERPT = 140;

/** Groups of which the search knows the headings alone: their text is long, and for few. */
const HEADINGS_ALONE: ReadonlySet<string | null> = new Set(['For maintainers']);

export const sourceOf = ({ file }: Page): string => readFileSync(join(REPOSITORY, file), 'utf8');

/** The sections of each page that was read before, by its source. */
const known = new Map<string, Promise<Section[]>>();

/** The sections of a page, in its order. */
export function sectionsOf(page: Page, pages: readonly Page[]): Promise<Section[]> {
  const source = sourceOf(page);
  const sections = known.get(source) ?? readSections(page.file, source, pages);
  known.set(source, sections);
  return sections;
}

async function readSections(path: string, value: string, pages: readonly Page[]): Promise<Section[]> {
  const file = new VFile({ path: join(REPOSITORY, path), value });
  await compile(file, markupOf(pages, { isColoured: false }));
  return file.data.sections ?? [];
}

/** The index of the search over all pages, as JSON. */
export async function searchIndex(pages: readonly Page[]): Promise<string> {
  const index = new MiniSearch<SearchEntry & { text: string }>(SEARCH_OPTIONS);
  for (const page of pages) {
    const isLong = HEADINGS_ALONE.has(page.group);
    for (const { slug, depth, heading, text } of await sectionsOf(page, pages)) {
      index.add({
        id: depth === 1 ? page.route : `${page.route}#${slug}`,
        title: page.title,
        heading: depth === 1 ? '' : heading,
        excerpt: text.length > EXCERPT ? `${text.slice(0, EXCERPT).trimEnd()}…` : text,
        text: isLong ? '' : text,
      });
    }
  }
  return JSON.stringify(index);
}
