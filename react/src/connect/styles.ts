/** The chooser's own styles, in addition to the surface's. */
export const chooseCss = /* css */ `
.sheet .body { display: grid; gap: 14px; padding-bottom: 18px; overflow-wrap: anywhere; }
.sheet .buttons { grid-template-columns: 2fr 3fr; }
.asks { padding: 10px 14px; border: 1px solid var(--lk-line); border-radius: var(--lk-radius-s); background: var(--lk-sunken); font-size: var(--lk-text-s); }
.asks ul { margin: 4px 0 0; padding-inline-start: 20px; }
fieldset { display: grid; gap: 8px; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { margin-bottom: 8px; padding: 0; font-weight: 600; }
.way {
  display: flex; gap: 12px; align-items: center; min-height: 48px; padding: 8px 14px; cursor: pointer;
  border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-surface);
}
.way:has(input:checked) { border-color: var(--lk-accent); background: var(--lk-sunken); }
.way:has(input:focus-visible) { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.way input { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--lk-accent); }
.way span { min-width: 0; }
.name { display: grid; gap: 6px; padding: 2px 0 6px; }
.name label { color: var(--lk-muted); font-size: var(--lk-text-s); }
.typed {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 4px; padding: 8px 14px;
  border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); background: var(--lk-raised);
}
.typed:focus-within { outline: 2px solid var(--lk-accent); outline-offset: -1px; }
.typed input { flex: 1 1 120px; min-width: 0; padding: 4px 0; border: 0; background: none; outline: none; font: inherit; font-size: 16px; color: inherit; }
.typed span { color: var(--lk-muted); }
.problem-line { color: var(--lk-danger); font-size: var(--lk-text-s); }
.problem-line:empty { display: none; }
.stop {
  justify-self: center; min-height: 24px; padding: 2px 8px; border: 0; background: none; cursor: pointer;
  font: 400 var(--lk-text-s)/1.4 var(--lk-font); color: var(--lk-muted); text-decoration: underline;
}
.stop:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); border-radius: 4px; }
@media (forced-colors: active) { .way, .typed { border: 1px solid; } .way:has(input:checked) { border-color: Highlight; } }
`;
