// The documentation for language models (https://llmstxt.org): a list of the pages, and all of them in one text.
import { sourceOf } from './outline.js';
import type { Page } from './pages.js';

const SUMMARY =
  '# Latchkey\n\n> A passkey wallet for NEAR accounts, as a software kit: npm packages `latchkey` and `latchkey-react`.\n';

/** The address of a page's source on the site. */
export const sourceRoute = ({ route }: Page): string => `${route === '/docs' ? '/docs/index' : route}.md`;

/** `llms.txt`: each page with its link and its first sentence. */
export function llmsTxt(pages: readonly Page[]): string {
  const parts = [...new Set(pages.map(({ group }) => group))].map((group) => {
    const rows = pages
      .filter((page) => page.group === group)
      .map((page) => `- [${page.title}](${sourceRoute(page)}): ${summaryOf(page)}`);
    return `## ${group ?? 'Overview'}\n\n${rows.join('\n')}\n`;
  });
  return [SUMMARY, ...parts].join('\n');
}

/** `llms-full.txt`: every page for integrators, one after the other. */
export function llmsFullTxt(pages: readonly Page[]): string {
  const texts = pages
    .filter(({ group }) => group !== 'For maintainers')
    .map((page) => `<!-- ${page.route} -->\n${sourceOf(page).trim()}\n`);
  return [SUMMARY, ...texts].join('\n');
}

/** The first sentence below the first heading. */
function summaryOf(page: Page): string {
  const [, paragraph = ''] = /^# .*\n+((?!```|#|\|)\S[\s\S]*?)(?:\n\n|$)/m.exec(sourceOf(page)) ?? [];
  const text = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
