/** Fields, and what is said of them. */
export const formCss = /* css */ `
.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 18px; }
.control { display: grid; gap: 5px; min-width: 0; }
.control label { font-size: 14px; font-weight: 600; }
.input {
  box-sizing: border-box; width: 100%; min-height: 48px; padding: 0 14px; font: 400 16px/1.3 var(--lk-font); color: var(--lk-text);
  background: var(--lk-raised); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.input:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: -1px; }
.input[aria-invalid='true'] { border-color: var(--lk-danger); }
.amount-input { font-variant-numeric: tabular-nums; }
.small { font-size: var(--lk-text-s); line-height: 1.5; overflow-wrap: anywhere; }
.field-problem { color: var(--lk-danger); font-size: var(--lk-text-s); line-height: 1.45; overflow-wrap: anywhere; }
.field-problem:empty { display: none; }
.quiet { margin: 0; padding: 2px 4px; border: 0; background: none; font: inherit; color: var(--lk-accent); text-decoration: underline; cursor: pointer; border-radius: 4px; }
.quiet:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.quiet.most { justify-self: start; min-height: 24px; margin-inline-start: -4px; font-size: var(--lk-text-s); }
.button[aria-disabled='true'] { opacity: 0.6; cursor: default; }
.error .icon { flex: none; width: 17px; height: 17px; margin-top: 2px; }
`;

/** The box around a form or a list in a page's flow. */
export const cardCss = /* css */ `
:host { display: block; font: 400 var(--lk-text-m)/1.55 var(--lk-font); color: var(--lk-text); text-align: start; -webkit-font-smoothing: antialiased; }
.card { box-sizing: border-box; background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-l); box-shadow: var(--lk-shadow-1); padding: 22px; }
@media (max-width: 560px) { .card { padding: 18px 16px; } }
@media (forced-colors: active) { .card { border: 1px solid; } }
.untrusted mark { padding: 0 3px; border-radius: 4px; color: var(--lk-danger); background: var(--lk-danger-soft); }
.break { overflow-wrap: anywhere; min-width: 0; }
`;
