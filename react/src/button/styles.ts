/** Styles what both transaction buttons draw: the panel of what is signed, its details in little room, and the button's words. */
export const transactionCss = /* css */ `
.panel {
  display: grid; overflow: hidden;
  font: 400 var(--lk-text-s)/1.45 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); text-align: start; -webkit-font-smoothing: antialiased;
}
.seen { overflow: auto; overscroll-behavior: contain; }
.seen:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: -2px; }
.actions, .action { gap: 4px; grid-template-columns: minmax(0, 1fr); }
.action { padding-top: 6px; }
h3 { font-size: var(--lk-text-s); line-height: 1.35; }
.details { display: grid; gap: 5px; }
.details > div { display: grid; grid-template-columns: 68px minmax(0, 1fr); gap: 8px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); }
dt { color: var(--lk-muted); font-size: var(--lk-text-xs); }
dd { min-width: 0; overflow-wrap: anywhere; }
.activate { display: flex; gap: 9px; align-items: center; justify-content: center; }
.activate .spinner { border-color: currentColor; border-top-color: transparent; }
`;
