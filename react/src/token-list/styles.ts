import { cardCss, formCss } from '../surface/form-styles.js';

export const tokenListCss = /* css */ `
${cardCss}${formCss}
.tokens { display: grid; gap: 12px; }
ul { margin: 0; padding: 0; list-style: none; }
.card.list { padding-block: 4px; }
.token { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 4px 12px; align-items: start; padding: 14px 0; border-top: 1px solid var(--lk-line); }
.token:first-child { border-top: 0; }
.picture { display: grid; place-items: center; width: 36px; height: 36px; overflow: hidden; border-radius: 50%; color: var(--lk-muted); background: var(--lk-sunken); font-weight: 650; }
.picture img { width: 100%; height: 100%; object-fit: cover; }
.about { display: grid; gap: 1px; min-width: 0; overflow-wrap: anywhere; }
.held { display: grid; justify-items: end; max-width: 20ch; overflow-wrap: anywhere; text-align: end; font-variant-numeric: tabular-nums; }
.chip {
  display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: var(--lk-text-xs); line-height: 20px; font-weight: 600;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.ways { grid-column: 2 / -1; display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px; }
.ways .button { min-height: 36px; padding: 0 14px; font-size: 14px; }
.none { display: grid; gap: 4px; justify-items: center; text-align: center; }
.add > summary { width: fit-content; min-height: 24px; cursor: pointer; border-radius: 4px; font-size: var(--lk-text-s); font-weight: 600; color: var(--lk-accent); }
.add > summary:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.add > form { margin-top: 10px; }
@media (max-width: 420px) {
  .token { grid-template-columns: auto minmax(0, 1fr); }
  .held { grid-column: 2; justify-items: start; max-width: none; text-align: start; }
}
@media (forced-colors: active) { .chip, .picture { border: 1px solid; } }
`;
