const ROOT = document.documentElement;
const THEME = 'data-latchkey-theme';
const MEDIA = { dark: 'all', light: 'not all' } as const;

/**
 * Shows the pictures below `root` in the page's theme: a `picture` element alone knows the browser's, which the user may have
 * left. Pages that come later are followed too. Returns what ends it.
 */
export function followTheme(root: HTMLElement): () => void {
  const apply = (): void => {
    const theme = ROOT.getAttribute(THEME);
    const media = theme === 'dark' || theme === 'light' ? MEDIA[theme] : '(prefers-color-scheme: dark)';
    for (const source of root.querySelectorAll('source')) source.media = media;
  };
  const observer = new MutationObserver(apply);
  observer.observe(ROOT, { attributeFilter: [THEME] });
  observer.observe(root, { childList: true, subtree: true });
  apply();
  return () => observer.disconnect();
}
