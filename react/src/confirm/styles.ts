import { checkCodeCss } from '../surface/check-code.js';

/**
 * The confirm UI's style sheet, adopted by its shadow root beside the tokens. The popup, and what it lies in, have neither
 * opacity, filter nor transform once its opening has ended: a click guard inside a frame would not take it as seen.
 */
export const confirmCss = /* css */ `
${checkCodeCss}
.device { justify-items: stretch; }
.device .instruct { color: var(--lk-muted); font-size: var(--lk-text-s); text-align: center; text-wrap: balance; }
:host { all: initial; display: contents; }
*, *::before, *::after { box-sizing: border-box; }

.layer {
  position: fixed; inset: 0; z-index: 2147483647;
  width: 100vw; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; background: none; overflow: hidden;
  font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text);
  -webkit-font-smoothing: antialiased; text-align: start;
}
/* Closed while its content fades away. */
.layer:not([open]) { display: block; }
.layer::backdrop { background: none; }
.backdrop {
  position: absolute; inset: 0; background: var(--lk-scrim); backdrop-filter: blur(6px) saturate(1.1);
  transition: opacity 200ms var(--lk-ease);
}
.backdrop[data-starting-style], .backdrop[data-ending-style] { opacity: 0; }

.popup {
  position: absolute; display: flex; flex-direction: column;
  background: var(--lk-surface); border: 1px solid var(--lk-line); box-shadow: var(--lk-shadow-3); outline: none;
  transition: opacity 200ms var(--lk-ease), transform 260ms var(--lk-ease);
}
.popup.modal {
  inset: 0; margin: auto; width: min(480px, calc(100vw - 24px)); height: fit-content;
  max-height: min(760px, calc(100dvh - 24px)); border-radius: var(--lk-radius-l);
}
.popup.modal[data-starting-style], .popup.modal[data-ending-style] { opacity: 0; transform: translateY(10px) scale(0.98); }
.popup.drawer {
  inset: auto 0 0; margin: 0 auto; width: min(560px, 100vw); max-height: calc(100dvh - 40px);
  border-bottom: 0; border-radius: var(--lk-radius-l) var(--lk-radius-l) 0 0;
}
.popup.drawer::before {
  content: ''; flex: none; width: 40px; height: 4px; margin: 10px auto -8px; border-radius: 2px; background: var(--lk-line);
}
.popup.drawer[data-starting-style], .popup.drawer[data-ending-style] { transform: translateY(100%); }

header { display: flex; gap: 14px; align-items: flex-start; padding: 22px 22px 16px; }
.mark { flex: none; width: 40px; height: 40px; }
.mark .plate { fill: var(--lk-primary); }
.mark .key { fill: var(--lk-on-primary); }
.title { margin: 0; font-size: var(--lk-text-l); line-height: 1.3; font-weight: 650; letter-spacing: -0.012em; }
.lead { margin: 2px 0 0; color: var(--lk-muted); font-size: var(--lk-text-s); }

.body {
  flex: 1 1 auto; min-height: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
  padding: 2px 22px 18px; display: grid; gap: 14px; align-content: start;
}
.body > * { min-width: 0; }

dl, dd, ol, p, h3 { margin: 0; padding: 0; }
.details { display: grid; gap: 7px; }
.details > div, .card > .details:first-of-type { min-width: 0; }
.details > div { display: grid; grid-template-columns: 118px minmax(0, 1fr); gap: 12px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); gap: 6px; }
.digest > div.wide { gap: 1px; }
dt { color: var(--lk-muted); font-size: var(--lk-text-s); }
dd { font-size: var(--lk-text-s); overflow-wrap: anywhere; min-width: 0; }
strong { font-weight: 600; }
code { font-family: var(--lk-mono); font-size: 0.94em; }
.facts { padding-bottom: 2px; }
.digest code { color: var(--lk-muted); font-size: var(--lk-text-xs); }
.faint { color: var(--lk-muted); }

.card { border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); background: var(--lk-raised); padding: 14px; display: grid; gap: 12px; }
.card > * { min-width: 0; }
.eyebrow { color: var(--lk-muted); font-size: var(--lk-text-xs); font-weight: 600; letter-spacing: 0.02em; }
.receiver { font-size: var(--lk-text-m); font-weight: 600; }
.actions { list-style: none; display: grid; gap: 12px; }
.action { border-top: 1px solid var(--lk-line); padding-top: 12px; display: grid; gap: 9px; min-width: 0; }
h3 { font-size: var(--lk-text-m); line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
h3 code { font-weight: 600; color: var(--lk-accent); }

.untrusted { unicode-bidi: isolate; overflow-wrap: anywhere; }
.untrusted.lines { white-space: pre-wrap; tab-size: 2; }
mark {
  font: 600 10px/1 var(--lk-mono); color: var(--lk-danger); background: var(--lk-danger-soft);
  border: 1px solid var(--lk-danger-line); border-radius: 4px; padding: 1px 3px; margin: 0 1px; white-space: nowrap;
}
.scrolled {
  font: 400 var(--lk-text-s)/1.55 var(--lk-mono); background: var(--lk-sunken); border-radius: var(--lk-radius-s);
  padding: 10px 12px; max-height: 200px; overflow: auto; scrollbar-width: thin;
}
.amount { display: inline-flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; }
.exact { flex-basis: 100%; font-family: var(--lk-mono); font-size: var(--lk-text-xs); color: var(--lk-muted); }

.warning, .error {
  display: flex; gap: 9px; padding: 10px 12px; border-radius: var(--lk-radius-s); font-size: var(--lk-text-s); line-height: 1.45;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.sign { flex: none; width: 18px; height: 18px; margin-top: 1px; }

footer { position: relative; padding: 14px 22px 20px; border-top: 1px solid var(--lk-line); display: grid; gap: 10px; }
.notice { color: var(--lk-muted); font-size: var(--lk-text-xs); line-height: 1.45; text-wrap: pretty; }
.status { display: flex; gap: 9px; align-items: center; color: var(--lk-muted); font-size: var(--lk-text-s); }
/* Not taken away: a live region is heard only where it was there before its text. The gap below goes with it. */
.status:empty { height: 0; margin-bottom: -10px; }
.buttons { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 10px; }

.button {
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  min-height: 46px; padding: 0 16px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); cursor: pointer;
  transition: background 120ms, opacity 120ms, transform 80ms;
}
.button:hover { background: var(--lk-sunken); }
.button:active { transform: translateY(1px); }
.button.primary { background: var(--lk-primary); border-color: transparent; color: var(--lk-on-primary); }
.button.primary:hover { background: var(--lk-primary-hover); }
.button.danger { background: var(--lk-danger-fill); color: var(--lk-on-danger); }
.button.danger:hover { background: var(--lk-danger-fill-hover); }
/* Takes no click yet. */
[aria-busy='false'] .button.primary[aria-disabled='true'] {
  background: color-mix(in srgb, var(--lk-primary) 80%, var(--lk-surface)); cursor: default;
}
[aria-busy='false'] .button.danger[aria-disabled='true'] { background: color-mix(in srgb, var(--lk-danger-fill) 80%, var(--lk-surface)); }
[aria-busy='true'] .button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.quiet {
  font: 500 var(--lk-text-xs)/1.4 var(--lk-font); color: var(--lk-accent); background: none; border: 0; padding: 2px 4px; margin: -2px -4px;
  border-radius: 4px; cursor: pointer; text-decoration: underline; text-underline-offset: 2px; text-decoration-thickness: 1px;
}
:is(.button, .quiet, .scrolled):focus-visible { outline: none; box-shadow: var(--lk-ring); }
:is(.button, .quiet, .scrolled, .body):focus-visible { outline: 2px solid transparent; }
.body:focus-visible { box-shadow: inset 0 0 0 2px var(--lk-accent); }

.spinner {
  flex: none; width: 15px; height: 15px; border-radius: 50%; border: 2px solid var(--lk-line-strong); border-top-color: var(--lk-accent);
  animation: turn 800ms linear infinite;
}
.countdown {
  position: absolute; inset: -1px 0 auto; height: 2px; background: var(--lk-brass); transform-origin: left;
  animation: fill linear both;
}
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes fill { from { transform: scaleX(0); } }

@media (max-width: 420px) {
  header { padding: 18px 16px 14px; }
  .body { padding: 2px 16px 16px; }
  footer { padding: 12px 16px 16px; }
  .button { padding: 0 8px; font-size: 14px; }
  .details > div { grid-template-columns: 84px minmax(0, 1fr); gap: 8px; }
}
@media (prefers-reduced-motion: reduce) {
  .popup, .backdrop, .button { transition-duration: 1ms; }
  .popup.modal[data-starting-style], .popup.modal[data-ending-style],
  .popup.drawer[data-starting-style], .popup.drawer[data-ending-style] { transform: none; opacity: 0; }
  .spinner { animation-duration: 3s; }
  .countdown { animation-timing-function: steps(4); }
}
@media (forced-colors: active) {
  .button[aria-disabled='true'] { color: GrayText; }
  .button, .card, .warning, .error, .scrolled { border: 1px solid; }
}
`;
