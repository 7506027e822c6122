import { type DocsEntry, type DocsHeading, pages } from 'virtual:docs';
import { ExternalIcon, Mark, MoonIcon } from 'latchkey-react/icons';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { DocsLayout } from './layout.js';
import type { DrawPages, StaticAssets } from './static-assets.js';

export const drawPages: DrawPages = async (assets) => {
  const drawn = new Map<string, string>();
  for (const entry of pages) {
    const { default: Content, headings } = await entry.load();
    const page = <StaticPage {...{ entry, headings, assets, Content }} />;
    drawn.set(entry.route, `<!doctype html>${renderToStaticMarkup(page)}`);
  }
  return drawn;
};

function StaticPage(props: {
  entry: DocsEntry;
  headings: readonly DocsHeading[];
  assets: StaticAssets;
  Content: ComponentType;
}) {
  const { entry, headings, assets, Content } = props;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        <title>{`${entry.title} · Latchkey`}</title>
        {assets.styles.map((address) => (
          <link key={address} rel="stylesheet" href={address} />
        ))}
        <script src={assets.theme} />
        <script type="module" src={assets.script} />
      </head>
      <body>
        <div className="shell">
          <a className="skip" href="#content">
            Skip to content
          </a>
          <header className="bar">
            <a href="/docs" className="brand" aria-label="Latchkey, documentation">
              <Mark />
              <span className="word">Latchkey</span>
            </a>
            <div className="bar-end">
              <a className="docs-wide" href="/llms.txt">
                llms.txt <ExternalIcon />
              </a>
              <button type="button" className="icon-button wordy needs-script" data-theme-button>
                <MoonIcon />
                <span className="label">Theme</span>
              </button>
            </div>
          </header>
          <main id="content" tabIndex={-1}>
            <DocsLayout entry={entry} headings={headings}>
              <Content />
            </DocsLayout>
          </main>
        </div>
      </body>
    </html>
  );
}
