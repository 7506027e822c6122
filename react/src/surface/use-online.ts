import { useSyncExternalStore } from 'react';

const watch = (changed: () => void): (() => void) => {
  const ending = new AbortController();
  for (const event of ['online', 'offline']) addEventListener(event, changed, { signal: ending.signal });
  return () => ending.abort();
};

/** Whether the browser has a network. A server draws as if it had. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
