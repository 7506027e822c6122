import { motionCss } from '../tokens.js';
import { baseCss } from './base-styles.js';
import { checkCodeCss } from './check-code.js';
import { controlCss } from './control-styles.js';
import { layerCss } from './layer-styles.js';
import { popupCss } from './popup-styles.js';

/** The style sheet of every surface, adopted by its shadow root after the tokens. */
export const surfaceCss = baseCss + layerCss + popupCss + controlCss + checkCodeCss + motionCss;
