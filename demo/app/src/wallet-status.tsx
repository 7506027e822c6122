import { usePasskeyContext } from 'latchkey-react';
import { useEffect, useState } from 'react';
import { texts } from './texts/texts.js';
import { useOnline } from './use-online.js';

const words = texts.status;

/**
 * Shows the connection to the wallet's frame, and that the device is offline. Hidden without a frame while it is online, and on
 * touch devices (by the style sheet).
 */
export function WalletStatus() {
  const { passkeyManager, ready, startError, loginState } = usePasskeyContext();
  const isFramed = passkeyManager.config.iframeWallet !== null;
  const isOnline = useOnline();
  const [hasPort, setHasPort] = useState(false);
  const [accounts, setAccounts] = useState<number>();

  useEffect(() => {
    if (!isFramed) return;
    let current = true;
    passkeyManager.preload().then(
      () => current && setHasPort(true),
      // The page shows why the wallet could not start.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [passkeyManager, isFramed]);

  const isConnected = ready && !startError;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a login may add a known account
  useEffect(() => {
    if (!isFramed || !isConnected) return;
    let current = true;
    passkeyManager.getRecentLogins().then(
      ({ accountIds }) => current && setAccounts(accountIds.length),
      () => current && setAccounts(undefined),
    );
    return () => {
      current = false;
    };
  }, [passkeyManager, isFramed, isConnected, loginState.nearAccountId]);

  if (isOnline && (!isFramed || startError)) return null;
  return (
    <p className="wallet-status" role="status" aria-label={words.label}>
      <span className="dot" data-on={(isOnline && isConnected) || undefined} aria-hidden="true" />
      {isOnline ? state() : words.offline}
    </p>
  );

  function state(): string {
    if (!isConnected) return hasPort ? words.connecting : words.waiting;
    return accounts === undefined ? words.connected : words.accounts(accounts);
  }
}
