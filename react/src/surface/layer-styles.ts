import { coverCss, motionCss } from '../tokens.js';
import { baseCss, controlCss } from './base-styles.js';
import { checkCodeCss } from './check-code.js';

/** Styles the layer of `layer.ts` and its backdrop. */
const layerCss = /* css */ `
.cover {
  z-index: 2147483647;
  font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text);
  -webkit-font-smoothing: antialiased; text-align: start;
}
/* A closed layer stays visible while its content fades out. */
.cover:not([open]) { display: block; }
.backdrop {
  position: absolute; inset: 0; background: var(--lk-scrim); backdrop-filter: blur(6px) saturate(1.1);
  transition: opacity 200ms var(--lk-ease);
}
.backdrop[data-starting-style], .backdrop[data-ending-style] { opacity: 0; }
@media (prefers-reduced-transparency: reduce) { .backdrop { backdrop-filter: none; } }
`;

/**
 * Styles a popup with its header, body and footer. After its opening, the popup and its ancestors have no opacity, filter
 * or transform: a click guard inside a frame would not count it as visible.
 */
export const popupCss = /* css */ `
.popup {
  position: absolute; display: flex; flex-direction: column;
  background: var(--lk-surface); border: 1px solid var(--lk-line); box-shadow: var(--lk-shadow-3); outline: none;
  transition: opacity 200ms var(--lk-ease), transform 260ms var(--lk-ease);
}
.popup.modal {
  inset: 0; margin: auto; width: min(480px, calc(100% - 24px)); height: fit-content;
  max-height: min(760px, calc(100% - 24px)); border-radius: var(--lk-radius-l);
}
.popup.modal[data-starting-style], .popup.modal[data-ending-style] { opacity: 0; transform: translateY(10px) scale(0.98); }
.popup.drawer {
  inset: auto 0 0; margin: 0 auto; width: min(560px, 100%); max-height: calc(100% - 40px);
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
footer { position: relative; padding: 14px 22px 20px; border-top: 1px solid var(--lk-line); display: grid; gap: 10px; }
.body:focus-visible { outline: 2px solid transparent; box-shadow: inset 0 0 0 2px var(--lk-accent); }

@media (max-width: 420px) {
  header { padding: 18px 16px 14px; }
  .body { padding: 2px 16px 16px; }
  footer { padding: 12px 16px 16px; }
}
`;

/** Styles the modals, in addition to the surface's sheet. */
export const modalCss = /* css */ `
.popup.sheet { width: min(440px, calc(100% - 24px)); }
.sheet header { align-items: center; padding-block: 18px 14px; padding-inline: 22px 14px; }
.sheet .heading { flex: 1; min-width: 0; }
.icon { width: 18px; height: 18px; flex: none; }
.close {
  flex: none; display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border: 0; border-radius: 50%;
  background: none; color: var(--lk-muted); cursor: pointer;
}
.close:hover { color: var(--lk-text); background: color-mix(in srgb, var(--lk-text) 7%, transparent); }
:is(.close, .link, select):focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.problem { display: grid; justify-items: center; gap: 14px; text-align: center; padding: 26px 6px 10px; }
.problem .badge {
  display: grid; place-items: center; width: 52px; height: 52px; border-radius: 50%;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.problem .badge .icon, .problem .badge .sign { width: 24px; height: 24px; margin: 0; }
.problem p { overflow-wrap: anywhere; max-width: 38ch; }
@media (max-width: 420px) { .sheet header { padding-block: 14px 10px; padding-inline: 16px 8px; } }
@media (forced-colors: active) { .close { border: 1px solid; } }
`;

/** The style sheet of every surface in a layer, adopted by its shadow root after the tokens. */
export const surfaceCss = baseCss + coverCss + layerCss + popupCss + controlCss + checkCodeCss + motionCss;
