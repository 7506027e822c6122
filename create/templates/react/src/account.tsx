'use client';

import { LoginMenu, usePasskeyContext } from 'latchkey-react';
import type { ReactNode } from 'react';
import { Payment } from './payment';
import { texts } from './texts';

/** The login, and then the account: what is in `children`, and its payments. */
export function Account({
  children,
  onLogout,
}: {
  children?: ReactNode;
  /** Called before the wallet logs out. */
  onLogout?: () => Promise<void>;
}) {
  const { startError, startAgain, loginState, logout } = usePasskeyContext();
  const { isLoggedIn, nearAccountId } = loginState;
  if (startError)
    return (
      <main>
        <p role="alert">{startError.message}</p>
        <button type="button" onClick={startAgain}>
          {texts.tryAgain}
        </button>
      </main>
    );
  if (!isLoggedIn || !nearAccountId)
    return (
      <main>
        <LoginMenu />
      </main>
    );
  async function leave() {
    await onLogout?.();
    await logout();
  }
  return (
    <main>
      <h1>{texts.hello(nearAccountId)}</h1>
      {children}
      <Payment nearAccountId={nearAccountId} />
      <button type="button" onClick={() => void leave()}>
        {texts.logOut}
      </button>
    </main>
  );
}
