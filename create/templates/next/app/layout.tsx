import { PasskeyContextProvider } from 'latchkey-react';
import type { ReactNode } from 'react';

/** The variables of .env, which Next writes into the page. */
const env = {
  NEXT_PUBLIC_RELAY_URL: process.env.NEXT_PUBLIC_RELAY_URL ?? '',
  NEXT_PUBLIC_WALLET_ORIGIN: process.env.NEXT_PUBLIC_WALLET_ORIGIN ?? '',
  NEXT_PUBLIC_NEAR_RPC_URL: process.env.NEXT_PUBLIC_NEAR_RPC_URL ?? '',
  NEXT_PUBLIC_CONTRACT_ID: process.env.NEXT_PUBLIC_CONTRACT_ID ?? '',
};
const missing = Object.entries(env).flatMap(([name, value]) => (value ? [] : [name]));
const config = {
  relayer: { url: env.NEXT_PUBLIC_RELAY_URL },
  rpcUrl: env.NEXT_PUBLIC_NEAR_RPC_URL.split(','),
  contractId: env.NEXT_PUBLIC_CONTRACT_ID,
  iframeWallet: { walletOrigin: env.NEXT_PUBLIC_WALLET_ORIGIN },
};

export const metadata = { title: 'An app with a Latchkey wallet' };

/** A server component: it hands the provider plain data, and the wallet starts in the browser. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {missing.length > 0 ? (
          <p role="alert">{missing.join(', ')}: not set. Copy .env.example to .env, then start again.</p>
        ) : (
          <PasskeyContextProvider config={config}>{children}</PasskeyContextProvider>
        )}
      </body>
    </html>
  );
}
