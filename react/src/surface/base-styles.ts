/** Hides a text from the eyes, and not from a screen reader. */
export const srOnlyCss = /* css */ `
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** Resets the shadow root and styles the text that every surface shares. */
export const baseCss = /* css */ `
:host { all: initial; display: contents; }
*, *::before, *::after { box-sizing: border-box; }
dl, dd, ol, p, h3 { margin: 0; padding: 0; }
h3 { font-size: var(--lk-text-m); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
strong { font-weight: 600; }
code { font-family: var(--lk-mono); font-size: 0.94em; }
${srOnlyCss}.faint { color: var(--lk-muted); }
.eyebrow { color: var(--lk-muted); font-size: var(--lk-text-xs); font-weight: 600; letter-spacing: 0.02em; }
`;
