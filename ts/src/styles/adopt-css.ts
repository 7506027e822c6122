/**
 * Adopts CSS texts into a document or shadow root as constructed sheets, which a strict CSP allows. Returns an undo.
 *
 * WebKit lets shadow trees with equal sheets share what it computed for one of them, and a resize updates only the trees
 * that are in the document then (WebCore, `Style::Scope::didChangeViewportSize`). A tree that opens after the resize would
 * get the media queries and viewport units of the former size, so each root gets a rule that no other has.
 */
export function adoptCss(root: Document | ShadowRoot, ...texts: string[]): () => void {
  const unshared = `.own-${Math.random().toString(36).slice(2)} { order: 0; }`;
  const sheets = [...texts, unshared].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}
