/** The viewer's style sheet, adopted by its document next to the tokens. The scrim belongs to the page. */
export const viewerCss = /* css */ `
*, *::before, *::after { box-sizing: border-box; }
html, body { height: 100%; margin: 0; background: transparent; overflow: hidden; }
body { font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text); -webkit-font-smoothing: antialiased; }
[hidden] { display: none !important; }

.popup {
  position: absolute; display: flex; flex-direction: column;
  background: var(--lk-surface); border: 1px solid var(--lk-line); box-shadow: var(--lk-shadow-3);
}
.popup.modal {
  inset: 0; margin: auto; width: min(480px, calc(100vw - 24px)); height: fit-content;
  max-height: calc(100% - 24px); border-radius: var(--lk-radius-l); animation: rise 200ms var(--lk-ease);
}
.popup.drawer {
  inset: auto 0 0; margin: 0 auto; width: min(560px, 100vw); max-height: calc(100% - 40px);
  border-bottom: 0; border-radius: var(--lk-radius-l) var(--lk-radius-l) 0 0; animation: slide 260ms var(--lk-ease);
}
.popup.drawer::before {
  content: ''; flex: none; width: 40px; height: 4px; margin: 10px auto -8px; border-radius: 2px; background: var(--lk-line);
}

header { display: flex; gap: 14px; align-items: flex-start; padding: 22px 22px 14px; }
header > div { min-width: 0; overflow-wrap: break-word; hyphens: auto; }
.mark { flex: none; width: 40px; height: 40px; }
.plate { fill: var(--lk-primary); }
.key { fill: var(--lk-on-primary); }
.title { margin: 0; font-size: var(--lk-text-l); line-height: 1.3; font-weight: 650; letter-spacing: -0.012em; }
.lead { margin: 2px 0 0; color: var(--lk-muted); font-size: var(--lk-text-s); }

.body {
  flex: 1 1 auto; min-height: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin;
  padding: 2px 22px 18px; display: grid; gap: 14px; align-content: start; outline: none;
}
.warning, .error {
  margin: 0; padding: 12px 14px; border-radius: var(--lk-radius-m); font-size: var(--lk-text-s); line-height: 1.5;
  color: var(--lk-danger); background: var(--lk-danger-soft); border: 1px solid var(--lk-danger-line);
}
.warning { list-style: none; display: grid; gap: 8px; }
strong { font-weight: 650; }

.facts { margin: 0; display: grid; gap: 7px; font-size: var(--lk-text-s); }
.facts > div { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 12px; }
dt { color: var(--lk-muted); }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }

.held { display: grid; gap: 10px; }
.text {
  display: flex; align-items: center; min-height: 74px; padding: 12px 14px; border: 1px solid var(--lk-line-strong);
  border-radius: var(--lk-radius-m); background: var(--lk-sunken); overflow-wrap: anywhere;
  font: 400 var(--lk-text-s)/1.55 var(--lk-mono); color: var(--lk-muted); user-select: none;
}
.text.revealed { color: var(--lk-text); user-select: all; }

.words { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 10px; margin: 0; }
ol.words {
  grid-auto-flow: column; grid-template-rows: repeat(4, auto); grid-template-columns: none; grid-auto-columns: minmax(0, 1fr);
  padding-block: 12px; padding-inline: 34px 12px; column-gap: 30px; border: 1px solid var(--lk-line-strong);
  border-radius: var(--lk-radius-m); background: var(--lk-sunken); font: 400 var(--lk-text-m)/1.6 var(--lk-mono);
}
.fields { display: grid; gap: 10px; }
.field { display: grid; gap: 4px; font-size: var(--lk-text-s); color: var(--lk-muted); }
.field input {
  width: 100%; min-height: 44px; padding: 0 10px; font: 400 var(--lk-text-m)/1.2 var(--lk-mono); color: var(--lk-text);
  background: var(--lk-surface); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-s, 8px);
}
.field input:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.field input[aria-invalid='true'] { border-color: var(--lk-danger); }
.hint { margin: 0; color: var(--lk-muted); font-size: var(--lk-text-s); }

footer { padding: 14px 22px 20px; border-top: 1px solid var(--lk-line); display: grid; gap: 10px; }
.status { margin: 0; color: var(--lk-muted); font-size: var(--lk-text-s); }
.status:empty { display: none; }
.buttons { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 10px; }
footer .buttons { grid-auto-columns: auto; grid-template-columns: minmax(0, 2fr); }
footer .buttons:has(.primary:nth-child(2)) { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
.button {
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  min-height: 46px; padding: 0 10px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); cursor: pointer;
}
.button:hover { background: var(--lk-sunken); }
.button.primary { background: var(--lk-primary); border-color: transparent; color: var(--lk-on-primary); }
.button.primary:hover { background: var(--lk-primary-hover); }
.button.danger { background: var(--lk-danger-fill); color: var(--lk-on-danger); }
.button.danger:hover { background: var(--lk-danger-fill-hover); }
.button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
.button:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.body:focus-visible { outline: 2px solid transparent; outline-offset: -2px; box-shadow: inset 0 0 0 2px var(--lk-accent); }

@keyframes rise { from { opacity: 0; transform: translateY(10px) scale(0.98); } }
@keyframes slide { from { transform: translateY(100%); } }
@media (max-width: 420px) {
  .words { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  ol.words { grid-template-rows: repeat(6, auto); }
  header { padding: 18px 16px 12px; }
  .body { padding: 2px 16px 14px; }
  footer { padding: 12px 16px 16px; }
  .button { padding: 0 6px; font-size: 14px; }
}
/* The way on has the longer words. */
@media (max-width: 350px) {
  .button { font-size: var(--lk-text-s); }
  footer .buttons:has(.primary:nth-child(2)) { grid-template-columns: minmax(70px, auto) minmax(0, 1fr); gap: 8px; }
}
@media (forced-colors: active) {
  .button, .warning, .error, .text, .words, .field input { border: 1px solid; }
  .button[aria-disabled='true'] { color: GrayText; }
}
`;
