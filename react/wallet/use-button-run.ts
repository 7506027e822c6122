import { useEffect, useState } from 'react';

interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export interface ButtonRun {
  /** The size of this page's window, which is the button's. */
  readonly size: WindowSize;
  readonly isRunning: boolean;
  /** Whether a confirmation has enlarged the frame: the button would cover the whole page. */
  readonly isEnlarged: boolean;
  /** Runs what a click starts. The wallet reports its error to the host; the button works again. */
  run(task: () => Promise<unknown>): Promise<void>;
}

const windowSize = (): WindowSize => ({ width: innerWidth, height: innerHeight });

/** What the wallet's own buttons have in common: each fills its window, and runs one flow at a time. */
export function useButtonRun(): ButtonRun {
  const [size, setSize] = useState(windowSize);
  const [startedAt, setStartedAt] = useState<WindowSize>();
  useEffect(() => {
    const look = () => setSize(windowSize());
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  return {
    size,
    isRunning: startedAt !== undefined,
    isEnlarged:
      startedAt !== undefined && (startedAt.width !== size.width || startedAt.height !== size.height),
    async run(task) {
      setStartedAt(size);
      await task().catch(() => undefined);
      setStartedAt(undefined);
    },
  };
}
