import { useEffect, useState } from 'react';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

const windowSize = (): WindowSize => ({ width: innerWidth, height: innerHeight });

/** The size of this page's window, also after a change. */
export function useWindowSize(): WindowSize {
  const [size, setSize] = useState(windowSize);
  useEffect(() => {
    const look = () => setSize(windowSize());
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  return size;
}
