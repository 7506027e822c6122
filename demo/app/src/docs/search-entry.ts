import type { Options } from 'minisearch';

/** A section of a page as the search shows it. */
export interface SearchEntry {
  /** Its address, such as `/docs/guides/passkeys#the-rpid`. */
  readonly id: string;
  /** Its page's. */
  readonly title: string;
  /** Empty for the beginning of a page. */
  readonly heading: string;
  readonly excerpt: string;
}

/** The index is built and loaded with the same options. */
export const SEARCH_OPTIONS: Options<SearchEntry & { text: string }> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'excerpt'],
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};
