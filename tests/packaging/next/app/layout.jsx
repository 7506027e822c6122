import { Wallet } from './wallet';

const config = { relayer: { url: 'http://localhost:9' }, rpcUrl: 'http://localhost:9', logLevel: 'silent' };

/** A server component: it hands plain data to the browser. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <Wallet config={config}>{children}</Wallet>
      </body>
    </html>
  );
}
