import { adoptCss, PasskeyContextProvider, tokensCss } from 'latchkey-react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router';
import { walletConfig } from './env.js';
import { Home } from './home.js';
import { Shell } from './shell.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/bar.css';
import './styles/toasts.css';
import './styles/controls.css';
import './styles/welcome.css';
import './styles/login.css';
import './styles/account-field.css';
import './styles/waiting.css';
import './styles/link-view.css';
import './styles/wallet.css';

adoptCss(document, tokensCss);

const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [
      { path: '/', element: <Home /> },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]);

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app element');
createRoot(root).render(
  <StrictMode>
    <PasskeyContextProvider config={walletConfig}>
      <RouterProvider router={router} />
    </PasskeyContextProvider>
  </StrictMode>,
);
