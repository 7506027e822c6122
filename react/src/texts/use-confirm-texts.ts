import { confirmTextsOf } from './current-confirm.js';
import type { ConfirmTexts } from './english-confirm.js';
import { useTexts } from './use-texts.js';

/** The confirmation's texts of this page, for a component. Loads with the confirm UI. */
export const useConfirmTexts = (): ConfirmTexts => confirmTextsOf(useTexts());
