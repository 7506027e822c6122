import type { Theme } from 'latchkey';
import { type ReactNode, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { adoptDesign } from './design.js';
import { surfaceCss } from './layer-styles.js';
import { useBrowserLayoutEffect } from './use-browser-layout-effect.js';

/** Renders in its own shadow root: the page's styles do not reach in, and a strict CSP allows these. */
export function Inline({ theme, css, children }: { theme: Theme; css: string; children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  useBrowserLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    if (!element.shadowRoot) adoptDesign(element.attachShadow({ mode: 'open' }), surfaceCss, css);
    setRoot(element.shadowRoot ?? undefined);
  }, [css]);
  return (
    <div ref={host} data-latchkey-theme={theme}>
      {root && createPortal(children, root)}
    </div>
  );
}
