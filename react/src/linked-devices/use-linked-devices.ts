'use client';
import type { LinkedDevices } from 'latchkey';
import { useCallback, useState } from 'react';
import { asError, resultError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { useRead } from '../use-read.js';

export interface DeviceList {
  /** The devices and the other keys of the account; undefined until they were read, and after a failure. */
  list: LinkedDevices | undefined;
  /** Why the list could not be read. */
  error: Error | undefined;
  /** Whether the list is being read. */
  isLoading: boolean;
  /** The public key that is being removed. */
  removing: string | undefined;
  /** Why the last removal failed. */
  removalError: Error | undefined;
  /** Reads the list again. */
  reload: () => Promise<void>;
  /**
   * Removes a key, and the device that it belongs to; the wallet asks the user first. Resolves with whether it was removed, once the
   * list was read again. One at a time.
   */
  remove: (publicKey: string) => Promise<boolean>;
}

/** The devices and keys of an account (null: none), read when the component mounts. */
export function useLinkedDevices(accountId: string | null): DeviceList {
  const { passkeyManager } = usePasskeyContext();
  const [removing, setRemoving] = useState<string>();
  const [removalError, setRemovalError] = useState<Error>();

  const read = useCallback(
    () => passkeyManager.getLinkedDevices(accountId ?? ''),
    [passkeyManager, accountId],
  );
  const { value: list, error, isLoading, reload } = useRead(accountId === null ? null : read);

  async function remove(publicKey: string): Promise<boolean> {
    if (removing !== undefined || accountId === null) return false;
    let isRemoved = false;
    setRemoving(publicKey);
    setRemovalError(undefined);
    try {
      const result = await passkeyManager.deleteDeviceKey(accountId, publicKey, {});
      isRemoved = result.success;
      if (!result.success) setRemovalError(resultError(result));
    } catch (thrown) {
      setRemovalError(asError(thrown));
    }
    await reload();
    setRemoving(undefined);
    return isRemoved;
  }

  return { list, error, isLoading, removing, removalError, reload, remove };
}
