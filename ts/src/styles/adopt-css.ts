/** Adopts CSS texts into a document or shadow root as constructed sheets, which a strict CSP allows. Returns an undo. */
export function adoptCss(root: Document | ShadowRoot, ...texts: string[]): () => void {
  const sheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}
