import { type RefObject, useEffect, useRef } from 'react';

/** What takes the focus where it `isNext`: a question before it went with the button that had the focus. */
export function useFocusNext<T extends HTMLElement>(isNext: boolean): RefObject<T | null> {
  const next = useRef<T>(null);
  const wasNext = useRef(isNext);
  useEffect(() => {
    if (isNext && !wasNext.current && document.activeElement === document.body) next.current?.focus();
    wasNext.current = isNext;
  }, [isNext]);
  return next;
}
