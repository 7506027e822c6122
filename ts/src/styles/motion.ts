/**
 * Where the user wants less motion, nothing moves or fades. A sign that waits still turns, in steps: a smooth one repaints
 * everything behind it in each frame. No transition at all: a short one would also delay what has none, and mislead what
 * measures it. Adopted by every shadow root and document that the kit draws in.
 */
export const motionCss = /* css */ `
@media (prefers-reduced-motion: reduce) {
  *:not(.countdown), *::before, *::after {
    transition: none !important; animation-duration: 1ms !important; animation-iteration-count: 1 !important;
  }
  .spinner, .arc, .pulse::before {
    animation-duration: 4s !important; animation-iteration-count: infinite !important; animation-timing-function: steps(8) !important;
  }
  .countdown { animation-timing-function: steps(4) !important; }
}
`;
