/** Styles the layer of `layer.ts` and its backdrop. */
export const layerCss = /* css */ `
.layer {
  position: fixed; inset: 0; z-index: 2147483647;
  width: 100vw; height: 100dvh; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; background: none; overflow: hidden;
  font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text);
  -webkit-font-smoothing: antialiased; text-align: start;
}
/* A closed layer stays visible while its content fades out. */
.layer:not([open]) { display: block; }
.layer::backdrop { background: none; }
.backdrop {
  position: absolute; inset: 0; background: var(--lk-scrim); backdrop-filter: blur(6px) saturate(1.1);
  transition: opacity 200ms var(--lk-ease);
}
.backdrop[data-starting-style], .backdrop[data-ending-style] { opacity: 0; }
@media (prefers-reduced-transparency: reduce) { .backdrop { backdrop-filter: none; } }
`;
