/** Views that take several nodes, looks or pages. Loaded when one is first needed. */
export { askThoroughly } from './ask-thoroughly.js';
export { withOtherPages } from './key-pages.js';
export { placeWrites } from './named-blocks.js';
