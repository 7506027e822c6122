import { type DocsEntry, type DocsHeading, pages } from 'virtual:docs';
import { type ComponentType, type MouseEvent, useEffect, useRef } from 'react';
import { type LoaderFunctionArgs, replace, useLoaderData, useNavigate } from 'react-router';
import { useTitle } from '../use-title.js';
import { enhanceDocs } from './enhance.js';
import { DocsLayout } from './layout.js';

interface LoadedPage {
  readonly entry: DocsEntry;
  readonly headings: readonly DocsHeading[];
  readonly Content: ComponentType;
}

/** Loads the page of a route; an unknown one leads to the overview. */
export async function loader({ request }: LoaderFunctionArgs): Promise<LoadedPage> {
  const route = new URL(request.url).pathname.replace(/\/$/, '');
  const entry = pages.find((candidate) => candidate.route === route);
  if (!entry) throw replace('/docs');
  const { default: Content, headings } = await entry.load();
  return { entry, headings, Content };
}

/** A page of the documentation, with what is around it. */
export function Component() {
  const { entry, headings, Content } = useLoaderData<LoadedPage>();
  const navigate = useNavigate();
  const root = useRef<HTMLDivElement>(null);
  useTitle(entry.title);

  // An address of a section was opened: the page was not there yet when the router looked for it.
  useEffect(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView(), []);

  useEffect(() => {
    if (root.current) return enhanceDocs(root.current, (address) => void navigate(address));
  }, [navigate]);

  /** Opens links to other pages without loading the app again. */
  function follow(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.origin !== location.origin) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!/^\/docs(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    void navigate(`${link.pathname}${link.hash}`);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it take the keyboard, and their presses arrive as clicks
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div ref={root} onClick={follow}>
      <DocsLayout entry={entry} headings={headings}>
        <Content />
      </DocsLayout>
    </div>
  );
}
