import { type DocsEntry, type DocsHeading, pages } from 'virtual:docs';
import type { ReactNode } from 'react';

/** The group that stands apart at the end of the sidebar. */
const APART = 'For maintainers';

/** The reading order without the pages that stand apart. */
const READING = pages.filter(({ group }) => group !== APART);

/** A page of the documentation with its sidebar and its links. Plain HTML: `enhanceDocs` adds search and copying. */
export function DocsLayout(props: {
  entry: DocsEntry;
  headings: readonly DocsHeading[];
  children: ReactNode;
}) {
  const { entry, headings, children } = props;
  // The last section is the way on, which is also at the end of the page.
  const inPage = headings.filter(({ depth, slug }) => depth === 2 && slug !== 'next');
  return (
    <div className="docs" lang="en">
      <div className="docs-side">
        <div className="docs-tools">
          <button type="button" className="docs-menu" popoverTarget="docs-nav">
            Pages
          </button>
          <button type="button" className="docs-search" data-search aria-haspopup="dialog">
            Search <kbd>/</kbd>
          </button>
        </div>
        <nav id="docs-nav" aria-label="Documentation" popover="auto">
          <Sidebar route={entry.route} />
        </nav>
      </div>
      <article>
        {inPage.length > 1 && (
          <details className="docs-contents-narrow">
            <summary>On this page</summary>
            <Contents headings={inPage} />
          </details>
        )}
        {children}
        <Neighbours route={entry.route} />
      </article>
      {inPage.length > 1 && (
        <nav className="docs-contents" aria-label="On this page">
          <p>On this page</p>
          <Contents headings={inPage} />
        </nav>
      )}
    </div>
  );
}

function Sidebar({ route }: { route: string }) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const isApart = pages.some((page) => page.route === route && page.group === APART);
  return groups.map((group) => {
    const members = pages.filter((page) => page.group === group);
    const list = (
      <ul className="docs-list">
        {members.map((page) => (
          <li key={page.route}>
            <a href={page.route} aria-current={page.route === route ? 'page' : undefined}>
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    );
    if (group === null) return <div key="">{list}</div>;
    if (group === APART)
      return (
        <details key={group} open={isApart}>
          <summary>{group}</summary>
          {list}
        </details>
      );
    return (
      <section key={group} aria-label={group}>
        <h2>{group}</h2>
        {list}
      </section>
    );
  });
}

function Contents({ headings }: { headings: readonly DocsHeading[] }) {
  return (
    <ul className="docs-list">
      {headings.map(({ slug, heading }) => (
        <li key={slug}>
          <a href={`#${slug}`}>{heading}</a>
        </li>
      ))}
    </ul>
  );
}

/** The pages before and after this one. */
function Neighbours({ route }: { route: string }) {
  const place = READING.findIndex((page) => page.route === route);
  if (place < 0) return null;
  const [before, after] = [READING[place - 1], READING[place + 1]];
  return (
    <nav className="docs-neighbours" aria-label="Previous and next page">
      {before && (
        <a href={before.route} rel="prev">
          <span>Previous</span> {before.title}
        </a>
      )}
      {after && (
        <a href={after.route} rel="next">
          <span>Next</span> {after.title}
        </a>
      )}
    </nav>
  );
}
