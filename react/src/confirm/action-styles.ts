/** Styles the cards of `action-list.tsx`: a transaction, its actions and their long texts. */
export const actionCss = /* css */ `
.card { border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-raised); padding: 14px; display: grid; gap: 12px; }
.card > * { min-width: 0; }
.receiver { font-size: var(--lk-text-m); font-weight: 600; }
.actions { list-style: none; display: grid; gap: 12px; }
.action { border-top: 1px solid var(--lk-line); padding-top: 12px; display: grid; gap: 9px; min-width: 0; }
.action:first-child:where(.actions:first-child > *) { border-top: 0; padding-top: 0; }
h3 code { font-weight: 600; color: var(--lk-accent); }
.boxed {
  font: 400 var(--lk-text-s)/1.55 var(--lk-mono); background: var(--lk-sunken); border-radius: var(--lk-radius-s);
  padding: 10px 12px;
}
@media (forced-colors: active) { .card, .boxed { border: 1px solid; } }
`;
