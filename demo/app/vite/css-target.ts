/**
 * The browsers whose CSS a build writes: those that know `light-dark()`, as the design tokens need. For older ones the build would
 * replace it by variables that follow `color-scheme` in its own sheets, and that one is in the tokens.
 */
export const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5'];
