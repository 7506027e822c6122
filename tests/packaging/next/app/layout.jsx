import { PasskeyContextProvider } from 'latchkey-react';

const config = { relayer: { url: 'http://localhost:9' }, rpcUrl: 'http://localhost:9', logLevel: 'silent' };

/** A server component: it hands the provider to the browser. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <PasskeyContextProvider config={config}>{children}</PasskeyContextProvider>
      </body>
    </html>
  );
}
