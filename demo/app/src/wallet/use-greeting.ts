import { useEffect, useSyncExternalStore } from 'react';
import type { GreetingState, GreetingStore } from './greeting-store.js';

/** The store's greeting, fetched when the component mounts. */
export function useGreeting(store: GreetingStore): GreetingState {
  useEffect(() => {
    void store.fetch();
  }, [store]);
  return useSyncExternalStore(store.subscribe, store.get);
}
