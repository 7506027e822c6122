'use client';
import type { AccountBalance } from 'latchkey/balance';
import { useCallback } from 'react';
import { usePasskeyContext } from './context.js';
import { type Read, useRead } from './use-read.js';

/** What an account (null: none) has on the chain, in yoctoNEAR. Null as a value: there is no such account. */
export function useBalance(accountId: string | null): Read<AccountBalance | null> {
  const { config } = usePasskeyContext().passkeyManager;
  const read = useCallback(async () => {
    const { readBalance } = await import('latchkey/balance');
    return readBalance(config, accountId ?? '');
  }, [config, accountId]);
  return useRead(accountId === null ? null : read);
}
