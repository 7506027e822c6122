/** The addresses of the files that each static page loads. */
export interface StaticAssets {
  readonly styles: readonly string[];
  readonly icon: string;
  /** Sets the stored theme before the page is drawn. */
  readonly theme: string;
  /** Adds search, copying and the theme's button. */
  readonly script: string;
}

/** Draws every page: the HTML by route. */
export type DrawPages = (assets: StaticAssets) => Promise<Map<string, string>>;
