import type { ReactNode } from 'react';
import { appName, language } from '../settings';
import '../style.css';
import { Wallet } from '../wallet';

export const metadata = { title: appName, icons: { icon: '/icon.svg' } };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang={language}>
      <body>
        <Wallet>{children}</Wallet>
      </body>
    </html>
  );
}
