/** The fields for words, and how the words lie in memory. */
import { element } from './parts.js';

export const WORDS = 12;

/** One word of the phrase, which is UTF-8 with a space between words; only this word becomes a string. */
export function wordOf(phrase: Uint8Array, at: number): string {
  let start = 0;
  for (let word = 0; word < at; word += 1) start = phrase.indexOf(0x20, start) + 1;
  const end = phrase.indexOf(0x20, start);
  return new TextDecoder().decode(phrase.subarray(start, end === -1 ? undefined : end));
}

export function filled(text: string, position: number): string {
  return text.replace('{position}', String(position));
}

/** A labelled field that no browser completes, corrects or remembers. `onEnter` is called at the Enter key. */
export function wordField(label: string, at: number | undefined, onEnter: () => void): HTMLLabelElement {
  const field = element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  field.autocapitalize = 'none';
  field.setAttribute('autocorrect', 'off');
  if (at !== undefined) field.dataset.at = String(at);
  field.addEventListener('keydown', (event) => {
    if (event.isTrusted && event.key === 'Enter') onEnter();
  });
  return element('label', { className: 'field' }, element('span', {}, label), field);
}
