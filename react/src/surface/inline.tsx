import type { Theme } from 'latchkey';
import { type ReactNode, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/use-texts.js';
import { motionCss } from '../tokens.js';
import { baseCss, controlCss } from './base-styles.js';
import { adoptDesign } from './design.js';
import { useBrowserLayoutEffect } from './use-browser-layout-effect.js';

/** What a surface in the page's flow needs of the styles: no layer, no popup. */
const inlineCss = baseCss + controlCss + motionCss;

/** Renders in its own shadow root: the page's styles do not reach in, and a strict CSP allows these. */
export function Inline({ theme, css, children }: { theme: Theme; css: string; children: ReactNode }) {
  const { direction } = useTexts();
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot>();
  useBrowserLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    if (!element.shadowRoot) adoptDesign(element.attachShadow({ mode: 'open' }), inlineCss, css);
    setRoot(element.shadowRoot ?? undefined);
  }, [css]);
  return (
    <div ref={host} dir={direction} data-latchkey-theme={theme}>
      {root && createPortal(children, root)}
    </div>
  );
}
