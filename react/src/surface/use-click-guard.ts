import { type ClickGuard, guardClicks } from 'latchkey/internal';
import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react';

export interface GuardedClicks {
  /** Attach to the element that must be fully visible. */
  ref: RefCallback<HTMLElement>;
  /** True once clicks count. */
  isArmed: boolean;
  /** A press did not count, and none has been possible since. */
  isTooSoon: boolean;
  accepts: ClickGuard['accepts'];
}

/** Accepts only real clicks, once the question has been visible; each new `question` restarts that. */
export function useClickGuard(question: string): GuardedClicks {
  const guard = useRef<ClickGuard>(undefined);
  const asked = useRef(question);
  const [isArmed, setArmed] = useState(false);
  const [isTooSoon, setTooSoon] = useState(false);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    guard.current?.close();
    guard.current = element
      ? guardClicks(element, {
          onChange(next) {
            setArmed(next);
            if (next) setTooSoon(false);
          },
          onRefused: () => setTooSoon(true),
        })
      : undefined;
    if (!element) setArmed(false);
  }, []);
  useEffect(() => {
    if (asked.current !== question) guard.current?.restart();
    asked.current = question;
  }, [question]);
  return { ref, isArmed, isTooSoon, accepts: (click) => guard.current?.accepts(click) ?? false };
}
