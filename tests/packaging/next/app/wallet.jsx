'use client';
import { sameOriginWallet } from 'latchkey/same-origin';
import { PasskeyContextProvider } from 'latchkey-react';

/** A client component: a server component cannot hand over the wallet, which is code. */
export function Wallet({ config, children }) {
  return (
    <PasskeyContextProvider config={config} wallet={sameOriginWallet}>
      {children}
    </PasskeyContextProvider>
  );
}
