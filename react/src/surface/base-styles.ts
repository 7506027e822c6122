/** Resets the shadow root and styles the text that every surface shares. */
export const baseCss = /* css */ `
:host { all: initial; display: contents; }
*, *::before, *::after { box-sizing: border-box; }
dl, dd, ol, p, h3 { margin: 0; padding: 0; }
h3 { font-size: var(--lk-text-m); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
strong { font-weight: 600; }
code { font-family: var(--lk-mono); font-size: 0.94em; }
.faint { color: var(--lk-muted); }
.eyebrow { color: var(--lk-muted); font-size: var(--lk-text-xs); font-weight: 600; letter-spacing: 0.02em; }
`;
