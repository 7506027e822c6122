import type { ActivityEntry } from 'latchkey/internal/wallet';
import { useCallback, useEffect, useState } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { type Read, useRead } from '../../src/use-read.js';
import { useHome } from './context.js';

/** What the account sent: as stored first, then with what the chain tells of what was open. */
export function useActivity(accountId: string): Read<readonly ActivityEntry[]> {
  const home = useHome();
  const { resumed } = usePasskeyContext();
  const stored = useRead(useCallback(() => home.activity(accountId), [home, accountId]));
  const [looked, setLooked] = useState<{ of: string; entries: readonly ActivityEntry[] }>();
  // Another look at what was open may have settled some of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each such look
  useEffect(() => {
    let current = true;
    home.lookUpActivity(accountId).then(
      (entries) => {
        if (current) setLooked({ of: accountId, entries });
      },
      // The stored entries show, or why they could not be read.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [home, accountId, resumed]);
  return looked?.of === accountId ? { ...stored, value: looked.entries } : stored;
}
