/** The error text of a call where no browser is. */
import { addTexts, LatchkeyError } from './latchkey-error.js';

const TEXTS = {
  NO_BROWSER:
    'The wallet runs in a page of a browser, and this call was made outside of one, such as on a server. Make it in the ' +
    'page: in an effect or an event handler.',
} as const;

export type NoBrowserTexts = typeof TEXTS;

addTexts(TEXTS);

export const noBrowser = (): LatchkeyError => new LatchkeyError('NO_BROWSER');
