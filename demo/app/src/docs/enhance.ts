import { COPIED_MS, copyCode } from '../copy-code.js';
import { followTheme } from './follow-theme.js';
import { openSearch } from './search-dialog.js';

/**
 * Brings the documentation below `root` to life: the search, the copying of code, pictures in the page's theme, and the
 * menu, which closes once a page is chosen. `go` opens an address. Returns what ends it.
 */
export function enhanceDocs(root: HTMLElement, go: (address: string) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const search = () => openSearch(root, go);
  const unfollow = followTheme(root);

  root.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      const button = target.closest<HTMLButtonElement>('button[data-copy]');
      if (button) void copy(button);
      if (target.closest('[data-search]')) search();
      const menu = target.closest<HTMLElement>('#docs-nav:popover-open');
      if (menu && target.closest('a')) menu.hidePopover();
    },
    { signal },
  );
  document.addEventListener(
    'keydown',
    (event) => {
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isCtrlK = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if ((!isSlash && !isCtrlK) || isTyping(event.target)) return;
      event.preventDefault();
      search();
    },
    { signal },
  );
  return () => {
    unfollow();
    ended.abort();
  };
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, dialog[open], [contenteditable]') !== null;

async function copy(button: HTMLButtonElement): Promise<void> {
  button.textContent = (await copyCode(button.parentElement)) ? 'Copied' : 'Not copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
