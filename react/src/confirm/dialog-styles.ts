/** Styles the facts of a request, and the notice and countdown in the footer. */
export const dialogCss = /* css */ `
.details { display: grid; gap: 7px; }
.details > div, .card > .details:first-of-type { min-width: 0; }
.details > div { display: grid; grid-template-columns: 118px minmax(0, 1fr); gap: 12px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); gap: 6px; }
.digest > div.wide { gap: 1px; }
dt { color: var(--lk-muted); font-size: var(--lk-text-s); }
dd { font-size: var(--lk-text-s); overflow-wrap: anywhere; min-width: 0; }
.facts { padding-bottom: 2px; }
.digest code { color: var(--lk-muted); font-size: var(--lk-text-xs); }

.notice { color: var(--lk-muted); font-size: var(--lk-text-xs); line-height: 1.45; text-wrap: pretty; }
.stop {
  justify-self: center; min-height: 24px; padding: 2px 8px; border: 0; background: none; cursor: pointer;
  font: 400 var(--lk-text-s)/1.4 var(--lk-font); color: var(--lk-muted); text-decoration: underline;
}
.stop:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); border-radius: 4px; }
.countdown {
  position: absolute; inset: -1px 0 auto; height: 2px; background: var(--lk-brass); transform-origin: left;
  animation: fill linear both;
}
@keyframes fill { from { transform: scaleX(0); } }

/* The words of a card begin where those around it do: its padding and edge are 15 pixels. */
@media (min-width: 421px) { .card .details > div:not(.wide) { grid-template-columns: 103px minmax(0, 1fr); } }
@media (max-width: 420px) { .details > div { grid-template-columns: 84px minmax(0, 1fr); gap: 8px; } }
@media (forced-colors: active) { .countdown { background: Highlight; } }
`;
