/** Where an element is on screen, told whenever that changes. */
import type { Rectangle } from './overlay.js';

/** Tells the element's rectangle at once and at every change; null while none of it is in view. Returns what ends it. */
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
  // What grows elsewhere on the page moves the element without a scroll.
  sizes.observe(document.body);
  const view = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? true;
    soon();
  });
  view.observe(element);
  // A scroll does not bubble, but every one of them is captured on its way.
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
