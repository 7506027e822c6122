import type { Home, HomeHooks } from 'latchkey/internal/wallet';
import { createContext, useContext } from 'react';
import { useRead } from '../../src/use-read.js';

export const HomeContext = createContext<Home | null>(null);

/** The wallet of this page. */
export function useHome(): Home {
  const home = useContext(HomeContext);
  if (!home) throw new Error('useHome must be used within a HomeContext');
  return home;
}

const NO_HOOKS: HomeHooks = {};

/** The operator's functions: none until their script has loaded. */
export const useHomeHooks = (): HomeHooks => useRead(useHome().hooks).value ?? NO_HOOKS;
