import { actionCss, valueCss } from '../../confirm/styles.js';
import { baseCss, controlCss } from '../../surface/base-styles.js';
import { motionCss } from '../../tokens.js';

/** The button, its tooltip and the tree in it. Nothing moves but the spinner. */
const ownCss = /* css */ `
.both { position: fixed; }
.both > * { position: absolute; }
.activate {
  display: flex; gap: 9px; align-items: center; justify-content: center; overflow: hidden;
  min-height: 0; padding: 2px 14px; touch-action: manipulation; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
}
.activate .label { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.activate[aria-busy='true'] { opacity: 0.75; cursor: default; }
.activate .spinner { border-color: currentColor; border-top-color: transparent; }
/* The clip of the frame leaves 4 pixels around the button. */
.activate:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: 1px; box-shadow: none; }

.tooltip {
  display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); overflow: hidden;
  font: 400 var(--lk-text-s)/1.45 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); box-shadow: 0 2px 6px rgb(0 0 0 / 0.2);
  text-align: start; -webkit-font-smoothing: antialiased;
}
.tooltip[hidden] { display: none; }
.head { padding: 8px 12px 7px; border-bottom: 1px solid var(--lk-line); }
.head h2 { margin: 0; overflow-wrap: anywhere; font-size: var(--lk-text-m); line-height: 1.35; font-weight: 600; }
.head p { color: var(--lk-muted); font-size: var(--lk-text-xs); overflow-wrap: anywhere; }
.body { overflow: auto; overscroll-behavior: contain; padding: 8px 10px; }
.body:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: -2px; }
.hint { padding: 7px 12px 8px; border-top: 1px solid var(--lk-line); color: var(--lk-muted); font-size: var(--lk-text-xs); }
.hint[data-unread] { color: var(--lk-text); font-weight: 600; }

.tree { list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
.tree .card { padding: 7px 9px; gap: 5px; border-radius: var(--lk-radius-s); }
.to { overflow-wrap: anywhere; }
.actions, .action { gap: 4px; grid-template-columns: minmax(0, 1fr); }
.action { padding-top: 6px; }
h3 { font-size: var(--lk-text-s); line-height: 1.35; }
.details { display: grid; gap: 5px; }
.details > div { display: grid; grid-template-columns: 76px minmax(0, 1fr); gap: 8px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); gap: 3px; }
dt { color: var(--lk-muted); font-size: var(--lk-text-xs); }
dd { min-width: 0; overflow-wrap: anywhere; }
.boxed { padding: 7px 9px; font-size: 12px; }
.warning { padding: 7px 9px; font-size: var(--lk-text-xs); }
@media (forced-colors: active) {
  .tooltip, .activate, .tree .card { border: 1px solid; }
  .activate:focus-visible, .body:focus-visible { outline-color: Highlight; }
  .activate .spinner { border-color: GrayText; border-top-color: Highlight; }
}
`;

export const frameCss = baseCss + controlCss + actionCss + valueCss + ownCss + motionCss;
