import { translated } from './catalogue.js';
import { texts } from './current.js';
import type { Texts } from './english.js';
import { type ConfirmTexts, englishConfirm } from './english-confirm.js';
import { useTexts } from './use-texts.js';

export type { ConfirmTexts };

/** By the part that they translate. */
const complete = new WeakMap<object, ConfirmTexts>();

/** The confirmation's texts of a catalogue: English where it has none. */
function confirmTextsOf({ confirm }: Texts): ConfirmTexts {
  if (!confirm) return englishConfirm;
  const known = complete.get(confirm) ?? translated(englishConfirm, confirm);
  complete.set(confirm, known);
  return known;
}

/** The confirmation's texts of this page. They load with the confirm UI. */
export const confirmTexts = (): ConfirmTexts => confirmTextsOf(texts());

/** The same, for a component. */
export const useConfirmTexts = (): ConfirmTexts => confirmTextsOf(useTexts());
