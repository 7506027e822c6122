import { homeCss } from '../home/styles/index.js';

/** The page's style sheet, in addition to the surface's. It looks like the home page. */
export const checkCss = /* css */ `${homeCss}
.home > .trial { width: min(640px, 100%); max-width: none; box-sizing: border-box; margin: 0 auto; padding: 12px 24px 48px; flex: 1; }
.trial ul { display: grid; gap: 8px; padding-inline-start: 20px; list-style: disc; }
.trial .status:empty { margin-bottom: -14px; }
.trial .hint { color: var(--lk-muted); text-wrap: pretty; }
.trial .actions .button { flex: 0 1 auto; min-height: 46px; font-size: var(--lk-text-m); }

.trial-steps { display: grid; gap: 2px; margin: 0; padding: 0; list-style: none; }
.trial-steps li { display: flex; align-items: center; gap: 12px; min-height: 36px; color: var(--lk-muted); }
.trial-steps li > span:nth-child(2) { min-width: 0; overflow-wrap: anywhere; }
.trial-steps .number {
  flex: none; display: grid; place-items: center; width: 26px; height: 26px; border: 1px solid var(--lk-line-strong); border-radius: 50%;
  font-size: var(--lk-text-s); font-weight: 600; font-variant-numeric: tabular-nums;
}
.trial-steps .number .icon { width: 15px; height: 15px; }
.trial-steps [data-state='now'] { color: var(--lk-text); font-weight: 600; }
.trial-steps [data-state='now'] .number { color: var(--lk-on-primary); background: var(--lk-primary); border-color: transparent; }
.trial-steps [data-state='done'] .number { color: var(--lk-good); background: var(--lk-good-soft); border-color: var(--lk-good-line); }
.trial-steps [data-state='failed'] .number { color: var(--lk-danger); background: var(--lk-danger-soft); border-color: var(--lk-danger-line); }

.verdict .badge { margin: 0; }
.verdict h2 { font-size: 19px; }
.report {
  margin: 0; max-height: 420px; padding: 14px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
  font: 400 var(--lk-text-xs)/1.55 var(--lk-mono); color: var(--lk-text); background: var(--lk-sunken);
  border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m);
}
.report:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }

@media (max-width: 560px) {
  .home > .trial { padding: 4px 16px 40px; }
  .trial .actions .button { flex: 1 1 100%; }
}
@media (forced-colors: active) {
  .trial-steps .number, .report { border: 1px solid; }
}
`;
