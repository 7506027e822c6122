import type { Theme } from 'latchkey';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { confirmCss } from '../confirm/styles.js';
import { adoptCss, tokensCss } from '../tokens.js';

/** A part of the page in a shadow root of its own: the page's styles do not reach in, and a strict CSP allows ours. */
export function Inline({ theme, css, children }: { theme: Theme; css: string; children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    if (!element.shadowRoot) adoptCss(element.attachShadow({ mode: 'open' }), tokensCss, confirmCss, css);
    setRoot(element.shadowRoot ?? undefined);
  }, [css]);
  return (
    <div ref={host} data-latchkey-theme={theme}>
      {root && createPortal(children, root)}
    </div>
  );
}
