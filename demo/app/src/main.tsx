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
import './styles/base.css';
import './styles/shell.css';
import './styles/bar.css';
import './styles/toasts.css';
import './styles/controls.css';
import './styles/welcome.css';
import './styles/wallet.css';
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

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app element');
createRoot(root).render(
  <StrictMode>
    <PasskeyContextProvider config={walletConfig} wallet={sameOriginWallet}>
      <RouterProvider router={router} />
    </PasskeyContextProvider>
  </StrictMode>,
);
