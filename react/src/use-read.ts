import { useCallback, useEffect, useRef, useState } from 'react';
import { asError } from './as-error.js';

/** A value that is read from the wallet or the chain. */
export interface Read<Value> {
  /** Undefined until it was read, and after a failure. Stays while it is read again. */
  value: Value | undefined;
  /** Why the last read failed. */
  error: Error | undefined;
  /** Whether it is being read. */
  isLoading: boolean;
  /** Reads it again; resolves when that has ended, well or not. */
  reload: () => Promise<void>;
}

/**
 * Reads when mounted, and again for another `read`, whose identity counts: keep it by useCallback. Null reads nothing. An
 * answer that a newer read overtook is dropped.
 */
export function useRead<Value>(read: (() => Promise<Value>) | null): Read<Value> {
  const [state, setState] = useState<Omit<Read<Value>, 'reload'> & { of: typeof read }>();
  const newest = useRef(0);

  const reload = useCallback(async () => {
    newest.current += 1;
    const mine = newest.current;
    if (!read) return;
    setState((before) => ({
      of: read,
      value: before?.of === read ? before.value : undefined,
      error: undefined,
      isLoading: true,
    }));
    const outcome = await read().then(
      (value) => ({ value, error: undefined }),
      (thrown: unknown) => ({ value: undefined, error: asError(thrown) }),
    );
    if (newest.current === mine) setState({ of: read, ...outcome, isLoading: false });
  }, [read]);

  useEffect(() => {
    void reload();
    return () => {
      newest.current += 1;
    };
  }, [reload]);

  // The state of another read says nothing about this one.
  if (state?.of === read && state) return { ...state, reload };
  return { value: undefined, error: undefined, isLoading: read !== null, reload };
}
