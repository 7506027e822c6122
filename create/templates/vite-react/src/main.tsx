import { PasskeyContextProvider } from 'latchkey-react';
import { createRoot } from 'react-dom/client';
import { App } from './app';

const env = import.meta.env;
const names = ['VITE_RELAY_URL', 'VITE_WALLET_ORIGIN', 'VITE_NEAR_RPC_URL', 'VITE_CONTRACT_ID'] as const;
const missing = names.filter((name) => !env[name]);
const config = {
  relayer: { url: env.VITE_RELAY_URL },
  rpcUrl: env.VITE_NEAR_RPC_URL?.split(','),
  contractId: env.VITE_CONTRACT_ID,
  iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN },
};

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
createRoot(root).render(
  missing.length > 0 ? (
    <p role="alert">{missing.join(', ')}: not set. Copy .env.example to .env, then start again.</p>
  ) : (
    <PasskeyContextProvider config={config}>
      <App />
    </PasskeyContextProvider>
  ),
);
