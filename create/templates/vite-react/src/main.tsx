import { PasskeyContextProvider } from 'latchkey-react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

const env = import.meta.env;
const config = {
  relayer: { url: env.VITE_RELAY_URL },
  rpcUrl: env.VITE_NEAR_RPC_URL.split(','),
  contractId: env.VITE_CONTRACT_ID,
  iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN },
};

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
createRoot(root).render(
  <PasskeyContextProvider config={config}>
    <App />
  </PasskeyContextProvider>,
);
