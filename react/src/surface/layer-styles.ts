import { coverCss } from '../tokens.js';

/** Styles the layer of `layer.ts` and its backdrop. */
export const layerCss = /* css */ `
${coverCss}
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
