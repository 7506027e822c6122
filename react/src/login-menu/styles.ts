/** The login menu's style sheet, in addition to the surface's. */
export const loginMenuCss = /* css */ `
:host {
  display: block; container-type: inline-size; contain-intrinsic-inline-size: 288px; font: 400 var(--lk-text-m)/1.55 var(--lk-font); color: var(--lk-text);
  text-align: start; -webkit-font-smoothing: antialiased;
}
.menu {
  position: relative; display: grid; gap: 22px; align-content: start; min-height: 340px; padding: 30px;
  background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-l); box-shadow: var(--lk-shadow-2);
}
.menu > * { min-width: 0; }
button { font: inherit; color: inherit; }
h2 { margin: 0; outline: none; }
b { color: var(--lk-text); }
.break { overflow-wrap: anywhere; }
.icon { flex: none; width: 1.2em; height: 1.2em; vertical-align: -0.22em; }
.error .icon, .advice .icon { width: 17px; height: 17px; margin-top: 2px; }
.close {
  display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border: 0; border-radius: 50%;
  background: none; color: var(--lk-muted); cursor: pointer;
}
.close:hover { color: var(--lk-text); background: color-mix(in srgb, var(--lk-text) 7%, transparent); }
:is(.close, .way):focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }

.switch {
  display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; margin: 0; padding: 4px; border: 0; min-width: 0;
  border-radius: var(--lk-radius-m); background: var(--lk-sunken);
}
.switch label { position: relative; }
.switch input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.switch span {
  display: block; padding: 9px 4px; border: 1px solid transparent; border-radius: 9px; text-align: center; font-weight: 600; color: var(--lk-muted);
  transition: background 160ms, color 160ms;
}
.switch input:checked + span { background: var(--lk-raised); color: var(--lk-text); box-shadow: var(--lk-shadow-1); }
.switch input:focus-visible + span { outline: 2px solid var(--lk-accent); outline-offset: 1px; }

.title-block h2 { font-size: 24px; line-height: 1.25; font-weight: 670; letter-spacing: -0.02em; }
.title-block p { margin-top: 2px; color: var(--lk-muted); }

/* As high as its button, which loads later. */
.passkey-login { display: grid; min-block-size: 60px; }

/* As high as its folded content, which loads later. */
.how-place { margin-block-start: -12px; min-block-size: calc(1.45 * var(--lk-text-s) + 6px); }
.how { margin: 0; }
.how ol { display: grid; gap: 6px; padding-inline-start: 20px; color: var(--lk-muted); }

a.button { display: grid; place-items: center; text-decoration: none; }

.field {
  position: relative; display: flex; align-items: center; gap: 8px; padding: 6px 6px 6px 18px;
  border: 1px solid var(--lk-line-strong); border-radius: 99px; background: var(--lk-raised); transition: border-color 120ms;
}
.field:focus-within { outline: 2px solid var(--lk-accent); outline-offset: -1px; }
.field:has(.go:focus-visible) { outline: none; }
.field[data-bad] { border-color: var(--lk-danger); }
.typing { position: relative; flex: 1; min-width: 0; font-size: 17px; }
.typing input {
  position: relative; width: 100%; padding: 8px 0; border: 0; background: none; outline: none; font: inherit; color: inherit;
}
.typing input::placeholder { color: var(--lk-muted); opacity: 1; }
/* As large as it fits: the longest one is 16.8 em wide in a wide font. */
.typing input[data-wordy]::placeholder { font-size: clamp(11px, (100cqi - var(--taken, 141px)) / 16.8, 17px); }
.ghost { position: absolute; inset: 0; display: flex; align-items: center; overflow: hidden; white-space: pre; pointer-events: none; }
.ghost span:first-child { visibility: hidden; flex: none; }
.suffix { min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--lk-muted); }
.go {
  flex: none; display: grid; place-items: center; width: 44px; height: 44px; padding: 0; border: 0; border-radius: 50%;
  background: var(--lk-primary); color: var(--lk-on-primary); cursor: pointer; transition: background 120ms;
}
.go:hover { background: var(--lk-primary-hover); }
.go:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: 2px; }
.go[aria-disabled='true'] { background: var(--lk-sunken); color: var(--lk-muted); cursor: default; }

/* On the field's upper edge, so that it covers no text. */
.hint {
  position: absolute; inset: auto auto calc(100% - 13px) 14px; padding: 2px 11px; border-radius: var(--lk-radius-s);
  background: var(--lk-danger-fill); color: var(--lk-on-danger); font-size: var(--lk-text-s); font-weight: 600; white-space: nowrap;
  animation: rise 160ms var(--lk-ease);
}
.hint:empty { display: none; }
.advice { min-height: 20px; margin: 8px 0 -8px; padding: 0 18px; font-size: var(--lk-text-s); line-height: 1.45; }
.advice p { display: flex; gap: 8px; color: var(--lk-danger); overflow-wrap: anywhere; }
.way {
  justify-self: start; margin: 0; padding: 3px 0; border: 0; background: none; border-radius: var(--lk-radius-s); cursor: pointer;
  color: var(--lk-accent); font-weight: 600; text-decoration: underline; text-underline-offset: 3px; text-align: start;
}

/* Under the words of the advice, next to its sign. */
.advice .way { margin: 2px 0 0 25px; }

.wallet-button { display: grid; gap: 8px; }
.place { height: 52px; border-radius: var(--lk-radius-m); background: var(--lk-sunken); }
.wallet-button p { font-size: var(--lk-text-s); color: var(--lk-muted); text-align: center; }
.wallet-button p:empty { display: none; }

.other-way {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 10px 14px; padding-top: 20px;
  border-top: 1px solid var(--lk-line); font-size: var(--lk-text-s); color: var(--lk-muted);
}
.ask { flex: 1 1 auto; min-width: 0; }
.other-way .button {
  display: inline-flex; gap: 8px; align-items: center; justify-content: center; min-height: 40px; padding: 0 14px;
  border-color: var(--lk-line); font-size: var(--lk-text-s);
}

.ways { display: grid; gap: 8px; margin: 0; padding: 0; border: 0; }
.ways button {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 14px; align-items: center; min-height: 60px; padding: 8px 16px;
  text-align: start;
}
.ways [aria-disabled='true'] { opacity: 0.5; }
.ways .icon { grid-row: span 2; width: 20px; height: 20px; color: var(--lk-accent); }
.ways .faint { font-weight: 400; font-size: var(--lk-text-s); line-height: 1.4; }

.other-ways { display: grid; gap: 12px; font-size: var(--lk-text-s); }
.other-ways .ends { display: flex; flex-wrap: wrap; gap: 8px; }
.other-ways .button { flex: 1 1 auto; min-height: 44px; padding-block: 8px; }

.waiting { justify-items: center; align-content: center; gap: 14px; text-align: center; }
.waiting .close { position: absolute; inset: 14px auto auto 14px; }
.waiting [role='status'] { font-size: var(--lk-text-l); font-weight: 620; letter-spacing: -0.01em; }
.pulse { position: relative; width: 64px; height: 64px; margin-bottom: 6px; }
.pulse::before, .pulse .arc { content: ''; position: absolute; inset: 0; border-radius: 50%; border: 2px solid var(--lk-brass); }
.pulse .arc {
  border-color: var(--lk-line) var(--lk-line) var(--lk-line) var(--lk-brass); border-width: 3px; animation: turn 1.1s linear infinite;
}
.pulse::before { border-width: 1px; animation: pulse 1.8s ease-out infinite; }

.link-view { gap: 16px; padding-top: 18px; }
.link-view .top { display: grid; grid-template-columns: 40px 1fr 40px; align-items: center; margin: 0 -8px; }
.link-view h2 { font-size: 17px; font-weight: 640; letter-spacing: -0.012em; text-align: center; }
.for { font-size: var(--lk-text-s); color: var(--lk-muted); text-align: center; }

@keyframes pulse { from { transform: scale(1); opacity: 0.7; } to { transform: scale(1.5); opacity: 0; } }
@keyframes rise { from { transform: translateY(-4px); opacity: 0; } }

@container (max-width: 400px) {
  .menu { --taken: 97px; padding: 20px 14px; }
  .link-view { padding-top: 14px; }
  .field { gap: 4px; padding: 4px 4px 4px 12px; }
  .advice { padding-inline: 12px; }
  .switch span { font-size: 15px; }
}
/* A longer word of a mode takes room from a shorter one. */
@container (max-width: 320px) {
  .menu { --taken: 85px; padding-inline: 10px; }
  .field { gap: 2px; padding-inline-start: 10px; }
  .switch { grid-auto-columns: auto; }
  .switch span { padding-inline: 2px; font-size: 14px; }
}
@media (forced-colors: active) {
  .switch input:checked + span { border-color: Highlight; color: Highlight; }
  .go { border: 1px solid; }
  .go[aria-disabled='true'] { color: GrayText; }
  .hint { border: 1px solid; }
  .close { border: 1px solid; }
  .pulse .arc { border-color: GrayText; border-top-color: Highlight; }
}
`;
