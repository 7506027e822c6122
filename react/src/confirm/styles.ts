/** The style sheets of the confirmation. The embedded transaction button adopts two of them: nothing here may load React. */

/** Styles the head of a confirmation, the facts of a request, and the fee, notice and countdown in the footer. */
export const dialogCss = /* css */ `
.popup { --lk-text-xs: 13px; --lk-text-s: 14px; --lk-text-l: 22px; }
.title { overflow-wrap: anywhere; text-wrap: balance; }
.title code { font-size: 0.9em; }
header > div { min-width: 0; }
.context { display: block; overflow-wrap: anywhere; }
.context strong { color: var(--lk-text); }
.fee { color: var(--lk-muted); font-size: var(--lk-text-s); }
.fee strong { color: var(--lk-text); }
.card > .details:has(> dt) { grid-template-columns: 103px minmax(0, 1fr); gap: 12px; align-items: baseline; }
.large { gap: 9px; }
.large dd { font-size: 16px; }
.message { gap: 14px; }
.message .boxed { font: 400 17px/1.5 var(--lk-font); }
.more { display: grid; gap: 10px; justify-items: start; }
.more > .quiet { min-height: 24px; font-size: var(--lk-text-s); }
.more > .details { width: 100%; }
.details { display: grid; gap: 7px; }
.details > div, .card > .details:first-of-type { min-width: 0; }
.details > div { display: grid; grid-template-columns: 118px minmax(0, 1fr); gap: 12px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); gap: 6px; }
dt { color: var(--lk-muted); font-size: var(--lk-text-s); }
dd { font-size: var(--lk-text-s); overflow-wrap: anywhere; min-width: 0; }

.notice { color: var(--lk-muted); font-size: var(--lk-text-xs); line-height: 1.45; text-wrap: pretty; }
.stop {
  min-height: 24px; margin-inline: -4px; text-align: start; padding: 2px 4px; border: 0; background: none; cursor: pointer;
  font: 400 var(--lk-text-s)/1.4 var(--lk-font); color: var(--lk-muted); text-decoration: underline;
}
.stop:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); border-radius: 4px; }
.countdown {
  position: absolute; inset: -1px 0 auto; height: 2px; background: var(--lk-brass); transform-origin: var(--lk-start);
  animation: fill linear both;
}
@keyframes fill { from { transform: scaleX(0); } }

/* The words of a card begin where those around it do: its padding and edge are 15 pixels. */
@media (min-width: 421px) { .card .details > div:not(.wide) { grid-template-columns: 103px minmax(0, 1fr); } }
@media (max-width: 420px) {
  .popup { --lk-text-l: 20px; }
  .details > div, .card > .details:has(> dt) { grid-template-columns: 84px minmax(0, 1fr); gap: 8px; }
}
@media (forced-colors: active) { .countdown { background: Highlight; } }
`;

/** Styles the cards of `transaction-view.tsx`: a transaction, its actions and their long texts. */
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
  padding: 10px 12px; unicode-bidi: plaintext;
}
.boxed > strong { display: block; }
@media (forced-colors: active) { .card, .boxed { border: 1px solid; } }
`;

/** Styles amounts and untrusted texts, with the quiet button that shows more of them. */
export const valueCss = /* css */ `
.untrusted { unicode-bidi: isolate; overflow-wrap: anywhere; }
.untrusted.lines { white-space: pre-wrap; tab-size: 2; unicode-bidi: normal; }
mark {
  font: 600 10px/1 var(--lk-mono); color: var(--lk-danger); background: var(--lk-danger-soft);
  border: 1px solid var(--lk-danger-line); border-radius: 4px; padding: 1px 3px; margin: 0 1px; white-space: nowrap;
}
.amount { display: inline-flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; }
.exact { flex-basis: 100%; font-family: var(--lk-mono); font-size: var(--lk-text-xs); color: var(--lk-muted); }
.quiet {
  font: 500 var(--lk-text-xs)/1.4 var(--lk-font); color: var(--lk-accent); background: none; border: 0; padding: 2px 4px; margin: -2px -4px;
  border-radius: 4px; cursor: pointer; text-decoration: underline; text-underline-offset: 2px; text-decoration-thickness: 1px;
}
.quiet:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
`;

/** Styles the cards of `new-device.tsx`. */
export const newDeviceCss = /* css */ `
.device { justify-items: stretch; }
.device[data-by-page] { border: 2px dashed var(--lk-danger); }
.joined { font-size: var(--lk-text-l); text-align: center; overflow-wrap: anywhere; }
.device .instruct { color: var(--lk-muted); font-size: var(--lk-text-s); text-align: center; text-wrap: balance; }
`;

/** Styles the card of `summary.tsx`. */
export const summaryCss = /* css */ `
.summary { gap: 10px; }
.steps { list-style: none; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.steps li + li, .total { border-top: 1px solid var(--lk-line); padding-top: 8px; }
.fine { display: block; margin-top: 2px; color: var(--lk-muted); font-size: var(--lk-text-xs); line-height: 1.45; }
.badge {
  display: inline-block; max-width: 100%; padding: 1px 7px; border-radius: 10px; border: 1px solid var(--lk-line-strong);
  font: 600 12px/1.5 var(--lk-font); color: var(--lk-muted); vertical-align: 1px;
}
.badge.risky { color: var(--lk-danger); border-color: var(--lk-danger-line); background: var(--lk-danger-soft); }
`;

/** Styles what `use-click-rule.tsx` draws. */
export const readingCss = /* css */ `
/* The last thing that must be seen; takes no room in its grid. */
.end { height: 1px; margin-top: -14px; }
.unseen { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 12px; align-items: center; }
.unseen p { color: var(--lk-text); font-size: var(--lk-text-s); line-height: 1.4; text-wrap: pretty; }
[aria-busy='false'] .button.primary.waits[aria-disabled='true'] {
  color: var(--lk-muted); background: var(--lk-sunken); border: 1px dashed var(--lk-line-strong);
}
@media (max-width: 420px) { .unseen { gap: 10px; } .unseen p { font-size: var(--lk-text-xs); } }
.button.small { min-height: 40px; padding: 0 14px; font-size: 14px; white-space: nowrap; }
`;
