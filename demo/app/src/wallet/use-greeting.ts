import { useEffect, useSyncExternalStore } from 'react';
import type { GreetingState, GreetingStore } from './greeting-store.js';

/** The greeting as the store knows it; fetched when the component that shows it appears. */
export function useGreeting(store: GreetingStore): GreetingState {
  useEffect(() => {
    void store.fetch();
  }, [store]);
  return useSyncExternalStore(store.subscribe, store.get);
}
