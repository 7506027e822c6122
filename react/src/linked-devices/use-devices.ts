import type { LinkedDevices, PasskeyManager } from 'latchkey';
import { useCallback, useEffect, useState } from 'react';

export interface Devices {
  list: LinkedDevices | undefined;
  /** Why the list could not be read. */
  error: string | undefined;
  /** The key being removed. */
  removing: string | undefined;
  /** Why the last removal failed. */
  removalError: string | undefined;
  load: () => Promise<void>;
  remove: (publicKey: string) => Promise<void>;
}

/** Reads the account's devices and keys when the view opens, and removes one. */
export function useDevices(passkeyManager: PasskeyManager, accountId: string): Devices {
  const [list, setList] = useState<LinkedDevices>();
  const [error, setError] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  const [removalError, setRemovalError] = useState<string>();

  const load = useCallback(async () => {
    setError(undefined);
    try {
      setList(await passkeyManager.getLinkedDevices(accountId));
    } catch (thrown) {
      setList(undefined);
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }, [passkeyManager, accountId]);
  useEffect(() => void load(), [load]);

  async function remove(publicKey: string) {
    if (removing !== undefined) return;
    setRemoving(publicKey);
    setRemovalError(undefined);
    try {
      const result = await passkeyManager.deleteDeviceKey(accountId, publicKey, {});
      if (!result.success) setRemovalError(result.error);
    } catch (thrown) {
      setRemovalError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    await load();
    setRemoving(undefined);
  }

  return { list, error, removing, removalError, load, remove };
}
