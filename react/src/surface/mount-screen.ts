import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** The longest closing animation. */
const FADE_LIMIT_MS = 500;

/** Mounts a screen in its own React root; `draw` gets false from `close` on. */
export function mountScreen(draw: (open: boolean) => ReactNode): { close(): void } {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  flushSync(() => root.render(draw(true)));
  let isOpen = true;
  return {
    close() {
      if (!isOpen) return;
      isOpen = false;
      root.render(draw(false));
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, FADE_LIMIT_MS);
    },
  };
}
