/** The documentation's pages, which vite/docs.ts renders. */
declare module 'virtual:docs' {
  export const pages: readonly {
    /** Such as `/docs/react`. */
    readonly route: string;
    readonly title: string;
    readonly load: () => Promise<{ readonly html: string }>;
  }[];
}
