'use client';
import { usernameOf } from 'latchkey';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AccountInputState, emptyAccountInput, resolveAccountInput } from './account-input.js';
import { usePasskeyContext } from './context.js';

export interface AccountInput extends AccountInputState {
  setInputUsername: (typed: string) => void;
  /** The account last used on this device, '' if none. Undefined until read. */
  lastUsedAccountId: string | undefined;
  /** The user name of that account. */
  lastUsedUsername: string;
  /** Reads the known accounts and the passkey again, after a registration or a login. */
  refresh: () => Promise<void>;
}

/** The state of an account field: which account a typed name means, and whether this device has its passkey. */
export function useAccountInput(): AccountInput {
  const { passkeyManager, ready } = usePasskeyContext();
  const contractId = passkeyManager.config.contractId;
  const [state, setState] = useState<AccountInputState>(emptyAccountInput);
  const [lastUsedAccountId, setLastUsedAccountId] = useState<string>();
  const known = useRef<readonly string[]>([]);
  const newest = useRef(0);
  const newestTyped = useRef('');

  const setInputUsername = useCallback(
    (typed: string) => {
      newestTyped.current = typed;
      const resolved = resolveAccountInput(typed, known.current, contractId);
      const request = ++newest.current;
      const { targetAccountId } = resolved;
      // Until the lookup answers, an unchanged target keeps its `accountExists`.
      setState((before) => ({
        ...resolved,
        accountExists: before.targetAccountId === targetAccountId && before.accountExists,
      }));
      if (targetAccountId === '') return;
      passkeyManager.hasPasskeyCredential(targetAccountId).then(
        (accountExists) => {
          if (request === newest.current) setState({ ...resolved, accountExists });
        },
        // A malformed id has no passkey; the flow itself reports the error.
        () => undefined,
      );
    },
    [passkeyManager, contractId],
  );

  const refresh = useCallback(async () => {
    const recent = await passkeyManager.getRecentLogins();
    known.current = recent.accountIds;
    setLastUsedAccountId(recent.lastUsedAccountId?.nearAccountId ?? '');
    // Not the rendered text: a newer one may wait for its render.
    setInputUsername(newestTyped.current);
  }, [passkeyManager, setInputUsername]);

  // Runs at mount and again when `ready` changes: the start may have committed an account.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ready` triggers the second read
  useEffect(() => {
    refresh().catch(() => setLastUsedAccountId(''));
  }, [ready, refresh]);

  return {
    ...state,
    setInputUsername,
    lastUsedAccountId,
    lastUsedUsername: usernameOf(lastUsedAccountId ?? ''),
    refresh,
  };
}
