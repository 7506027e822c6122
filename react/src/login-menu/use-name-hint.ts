import { useCallback, useEffect, useRef, useState } from 'react';
import type { Blocked } from './modes.js';

const HINT_MS = 2000;
/** How long the typing pauses before the name is judged. */
const JUDGED_AFTER_MS = 600;

/** A hint that disappears by itself. */
function useFlash() {
  const [hint, setHint] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flash = useCallback((text: string) => {
    clearTimeout(timer.current);
    setHint(text);
    timer.current = setTimeout(() => setHint(undefined), HINT_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { hint, flash };
}

/**
 * What the menu says about the typed name once the typing pauses: the hint for two seconds, the advice for as long as it
 * applies. `judge` says it now.
 */
export function useNameHint(typed: string, blocked: Blocked | undefined) {
  const { hint, flash } = useFlash();
  const [isJudged, setJudged] = useState(false);
  const advice = blocked?.advice ?? null;
  const toSay = blocked?.hint ?? null;

  useEffect(() => {
    if (advice === null) setJudged(false);
  }, [advice]);
  // Every key starts the pause again.
  useEffect(() => {
    if (advice === null || typed === '') return;
    const timer = setTimeout(() => {
      setJudged(true);
      if (toSay !== null) flash(toSay);
    }, JUDGED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [advice, toSay, typed, flash]);

  const judge = useCallback(() => {
    if (!blocked) return;
    setJudged(blocked.advice !== null);
    if (blocked.hint !== null) flash(blocked.hint);
  }, [blocked, flash]);
  return { hint, advice: isJudged ? (advice ?? undefined) : undefined, judge };
}
