import { adoptCss, tokensCss } from '../tokens.js';

/** The page's brand: one sheet that every surface adopts, so that it changes live. */
let brandSheet: CSSStyleSheet | undefined;

function sheetOfBrand(): CSSStyleSheet {
  brandSheet ??= new CSSStyleSheet();
  return brandSheet;
}

let painted = '';
const followers = new Set<() => void>();

/** The CSS text of the page's brand; empty without one. */
export const brandText = (): string => painted;

/** Calls `changed` after each change of the brand. Returns an undo. */
export function followBrand(changed: () => void): () => void {
  followers.add(changed);
  return () => followers.delete(changed);
}

/** Gives every surface of this page a brand's CSS text; an empty one takes it back. */
export function paintBrand(css: string): void {
  painted = css;
  sheetOfBrand().replaceSync(css);
  for (const changed of followers) changed();
}

/** Adopts the design tokens, the page's brand and these texts. Returns an undo. */
export function adoptDesign(root: Document | ShadowRoot, ...texts: string[]): () => void {
  const undo = adoptCss(root, tokensCss, ...texts);
  const brand = sheetOfBrand();
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, brand];
  return () => {
    undo();
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== brand);
  };
}
