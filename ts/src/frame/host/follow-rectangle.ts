/** Reports where an element is on screen whenever that changes. */
import type { Rectangle } from './overlay.js';

/**
 * Reports the element's rectangle immediately and at every change; null while none of it is in view. Returns a
 * function that stops it.
 */
export function followRectangle(element: Element, tell: (at: Rectangle | null) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let isInView = true;
  let frame: number | undefined;
  let told: string | undefined;
  const look = (): void => {
    frame = undefined;
    const { left, top, width, height } = element.getBoundingClientRect();
    const at =
      isInView && element.isConnected && width > 0 && height > 0 ? { left, top, width, height } : null;
    const now = JSON.stringify(at);
    if (now === told) return;
    told = now;
    tell(at);
  };
  const soon = (): void => {
    frame ??= requestAnimationFrame(look);
  };
  const sizes = new ResizeObserver(soon);
  sizes.observe(element);
  // An element that grows elsewhere on the page moves this one without a scroll.
  sizes.observe(document.body);
  const view = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? true;
    soon();
  });
  view.observe(element);
  // Scroll events do not bubble, but they can be captured.
  addEventListener('scroll', soon, { capture: true, passive: true, signal });
  addEventListener('resize', soon, { passive: true, signal });
  look();
  return () => {
    ending.abort();
    sizes.disconnect();
    view.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
