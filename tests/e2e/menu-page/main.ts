// The login menu with nothing around it: no router, no toaster, no style sheet.
import { sameOriginWallet } from 'latchkey/same-origin';
import { LoginMenu, PasskeyCheck, PasskeyContextProvider, SendForm, usePasskeyContext } from 'latchkey-react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const env = import.meta.env as Readonly<Record<string, string>>;
const config = {
  rpcUrl: env.VITE_NEAR_RPC_URL ?? '',
  contractId: env.VITE_CONTRACT_ID ?? '',
  relayer: { url: env.VITE_RELAY_URL ?? '' },
  ...(env.VITE_WALLET_ORIGIN && { iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN } }),
};

/** The page of an operator who offers accounts without a name. */
const query = new URLSearchParams(location.search);
const namelessAccounts = query.has('nameless');
const passkeyLogin = query.has('one-touch');

function Page() {
  const { loginState } = usePasskeyContext();
  if (!loginState.isLoggedIn)
    return createElement(LoginMenu, { registerButton: true, namelessAccounts, passkeyLogin });
  return createElement(
    'main',
    null,
    createElement('h1', null, loginState.nearAccountId),
    namelessAccounts && createElement(PasskeyCheck),
    namelessAccounts && createElement(SendForm),
  );
}

const root = document.createElement('div');
root.style.cssText = 'width: 400px; margin: 40px';
document.body.append(root);
createRoot(root).render(
  createElement(PasskeyContextProvider, { config, wallet: sameOriginWallet }, createElement(Page)),
);
