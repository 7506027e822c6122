import button from './english/button.json' with { type: 'json' };
import { englishActions } from './english-actions.js';

/** All that the frame of the embedded transaction button says, in English. */
export const englishFrame = { ...englishActions, ...button };

export type FrameTexts = typeof englishFrame;
