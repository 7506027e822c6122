/** The device list's style sheet, in addition to the modal's. */
export const devicesCss = /* css */ `
.popup.sheet { width: min(520px, calc(100% - 24px)); }
.sheet .lead { overflow-wrap: anywhere; }
.devices { padding-bottom: 22px; }
.loading, .empty { justify-content: center; padding: 28px 0; text-align: center; color: var(--lk-muted); }
ul { margin: 0; padding: 0; list-style: none; }
.status h3 { outline: none; }
.rows { display: grid; gap: 10px; }
.row {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 12px; align-items: start;
  border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-raised); padding: 14px;
}
.row[data-current] { border-color: color-mix(in srgb, var(--lk-brass) 60%, var(--lk-line)); }
.row > .badge {
  display: grid; place-items: center; width: 36px; height: 36px; border-radius: 10px; color: var(--lk-muted); background: var(--lk-sunken);
}
.row[data-current] > .badge { color: var(--lk-on-primary); background: var(--lk-primary); }
.row[data-progress] { background: var(--lk-sunken); color: var(--lk-muted); }
.about { display: grid; gap: 2px; min-width: 0; }
.about .faint { font-size: var(--lk-text-s); }
.about .button { justify-self: start; margin-block: 8px 4px; }
.about .button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.here {
  display: inline-block; padding: 1px 9px; border-radius: 99px; font-weight: 600; font-size: var(--lk-text-s); white-space: nowrap;
  color: var(--lk-accent); border: 1px solid color-mix(in srgb, var(--lk-brass) 60%, var(--lk-line));
}
.key { font: 400 var(--lk-text-xs)/1.5 var(--lk-mono); overflow-wrap: anywhere; color: var(--lk-muted); }
.copyable { position: relative; justify-self: start; margin-top: 4px; }
.key.link {
  display: flex; gap: 8px; align-items: center; min-height: 32px; text-align: start; font: 600 var(--lk-text-s)/1.3 var(--lk-font);
  color: var(--lk-text); background: var(--lk-sunken); border: 0; border-radius: var(--lk-radius-s); padding: 4px 10px; cursor: pointer;
}
.key.link .icon { color: var(--lk-muted); width: 16px; height: 16px; }
.key.link:hover .icon { color: var(--lk-accent); }
.tip {
  position: absolute; inset-block-end: calc(100% + 6px); inset-inline-start: 0; width: max-content; max-width: min(60vw, 280px); padding: 4px 10px; border-radius: var(--lk-radius-s); pointer-events: none;
  background: var(--lk-text); color: var(--lk-surface); font-size: var(--lk-text-xs); font-weight: 600; opacity: 0; transition: opacity 120ms;
}
.tip[data-shown='true'] { opacity: 1; }
.remove {
  min-height: 36px; padding: 0 10px; border: 0; border-radius: 10px; font: 600 var(--lk-text-s)/1.2 var(--lk-font); color: var(--lk-muted);
  background: none; cursor: pointer;
}
.remove:hover { color: var(--lk-danger); background: var(--lk-danger-soft); }
.remove:focus-visible, .key.link:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.remove[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.question { grid-column: 1 / -1; display: grid; gap: 10px; margin: 0; padding: 12px 0 0; border: 0; border-top: 1px solid var(--lk-line); font-size: var(--lk-text-s); }
.question p { overflow-wrap: anywhere; }
.add { display: grid; gap: 14px; }
.add .button { display: inline-flex; gap: 8px; align-items: center; justify-content: center; }
.add.only { padding: 16px; border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-sunken); }
.add.only p { font-size: var(--lk-text-s); }
@media (max-width: 420px) {
  .row { grid-template-columns: auto minmax(0, 1fr); padding: 12px; }
  .row > .remove { grid-column: 2; justify-self: start; margin: -6px 0 -6px; margin-inline-start: -10px; }
}
@media (forced-colors: active) {
  .row, .key.link, .tip, .here, .add.only { border: 1px solid; }
  .row[data-current] { border-color: Highlight; }
}
`;
