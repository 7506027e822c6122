/** The device list's style sheet, in addition to the modal's. */
export const devicesCss = /* css */ `
.popup.sheet { width: min(520px, calc(100% - 24px)); }
.sheet .lead { overflow-wrap: anywhere; }
.devices { padding-bottom: 22px; }
.loading, .empty { justify-content: center; padding: 28px 0; text-align: center; color: var(--lk-muted); }
ul { margin: 0; padding: 0; list-style: none; }
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
.about { display: grid; gap: 2px; min-width: 0; }
.about .faint { font-size: var(--lk-text-s); }
.here { font-weight: 500; font-size: var(--lk-text-s); color: var(--lk-accent); }
.key { font: 400 var(--lk-text-xs)/1.5 var(--lk-mono); overflow-wrap: anywhere; color: var(--lk-muted); }
.copyable { position: relative; margin-top: 6px; }
.key.link {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; align-items: center; width: 100%; text-align: start;
  color: var(--lk-text); background: var(--lk-sunken); border: 0; border-radius: var(--lk-radius-s); padding: 8px 10px; cursor: pointer;
}
.key.link code { font-size: inherit; }
.key.link .icon { color: var(--lk-muted); width: 16px; height: 16px; }
.key.link:hover .icon { color: var(--lk-accent); }
.tip {
  position: absolute; inset: auto auto calc(100% + 6px) 0; padding: 4px 10px; border-radius: var(--lk-radius-s); pointer-events: none;
  background: var(--lk-text); color: var(--lk-surface); font-size: var(--lk-text-xs); font-weight: 600; opacity: 0; transition: opacity 120ms;
}
.tip[data-shown='true'] { opacity: 1; }
.remove { min-height: 36px; padding: 0 12px; font-size: var(--lk-text-s); border-radius: 10px; color: var(--lk-danger); border-color: var(--lk-danger-line); background: none; }
.remove:hover { background: var(--lk-danger-soft); }
.remove[aria-disabled='true'] { opacity: 0.5; cursor: default; }
@media (max-width: 420px) {
  .row { grid-template-columns: auto minmax(0, 1fr); padding: 12px; }
  .row > .remove { grid-column: 2; justify-self: start; }
}
@media (forced-colors: active) {
  .row, .key.link, .tip { border: 1px solid; }
  .row[data-current] { border-color: Highlight; }
}
`;
