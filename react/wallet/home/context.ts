import type { Home } from 'latchkey/internal/wallet';
import { createContext, useContext } from 'react';

export const HomeContext = createContext<Home | null>(null);

/** The wallet of this page. */
export function useHome(): Home {
  const home = useContext(HomeContext);
  if (!home) throw new Error('useHome must be used within a HomeContext');
  return home;
}
