import { createRoot, type Root } from 'react-dom/client';

/** A React root of its own in this page, taken away when `signal` aborts. */
export function rootUntil(signal: AbortSignal): Root {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  signal.addEventListener(
    'abort',
    () => {
      root.unmount();
      place.remove();
    },
    { once: true },
  );
  return root;
}
