/** Hides a text from the eyes, and not from a screen reader. */
export const srOnlyCss = /* css */ `
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** What exactly failed, folded under the sentence for the user. */
export const exactCss = /* css */ `
.exact { margin-top: 2px; font-size: var(--lk-text-s); line-height: 1.45; overflow-wrap: anywhere; text-align: start; }
.exact summary { width: fit-content; padding: 3px 0; cursor: pointer; border-radius: 4px; text-decoration: underline; text-underline-offset: 3px; }
.exact summary:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.exact p { margin: 2px 0 0; color: var(--lk-muted); }
`;

/** Resets the shadow root and styles the text that every surface shares. */
export const baseCss = /* css */ `
:host { all: initial; display: contents; }
*, *::before, *::after { box-sizing: border-box; }
dl, dd, ol, p, h3 { margin: 0; padding: 0; }
h3 { font-size: var(--lk-text-m); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
strong { font-weight: 600; }
code { font-family: var(--lk-mono); font-size: 0.94em; direction: ltr; unicode-bidi: isolate; }
.ahead:dir(rtl) { scale: -1 1; }
/* Where a line begins, for what CSS has no logical name. */
:host { --lk-start: left; }
:host(:dir(rtl)) { --lk-start: right; }
${srOnlyCss}${exactCss}.faint { color: var(--lk-muted); }
.eyebrow { color: var(--lk-muted); font-size: var(--lk-text-xs); font-weight: 600; letter-spacing: 0.02em; }
`;

/** Styles buttons, warnings and errors, the status line and its spinner. */
export const controlCss = /* css */ `
.buttons { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 10px; }

.button {
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  min-height: 46px; padding: 0 16px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); cursor: pointer;
  transition: background 120ms, opacity 120ms, transform 80ms;
}
.button:hover { background: var(--lk-sunken); }
.button:active { transform: translateY(1px); }
.button.primary { background: var(--lk-primary); border-color: transparent; color: var(--lk-on-primary); }
.button.primary:hover { background: var(--lk-primary-hover); }
.button.danger { background: var(--lk-danger-fill); color: var(--lk-on-danger); }
.button.danger:hover { background: var(--lk-danger-fill-hover); }
/* Accepts no click yet. */
[aria-busy='false'] .button.primary[aria-disabled='true'] {
  background: color-mix(in srgb, var(--lk-primary) 80%, var(--lk-surface)); cursor: default;
}
[aria-busy='false'] .button.danger[aria-disabled='true'] { background: color-mix(in srgb, var(--lk-danger-fill) 80%, var(--lk-surface)); }
[aria-busy='true'] .button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.button:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
/* It has an edge: a ring next to that would be a second one. */
.button:not(.primary):focus-visible { border-color: var(--lk-accent); box-shadow: 0 0 0 1px var(--lk-accent); }

.warning, .error {
  display: flex; gap: 9px; padding: 10px 12px; border-radius: var(--lk-radius-s); font-size: var(--lk-text-s); line-height: 1.45;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.warning > span, .error > span, .error > div { min-width: 0; overflow-wrap: anywhere; }
.error.neutral { color: var(--lk-text); background: var(--lk-sunken); border-color: var(--lk-line-strong); }
.warning.note { color: var(--lk-text); background: var(--lk-sunken); border-color: var(--lk-line-strong); }
.warning.note .sign { color: var(--lk-accent); }
.sign { flex: none; width: 18px; height: 18px; margin-top: 1px; }

.status { display: flex; gap: 9px; align-items: center; color: var(--lk-muted); font-size: var(--lk-text-s); }
/* Stays in the document: screen readers announce a live region only if it existed before its text. The margin cancels the gap. */
.status:is(:empty, :has(> .sr-only:only-child)) { height: 0; margin-bottom: -10px; }
.spinner {
  flex: none; width: 15px; height: 15px; border-radius: 50%; border: 2px solid var(--lk-line-strong); border-top-color: var(--lk-accent);
  animation: turn 800ms linear infinite;
}
@keyframes turn { to { transform: rotate(1turn); } }

@media (max-width: 420px) {
  .button { font-size: 14px; }
  .buttons { gap: 8px; }
  .buttons .button { padding: 0 6px; }
}
/* The way on has the longer words. */
@media (max-width: 350px) { .buttons:has(> :nth-child(2)) { grid-template-columns: 2fr 3fr; } }
@media (forced-colors: active) {
  .button[aria-disabled='true'] { color: GrayText; }
  .button, .warning, .error { border: 1px solid; }
  .spinner { border-color: GrayText; border-top-color: Highlight; }
}
`;
