import type { PasskeyManager, ResumeResult } from 'latchkey';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  isOpen,
  NOTHING_KEPT,
  withAnswer,
  withoutSettled,
  withoutSettledRegistrations,
  withPending,
} from './resumed.js';

const LOOK_UP_EVERY_MS = 5_000;

/** Follows what earlier visits and other tabs left behind: looks it up by itself until nothing is open. */
export function useResumed(manager: PasskeyManager) {
  const [kept, setKept] = useState(NOTHING_KEPT);
  const [isResuming, setResuming] = useState(false);
  const running = useRef<Promise<unknown>>(undefined);
  const { result: resumed } = kept;

  const hearResumed = useCallback(
    (answer: ResumeResult) => setKept((before) => withAnswer(before, answer)),
    [],
  );

  /** One look-up at a time. A call during another one looks again: the first may have begun before what it is about. */
  const resume = useCallback((): Promise<ResumeResult> => {
    const look = async (): Promise<ResumeResult> => {
      setResuming(true);
      const answer = await manager.resume();
      hearResumed(answer);
      return answer;
    };
    const looking = (running.current ?? Promise.resolve()).then(look, look).finally(() => {
      if (running.current !== looking) return;
      running.current = undefined;
      setResuming(false);
    });
    running.current = looking;
    return looking;
  }, [manager, hearResumed]);

  const open = isOpen(resumed);
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => {
      // With a slow chain they would pile up.
      if (running.current) return;
      resume().catch((error: unknown) => {
        manager.config.logger.warn('What an earlier visit left open could not be looked up', error);
      });
    }, LOOK_UP_EVERY_MS);
    return () => clearInterval(timer);
  }, [open, resume, manager]);

  return useMemo(
    () => ({
      resumed,
      isResuming,
      resume,
      hearResumed,
      hearPending: (accountId: string) => setKept((before) => withPending(before, accountId)),
      markSeen: () => setKept(withoutSettled),
      forgetSettled: () => setKept(withoutSettledRegistrations),
    }),
    [resumed, isResuming, resume, hearResumed],
  );
}
