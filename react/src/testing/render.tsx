import type { PasskeyManager } from 'latchkey';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { PasskeyContextProvider } from '../provider.js';
import { type Catalogue, english } from '../texts/english.js';

let mounted: { root: Root; element: HTMLElement } | undefined;

/** Renders into the page under a provider with this manager. The next call replaces it. */
export function render(manager: PasskeyManager, children: ReactNode, texts: Catalogue = english): void {
  if (!mounted) {
    const element = document.createElement('div');
    document.body.append(element);
    mounted = { root: createRoot(element), element };
  }
  mounted.root.render(
    <StrictMode>
      <PasskeyContextProvider manager={manager} texts={texts}>
        {children}
      </PasskeyContextProvider>
    </StrictMode>,
  );
}

/** Removes the rendered tree. */
export function unmount(): void {
  mounted?.root.unmount();
  mounted?.element.remove();
  mounted = undefined;
}
