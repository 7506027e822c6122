'use client';
import type { AccessKeyList } from 'latchkey';
import { useCallback } from 'react';
import { usePasskeyContext } from './context.js';
import { type Read, useRead } from './use-read.js';

/** The access keys of an account (null: none) as the chain has them. */
export function useAccessKeys(accountId: string | null): Read<AccessKeyList> {
  const { passkeyManager } = usePasskeyContext();
  const read = useCallback(
    () => passkeyManager.viewAccessKeyList(accountId ?? ''),
    [passkeyManager, accountId],
  );
  return useRead(accountId === null ? null : read);
}
