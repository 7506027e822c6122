'use client';
import type { AccountTokens, TokenSources } from 'latchkey/tokens';
import { useCallback } from 'react';
import { usePasskeyContext } from '../context.js';
import { type Read, useRead } from '../use-read.js';

/**
 * The tokens of an account (null: none): those of the contracts that are named, and those that an indexer names, where the app
 * names one. It reads again when another contract is named.
 */
export function useTokens(
  accountId: string | null,
  { contractIds, indexerUrl }: TokenSources,
): Read<AccountTokens> {
  const { config } = usePasskeyContext().passkeyManager;
  const named = contractIds.join();
  const read = useCallback(async () => {
    const { readTokens } = await import('latchkey/tokens');
    return readTokens(config, accountId ?? '', { contractIds: named.split(',').filter(Boolean), indexerUrl });
  }, [config, accountId, named, indexerUrl]);
  return useRead(accountId === null ? null : read);
}
