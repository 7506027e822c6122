import { pages } from 'virtual:docs';
import type { MouseEvent } from 'react';
import { type LoaderFunctionArgs, NavLink, replace, useLoaderData, useNavigate } from 'react-router';
import { useTitle } from '../use-title.js';

interface DocsPage {
  readonly title: string;
  readonly html: string;
}

/** Loads the page of a route; an unknown one leads to the overview. */
export async function loader({ request }: LoaderFunctionArgs): Promise<DocsPage> {
  const route = new URL(request.url).pathname.replace(/\/$/, '');
  const page = pages.find((candidate) => candidate.route === route);
  if (!page) throw replace('/docs');
  const { html } = await page.load();
  return { title: page.title, html };
}

/** A page of the documentation, and the list of all of them. */
export function Component() {
  const { title, html } = useLoaderData<DocsPage>();
  const navigate = useNavigate();
  useTitle(title);

  /** Opens links to other pages without loading the app again. */
  function follow(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.origin !== location.origin) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(`${link.pathname}${link.hash}`);
  }

  return (
    <div className="docs">
      <nav aria-label="Documentation">
        <ul>
          {pages.map((page) => (
            <li key={page.route}>
              <NavLink to={page.route} end>
                {page.title}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links in it take the keyboard, and their presses arrive as clicks */}
      <article
        onClick={follow}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the build, which makes tags of the source text
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </div>
  );
}
