import { actionCss, valueCss } from '../../confirm/styles.js';
import { baseCss, controlCss } from '../../surface/base-styles.js';
import { motionCss } from '../../tokens.js';
import { transactionCss } from '../styles.js';

/** The button, its tooltip and the tree in it. Nothing moves but the spinner. */
const ownCss = /* css */ `
.both { position: fixed; }
.both > * { position: absolute; }
.activate {
  overflow: hidden; min-height: 0; padding: 2px 14px; touch-action: manipulation; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
}
.activate .label { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.activate[aria-busy='true'] { opacity: 0.75; cursor: default; }
/* The clip of the frame leaves 4 pixels around the button. */
.activate:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: 1px; box-shadow: none; }

.tooltip { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); box-shadow: 0 2px 6px rgb(0 0 0 / 0.2); }
.tooltip[hidden] { display: none; }
.head { padding: 8px 12px 7px; border-bottom: 1px solid var(--lk-line); }
.head h2 { margin: 0; overflow-wrap: anywhere; font-size: var(--lk-text-m); line-height: 1.35; font-weight: 600; }
.head p { color: var(--lk-muted); font-size: var(--lk-text-xs); overflow-wrap: anywhere; }
.seen { padding: 8px 10px; }
.hint { padding: 7px 12px 8px; border-top: 1px solid var(--lk-line); color: var(--lk-muted); font-size: var(--lk-text-xs); }
.hint[data-unread] { color: var(--lk-text); font-weight: 600; }

.tree { list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
.tree .card { padding: 7px 9px; gap: 5px; border-radius: var(--lk-radius-s); }
.to { overflow-wrap: anywhere; }
.details > div:not(.wide) { grid-template-columns: 76px minmax(0, 1fr); }
.details > .wide { gap: 3px; }
.boxed { padding: 7px 9px; font-size: 12px; }
.warning { padding: 7px 9px; font-size: var(--lk-text-xs); }
@media (forced-colors: active) {
  .tooltip, .activate, .tree .card { border: 1px solid; }
  .activate:focus-visible, .seen:focus-visible { outline-color: Highlight; }
  .activate .spinner { border-color: GrayText; border-top-color: Highlight; }
}
`;

export const frameCss = baseCss + controlCss + actionCss + valueCss + transactionCss + ownCss + motionCss;
