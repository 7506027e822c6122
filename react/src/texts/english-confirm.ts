import { englishViewer } from 'latchkey/internal';
import acts from './english/acts.json' with { type: 'json' };
import button from './english/button.json' with { type: 'json' };
import confirm from './english/confirm.json' with { type: 'json' };
import { englishActions } from './english-actions.js';

/** The texts of the confirmation and the wallet page in English. */
export const englishConfirm = { ...confirm, acts, actions: englishActions, button, keyViewer: englishViewer };

export type ConfirmTexts = typeof englishConfirm;
