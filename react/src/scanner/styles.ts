/** The scanner's style sheet, in addition to the modal's. */
export const scannerCss = /* css */ `
.scanner { justify-items: stretch; gap: 16px; padding-top: 0; padding-bottom: 22px; }
.stage {
  position: relative; aspect-ratio: 1; border-radius: var(--lk-radius-m); overflow: hidden; background: #0b0a08; isolation: isolate;
  max-height: min(56dvh, 400px); width: 100%; justify-self: center;
}
.stage[hidden] { display: none; }
.stage video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transition: opacity 200ms; }
.stage video.mirrored { transform: scaleX(-1); }
.stage:not([data-status='scanning']) video { opacity: 0.25; }

/* The square in the middle, with its surroundings dimmed. */
.frame {
  position: absolute; inset: 0; margin: auto; aspect-ratio: 1; height: 68%; max-width: 100%;
  border-radius: 18px; box-shadow: 0 0 0 999px rgb(8 7 5 / 0.46); overflow: hidden;
}
.frame i { position: absolute; width: 34px; height: 34px; border: 0 solid #e9bd62; }
.frame i:nth-child(1) { inset: 0 auto auto 0; border-width: 3px 0 0 3px; border-radius: 18px 0 0 0; }
.frame i:nth-child(2) { inset: 0 0 auto auto; border-width: 3px 3px 0 0; border-radius: 0 18px 0 0; }
.frame i:nth-child(3) { inset: auto 0 0 auto; border-width: 0 3px 3px 0; border-radius: 0 0 18px 0; }
.frame i:nth-child(4) { inset: auto auto 0 0; border-width: 0 0 3px 3px; border-radius: 0 0 0 18px; }
.frame b {
  position: absolute; inset: 50% 10px auto; height: 2px; border-radius: 2px; opacity: 0;
  background: linear-gradient(90deg, transparent, #e9bd62, transparent);
}
[data-status='scanning'] .frame b { opacity: 0.9; animation: sweep 2.4s ease-in-out infinite alternate; }
[data-status='success'] .frame i { border-color: #85d6aa; }
.left {
  position: absolute; inset: auto 0 0; height: 3px; background: #e9bd62; transform-origin: var(--lk-start); opacity: 0; transition: transform 100ms linear;
}
[data-status='scanning'] .left { opacity: 0.85; }
@keyframes sweep { from { top: 4%; } to { top: calc(96% - 2px); } }

.words { display: grid; gap: 2px; text-align: center; }
.words p:first-child { font-weight: 600; text-wrap: balance; }
.words p:last-child { font-size: var(--lk-text-s); min-height: 1.5em; }
.camera { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 12px; align-items: center; }
.camera label { color: var(--lk-muted); font-size: var(--lk-text-s); }
select {
  font: 500 var(--lk-text-s)/1.3 var(--lk-font); color: var(--lk-text); background: var(--lk-raised);
  min-height: 42px; padding: 0 12px; border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); min-width: 0; width: 100%;
}
@media (forced-colors: active) {
  .stage, .camera select { border: 1px solid; }
  .frame i { border-color: Highlight; }
  .left { background: Highlight; }
}
`;
