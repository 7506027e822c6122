/** The page: its bar, sections, screens and footer. */
export const layoutCss = /* css */ `
.home {
  display: flex; flex-direction: column; min-height: 100dvh; font: 400 var(--lk-text-m)/1.55 var(--lk-font); color: var(--lk-text);
  text-align: start; -webkit-font-smoothing: antialiased;
  background: radial-gradient(60rem 26rem at 80% -12rem, color-mix(in srgb, var(--lk-brass) 16%, transparent), transparent) no-repeat, var(--lk-canvas);
}
h1, h2 { margin: 0; outline: none; overflow-wrap: anywhere; }
h1 { font-size: 27px; line-height: 1.2; font-weight: 680; letter-spacing: -0.022em; }
h2 { font-size: 17px; line-height: 1.35; font-weight: 650; letter-spacing: -0.01em; }
ul { margin: 0; padding: 0; list-style: none; }
dl, dt { margin: 0; }
a { color: var(--lk-accent); text-underline-offset: 3px; text-decoration-thickness: 1px; border-radius: 4px; }
a:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.icon { flex: none; width: 18px; height: 18px; }
.small { font-size: var(--lk-text-s); line-height: 1.5; }
.break { overflow-wrap: anywhere; min-width: 0; }

.bar {
  display: flex; align-items: center; justify-content: space-between; gap: 12px; box-sizing: border-box;
  width: min(1040px, 100%); min-height: 72px; margin: 0 auto; padding: 12px 24px;
}
.brand { display: flex; align-items: center; gap: 11px; color: var(--lk-text); font-size: 17px; font-weight: 680; letter-spacing: -0.015em; text-decoration: none; }
.bar > div { min-width: 0; }
.brand .mark { flex: none;  width: 36px; height: 36px; }

.offline {
  box-sizing: border-box; width: min(1040px, calc(100% - 32px)); margin: 0 auto 12px; padding: 10px 14px; font-size: var(--lk-text-s);
  background: var(--lk-sunken); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}

.frame {
  display: grid; grid-template-columns: 208px minmax(0, 1fr); gap: 36px; box-sizing: border-box; align-items: start; align-content: start;
  width: min(1040px, 100%); margin: 0 auto; padding: 12px 24px 48px; flex: 1;
}
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; align-content: start; min-width: 0; max-width: 680px; }
main.alone { width: min(480px, 100%); box-sizing: border-box; margin: 0 auto; padding: 20px 24px 48px; flex: 1; }
.heading { display: grid; gap: 6px; }
.heading .lead { margin: 0; font-size: var(--lk-text-m); color: var(--lk-muted); text-wrap: pretty; overflow-wrap: anywhere; }

.sections { position: sticky; top: 12px; }
.sections ul { display: grid; gap: 2px; }
.sections a {
  display: flex; align-items: center; gap: 12px; min-height: 44px; padding: 0 14px; color: var(--lk-muted); font-weight: 570;
  text-decoration: none; border-radius: var(--lk-radius-m);
}
.sections a:hover { color: var(--lk-text); background: color-mix(in srgb, var(--lk-text) 6%, transparent); }
.sections a[aria-current] { color: var(--lk-text); background: var(--lk-surface); box-shadow: var(--lk-shadow-1); }
.sections a[aria-current] .icon { color: var(--lk-accent); }
.sections a:focus-visible { box-shadow: var(--lk-ring); }

.safety { box-sizing: border-box; border: 0; width: min(1040px, 100%); margin: 0 auto; padding: 18px 24px 28px; color: var(--lk-muted); font-size: var(--lk-text-s); }
.safety p { max-width: 76ch; text-wrap: pretty; overflow-wrap: anywhere; }
.safety b { color: var(--lk-text); font-weight: 600; }

.toasts {
  position: sticky; top: 0; z-index: 2147483000; display: grid; gap: 8px; box-sizing: border-box; padding: 8px 16px 0; pointer-events: none;
}
.toasts:empty { padding: 0; }
/* Under the sections, or next to the one column of a page without them: it covers no content there. */
@media (min-width: 1001px) {
  .toasts { position: fixed; inset-block: auto 16px; inset-inline: 16px auto; padding: 0; width: clamp(228px, calc((100vw - 1000px) / 2 + 228px), 420px); }
}
.toast {
  display: flex; gap: 10px; align-items: center; padding: 12px 16px; font-size: var(--lk-text-s); line-height: 1.45; overflow-wrap: anywhere;
  color: var(--lk-text); background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); box-shadow: var(--lk-shadow-2);
}
.toast[data-kind='success'] { border-color: var(--lk-good-line); background: var(--lk-good-soft); }
.toast[data-kind='error'] { border-color: var(--lk-danger-line); background: var(--lk-danger-soft); color: var(--lk-danger); }

@media (max-width: 820px) {
  .bar { padding: 10px 16px; min-height: 64px; }
  .frame { grid-template-columns: minmax(0, 1fr); gap: 16px; padding: 0 16px 40px; }
  main { max-width: none; }
  main.alone { padding: 12px 16px 40px; }
  /* What goes on behind an edge fades there; the padding keeps the first and the last out of it. */
  .sections {
    position: static; overflow-x: auto; scrollbar-width: thin; margin: 0 -16px; padding: 4px 16px 6px;
    mask-image: linear-gradient(to right, transparent, #000 28px calc(100% - 28px), transparent);
  }
  .sections ul { display: flex; width: max-content; gap: 4px; }
  .sections a { min-height: 40px; padding: 0 12px; gap: 8px; font-size: 14px; white-space: nowrap; }
  .safety { padding: 14px 16px 24px; }
}
@media (max-width: 420px) {
  h1 { font-size: 23px; }
  .brand span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}
@media (forced-colors: active) {
  .sections a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; }
  .toast { border: 1px solid; }
}
`;
