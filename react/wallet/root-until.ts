import { createRoot, type Root } from 'react-dom/client';

/** Creates a React root in this page and removes it when `signal` aborts. */
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
