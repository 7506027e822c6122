/** Styles the cards of `action-list.tsx`: a transaction, its actions and their scrolling texts. */
export const actionCss = /* css */ `
.card { border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-raised); padding: 14px; display: grid; gap: 12px; }
.card > * { min-width: 0; }
.receiver { font-size: var(--lk-text-m); font-weight: 600; }
.actions { list-style: none; display: grid; gap: 12px; }
.action { border-top: 1px solid var(--lk-line); padding-top: 12px; display: grid; gap: 9px; min-width: 0; }
h3 code { font-weight: 600; color: var(--lk-accent); }
.scrolled {
  font: 400 var(--lk-text-s)/1.55 var(--lk-mono); background: var(--lk-sunken); border-radius: var(--lk-radius-s);
  padding: 10px 12px; max-height: 200px; overflow: auto; scrollbar-width: thin;
}
.scrolled:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
@media (forced-colors: active) { .card, .scrolled { border: 1px solid; } }
`;
