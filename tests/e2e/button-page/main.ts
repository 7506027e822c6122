// A page that logs a user in and pays by the embedded transaction button, without a style sheet.
import { sameOriginWallet } from 'latchkey/same-origin';
import { LoginMenu, PasskeyContextProvider, TransactionButton, usePasskeyContext } from 'latchkey-react';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';

const env = import.meta.env as Readonly<Record<string, string>>;
const config = {
  rpcUrl: env.VITE_NEAR_RPC_URL ?? '',
  contractId: env.VITE_CONTRACT_ID ?? '',
  relayer: { url: env.VITE_RELAY_URL ?? '' },
  confirmationConfig: { behavior: 'requireClick' as const },
  ...(env.VITE_WALLET_ORIGIN && { iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN } }),
};
const pay = (receiverId: string, amount: string) => ({
  receiverId,
  actions: [{ type: 'Transfer' as const, amount }],
});
const receiver = new URLSearchParams(location.search).get('to') ?? '';
const transactions = [pay(receiver, '100000000000000000000'), pay(receiver, '200000000000000000000')];

function Page() {
  const { loginState } = usePasskeyContext();
  const [end, setEnd] = useState('');
  if (!loginState.isLoggedIn) return createElement(LoginMenu);
  return createElement(
    'div',
    { style: { padding: '360px 0 0 300px' } },
    createElement('h1', null, loginState.nearAccountId),
    createElement(TransactionButton, {
      transactions,
      sdkBasePath: '/button/sdk',
      onSuccess: (results) => setEnd(`Paid ${results.length}`),
      onCancel: (error) => setEnd(error.message),
      onError: (error) => setEnd(error.message),
    }),
    createElement('output', null, end),
  );
}

const root = document.createElement('div');
root.style.cssText = 'width: 600px';
document.body.append(root);
createRoot(root).render(
  createElement(PasskeyContextProvider, { config, wallet: sameOriginWallet }, createElement(Page)),
);
