import index from 'virtual:docs-search';
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './search-entry.js';

const search = MiniSearch.loadJSON(index, SEARCH_OPTIONS);

/** The sections that fit these words, the best first. */
export function find(query: string): SearchEntry[] {
  return search.search(query).map(({ id, title, heading, excerpt }) => ({ id, title, heading, excerpt }));
}
