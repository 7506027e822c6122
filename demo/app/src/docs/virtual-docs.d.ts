/** The documentation's pages, which vite/docs/plugin.ts draws. */
declare module 'virtual:docs' {
  import type { ComponentType } from 'react';

  interface DocsHeading {
    /** Its name in addresses. */
    readonly slug: string;
    /** 1 for the page's title. */
    readonly depth: number;
    readonly heading: string;
  }

  interface DocsEntry {
    /** Such as `/docs/guides/passkeys`. */
    readonly route: string;
    readonly title: string;
    /** Its group in the sidebar; null for the overview. */
    readonly group: string | null;
    readonly load: () => Promise<{
      readonly default: ComponentType;
      readonly headings: readonly DocsHeading[];
    }>;
  }

  /** In reading order. */
  export const pages: readonly DocsEntry[];
}

/** The index of the search, as JSON. */
declare module 'virtual:docs-search' {
  const index: string;
  export default index;
}
