import { sameOriginWallet } from 'latchkey/same-origin';
import { adoptCss, PasskeyContextProvider, tokensCss } from 'latchkey-react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router';
import { DocsFailed } from './docs/docs-failed.js';
import { walletConfig } from './env.js';
import { Home } from './home.js';
import { MultiTx } from './multitx.js';
import { Shell } from './shell.js';
import { isGerman } from './texts/texts.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/bar.css';
import './styles/toasts.css';
import './styles/controls.css';
import './styles/home.css';
import './styles/wallet.css';
import './styles/code.css';
import './styles/docs.css';
import './styles/docs-text.css';
import './styles/docs-search.css';

adoptCss(document, tokensCss);

const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      { path: '/', element: <Home /> },
      { path: '/multitx', element: <MultiTx /> },
      {
        path: '/docs/*',
        lazy: () => import('./docs/docs-page.js'),
        hydrateFallbackElement: <p className="muted">Loading…</p>,
        errorElement: <DocsFailed />,
      },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]);

/**
 * The kit's texts in the page's language; in English where they cannot be loaded. Their file imports from this one, so that a wait
 * for it outside of a function would never end.
 */
const kitTexts = isGerman
  ? import('latchkey-react/german').then(
      ({ german }) => german,
      () => undefined,
    )
  : undefined;

async function draw(): Promise<void> {
  const root = document.getElementById('app');
  if (!root) throw new Error('index.html has no #app element');
  if (isGerman) document.documentElement.lang = 'de';
  createRoot(root).render(
    <StrictMode>
      <PasskeyContextProvider config={walletConfig} wallet={sameOriginWallet} texts={await kitTexts}>
        <RouterProvider router={router} />
      </PasskeyContextProvider>
    </StrictMode>,
  );
}

void draw();
