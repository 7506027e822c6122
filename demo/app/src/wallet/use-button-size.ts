import { type RefObject, useLayoutEffect, useState } from 'react';

/** Where a card's own buttons are as wide as the card. */
const NARROW = matchMedia('(max-width: 520px)');
const HEIGHT = 48;

/** The size of an embedded button, which takes pixels alone: as wide as its place on a narrow screen, else its own. */
export function useButtonSize(place: RefObject<HTMLElement | null>): {
  size?: { width: number; height: number };
} {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = (): void => setWidth(NARROW.matches ? element.clientWidth : undefined);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    NARROW.addEventListener('change', measure);
    measure();
    return () => {
      observer.disconnect();
      NARROW.removeEventListener('change', measure);
    };
  }, [place]);
  return width === undefined ? {} : { size: { width, height: HEIGHT } };
}
