import '../styles/base.css';
import '../styles/shell.css';
import '../styles/bar.css';
import '../styles/controls.css';
import '../styles/code.css';
import '../styles/docs.css';
import '../styles/docs-text.css';
import '../styles/docs-search.css';
import { enhanceDocs } from './enhance.js';

const root = document.querySelector<HTMLElement>('main');
if (root) enhanceDocs(root, (address) => location.assign(address));

document.querySelector('[data-theme-button]')?.addEventListener('click', () => {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const isDark =
    colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const theme = isDark ? 'light' : 'dark';
  document.documentElement.dataset.latchkeyTheme = theme;
  localStorage.setItem('w3a_theme', theme);
});
