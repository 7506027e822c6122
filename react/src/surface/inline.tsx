import type { Theme } from 'latchkey';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { adoptCss, tokensCss } from '../tokens.js';
import { surfaceCss } from './surface-styles.js';

/** Renders in its own shadow root: the page's styles do not reach in, and a strict CSP allows these. */
export function Inline({ theme, css, children }: { theme: Theme; css: string; children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    if (!element.shadowRoot) adoptCss(element.attachShadow({ mode: 'open' }), tokensCss, surfaceCss, css);
    setRoot(element.shadowRoot ?? undefined);
  }, [css]);
  return (
    <div ref={host} data-latchkey-theme={theme}>
      {root && createPortal(children, root)}
    </div>
  );
}
