import { inFull } from './catalogue.js';
import { texts } from './current.js';
import type { Texts } from './english.js';
import { type ConfirmTexts, englishConfirm } from './english-confirm.js';
import { useTexts } from './use-texts.js';

export type { ConfirmTexts };

/** The confirmation's texts of a catalogue: English where it has none. */
const confirmTextsOf = ({ confirm }: Texts): ConfirmTexts => inFull(englishConfirm, confirm);

/** The confirmation's texts of this page. They load with the confirm UI. */
export const confirmTexts = (): ConfirmTexts => confirmTextsOf(texts());

/** The same, for a component. */
export const useConfirmTexts = (): ConfirmTexts => confirmTextsOf(useTexts());
