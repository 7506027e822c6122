import { popupCss } from '../../../src/surface/layer-styles.js';
import { cardsCss } from './cards.js';
import { controlsCss } from './controls.js';
import { layoutCss } from './layout.js';

/** The page's style sheet, in addition to the surface's. */
export const homeCss = popupCss + layoutCss + cardsCss + controlsCss;
