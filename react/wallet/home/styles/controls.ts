/** Buttons of this page, in addition to the kit's. */
export const controlsCss = /* css */ `
a.button { display: inline-flex; align-items: center; justify-content: center; text-decoration: none; box-sizing: border-box; }
.with-icon { display: inline-flex; align-items: center; justify-content: center; gap: 9px; }
.line .button, .actions .button, .entry .button { min-height: 40px; padding: 0 14px; font-size: 14px; }
.line select {
  min-height: 40px; padding: 0 10px; font: 600 14px/1.2 var(--lk-font); color: var(--lk-text);
  background: var(--lk-raised); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.line select:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.button[aria-disabled='true'] { opacity: 0.6; cursor: default; }
.danger-quiet { color: var(--lk-danger); border-color: var(--lk-danger-line); background: none; }
.danger-quiet:hover { background: var(--lk-danger-soft); }
.icon-button {
  flex: none; display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border: 0; border-radius: 50%;
  background: none; color: var(--lk-muted); cursor: pointer;
}
.icon-button:hover { color: var(--lk-text); background: color-mix(in srgb, var(--lk-text) 7%, transparent); }
.icon-button:focus-visible, .quiet:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.icon-button[aria-disabled='true'] .icon { animation: turn 900ms linear infinite; }

.missing { display: grid; gap: 10px; }
.error .icon { width: 17px; height: 17px; margin-top: 2px; }

.switch { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; padding: 4px; border-radius: var(--lk-radius-m); background: var(--lk-sunken); }
.switch label { position: relative; }
.switch input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.switch span { display: block; padding: 8px 16px; border: 1px solid transparent; border-radius: 9px; text-align: center; font-size: 14px; font-weight: 600; color: var(--lk-muted); }
.switch input:checked + span { background: var(--lk-raised); color: var(--lk-text); box-shadow: var(--lk-shadow-1); }
.switch input:focus-visible + span { outline: 2px solid var(--lk-accent); outline-offset: 1px; }

@media (forced-colors: active) {
  a.button, a.button.primary { color: LinkText; background: Canvas; border: 1px solid LinkText; }
  .switch input:checked + span { border-color: Highlight; outline: 2px solid Highlight; }
  .icon-button { border: 1px solid; }
}
`;
