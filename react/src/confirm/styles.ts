import { surfaceCss } from '../surface/surface-styles.js';
import { actionCss } from './action-styles.js';
import { dialogCss } from './dialog-styles.js';
import { glanceCss } from './glance.js';
import { newDeviceCss } from './new-device.js';
import { readingCss } from './reading.js';
import { valueCss } from './value-styles.js';

/** The confirm UI's style sheet, adopted by its shadow root after the tokens. */
export const confirmCss =
  surfaceCss + dialogCss + actionCss + valueCss + newDeviceCss + glanceCss + readingCss;
