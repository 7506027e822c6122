import { texts } from './current.js';
import type { Texts } from './english.js';
import { type ConfirmTexts, englishConfirm } from './english-confirm.js';

/** The confirmation's texts of a catalogue: English where it has none. */
export const confirmTextsOf = (of: Texts): ConfirmTexts => of.confirm ?? englishConfirm;

/** The confirmation's texts of this page. */
export const confirmTexts = (): ConfirmTexts => confirmTextsOf(texts());
