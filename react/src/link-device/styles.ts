/** The QR view's style sheet, in addition to the surface's. */
export const linkDeviceCss = /* css */ `
:host { display: block; font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text); -webkit-font-smoothing: antialiased; }
.link { display: grid; justify-items: center; gap: 12px; text-align: center; }
.steps { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; width: 100%; margin: 0; padding: 0; list-style: none; }
.steps li { position: relative; padding-top: 20px; font-size: var(--lk-text-s); line-height: 1.35; color: var(--lk-muted); overflow-wrap: anywhere; }
.steps li::before {
  content: ''; position: absolute; inset-block-start: 2px; inset-inline-start: calc(50% - 6px); width: 12px; height: 12px;
  box-sizing: border-box; border: 2px solid var(--lk-line-strong); border-radius: 50%;
}
.steps li + li::after {
  content: ''; position: absolute; inset-block-start: 7px; inset-inline-start: calc(-50% + 6px); width: calc(100% - 20px); height: 2px;
  background: var(--lk-line-strong);
}
.steps li[data-done]::before { border-color: var(--lk-accent); background: var(--lk-accent); }
.steps li[aria-current] { color: var(--lk-text); font-weight: 600; }
.steps li[aria-current]::before { border-color: var(--lk-accent); }
/* White in both themes: cameras need a dark code on a light background. */
.paper {
  display: grid; place-items: center; width: min(256px, 100%); aspect-ratio: 1; padding: 8px; border-radius: var(--lk-radius-m);
  background: #ffffff; border: 1px solid var(--lk-line); overflow: hidden;
}
.paper img { display: block; width: 100%; height: auto; image-rendering: pixelated; transition: opacity 200ms; }
.paper[data-found] img { opacity: 0.22; }
.paper .spinner { width: 34px; height: 34px; border-width: 3px; border-color: #ded6c7; border-top-color: #7a5200; }
.instruction { display: grid; gap: 4px; max-width: 46ch; }
.instruction .faint { font-size: var(--lk-text-s); }
.say { font-weight: 600; }
/* Why the code is over. */
.ended { display: grid; gap: 6px; justify-items: center; max-width: 44ch; text-align: center; overflow-wrap: anywhere; }
.state { display: flex; gap: 9px; align-items: center; color: var(--lk-muted); font-size: var(--lk-text-s); max-width: 40ch; overflow-wrap: anywhere; }
.compare { display: grid; gap: 4px; justify-items: center; width: 100%; padding: 14px 12px; border-radius: var(--lk-radius-m); background: var(--lk-sunken); }
.compare .faint, .expiry { font-size: var(--lk-text-s); }
@media (forced-colors: active) {
  .paper { forced-color-adjust: none; }
  .compare { border: 1px solid; }
  .steps li[data-done]::before { background: Highlight; }
}
`;
