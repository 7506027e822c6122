import { PasskeyContextProvider } from 'latchkey-react';
import type { ReactNode } from 'react';

/** A variable of .env, which Next writes into the page. */
function set(name: string, value: string | undefined): string {
  if (!value) throw new Error(`${name} is not set. Copy .env.example to .env.`);
  return value;
}

const config = {
  relayer: { url: set('NEXT_PUBLIC_RELAY_URL', process.env.NEXT_PUBLIC_RELAY_URL) },
  rpcUrl: set('NEXT_PUBLIC_NEAR_RPC_URL', process.env.NEXT_PUBLIC_NEAR_RPC_URL).split(','),
  contractId: set('NEXT_PUBLIC_CONTRACT_ID', process.env.NEXT_PUBLIC_CONTRACT_ID),
  iframeWallet: { walletOrigin: set('NEXT_PUBLIC_WALLET_ORIGIN', process.env.NEXT_PUBLIC_WALLET_ORIGIN) },
};

export const metadata = { title: 'An app with a Latchkey wallet' };

/** A server component: it hands the provider plain data, and the wallet starts in the browser. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <PasskeyContextProvider config={config}>{children}</PasskeyContextProvider>
      </body>
    </html>
  );
}
