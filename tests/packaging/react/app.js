// The app that a server renders and a browser hydrates. Also a Node module, so it has no JSX.
import { sameOriginWallet } from 'latchkey/same-origin';
import { LoginMenu, PasskeyContextProvider, ProfileButton, usePasskeyContext } from 'latchkey-react';
import { createElement, StrictMode, useEffect } from 'react';

const config = {
  relayer: { url: 'http://localhost:9' },
  rpcUrl: 'http://localhost:9',
  logLevel: 'silent',
};

function Ready({ onReady }) {
  const { ready, theme } = usePasskeyContext();
  useEffect(() => {
    if (ready) onReady?.(theme);
  }, [ready, theme, onReady]);
  return createElement('p', null, `theme: ${theme}`);
}

export const App = ({ onReady }) =>
  createElement(
    StrictMode,
    null,
    createElement(
      PasskeyContextProvider,
      { config, wallet: sameOriginWallet },
      createElement(ProfileButton),
      createElement(LoginMenu),
      createElement(Ready, { onReady }),
    ),
  );
