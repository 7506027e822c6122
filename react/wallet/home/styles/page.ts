/** The document around the shadow root. */
export const pageCss = /* css */ `
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--lk-canvas); }
`;
