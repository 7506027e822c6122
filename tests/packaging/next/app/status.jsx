'use client';
import { usePasskeyContext } from 'latchkey-react';

/** Ready once the wallet has started in the browser. */
export function Status() {
  const { ready, loginState } = usePasskeyContext();
  return <output id="result">{ready ? `ready: logged in ${loginState.isLoggedIn}` : 'starting'}</output>;
}
