import { type ClickGuard, guardClicks } from 'latchkey/confirm-guard';
import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react';

export interface GuardedClicks {
  /** For the element that the person must see whole. */
  ref: RefCallback<HTMLElement>;
  /** Clicks count by now. */
  isArmed: boolean;
  accepts: ClickGuard['accepts'];
}

/** Lets through a person's own clicks alone, once they have seen the question; each new one is seen anew. */
export function useClickGuard(question: number): GuardedClicks {
  const guard = useRef<ClickGuard>(undefined);
  const asked = useRef(question);
  const [isArmed, setArmed] = useState(false);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    guard.current = element ? guardClicks(element, { onChange: setArmed }) : undefined;
    return () => {
      guard.current?.close();
      guard.current = undefined;
      setArmed(false);
    };
  }, []);
  useEffect(() => {
    if (asked.current !== question) guard.current?.restart();
    asked.current = question;
  }, [question]);
  return { ref, isArmed, accepts: (click) => guard.current?.accepts(click) ?? false };
}
