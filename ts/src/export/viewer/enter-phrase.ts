/** Takes a phrase that the user has: twelve fields, or one paste. The words leave through the worker's port alone. */
import { splitWords } from '../../phrase/split-words.js';
import type { PhraseDelivery } from '../../workers/phrase-api.js';
import type { PhraseModel } from '../contract.js';
import type { EnterPhraseTexts } from '../phrase-viewer-texts.js';
import { button, type CommonLook, drawShell, element, facts } from './parts.js';
import { startSession } from './session.js';
import { filled, WORDS, wordField } from './word-fields.js';

/** The user's time to find the paper and type. */
const ENTER_LIMIT_MS = 15 * 60_000;

export function enterPhrase(
  model: Extract<PhraseModel, { readonly purpose: 'enter' }>,
  look: CommonLook & { readonly texts: EnterPhraseTexts },
  page: MessagePort,
): void {
  const { texts } = look;
  const session = startSession(page, {
    limitMs: ENTER_LIMIT_MS,
    onPort: send,
    onFailed: fail,
    onClose: () => {
      for (const input of inputs) input.value = '';
    },
  });

  const error = element('p', { className: 'error', role: 'alert', hidden: true });
  const account = model.accountId === undefined ? wordField(texts.account, undefined, request) : undefined;
  const words = Array.from({ length: WORDS }, (_, at) =>
    wordField(filled(texts.word, at + 1), at, () => (at === WORDS - 1 ? request() : inputs[at + 1]?.focus())),
  );
  const inputs = words.flatMap((label) => [...label.querySelectorAll('input')]);
  const leave = button(texts.cancel, 'button', () => session.close('cancel'));
  const go = button(texts.continue, 'button primary', request);
  const shown = facts([
    ...(model.accountId === undefined ? [] : [[texts.account, model.accountId] as const]),
    [texts.network, model.networkId],
  ]);
  const { dialog, status } = drawShell(
    model,
    look,
    {
      title: texts.title,
      lead: texts.lead,
      label: texts.label,
      body: [
        error,
        shown,
        ...(account ? [account] : []),
        element('p', { className: 'hint' }, texts.paste),
        element('div', { className: 'fields words' }, ...words),
      ],
      buttons: [leave, go],
    },
    () => session.close('cancel'),
  );
  (account?.querySelector('input') ?? inputs[0])?.focus();

  for (const [at, input] of inputs.entries()) {
    input.addEventListener('paste', (event) => spread(event, at));
  }

  /** Several words that are pasted go into this field and the next ones; twelve begin at the first. */
  function spread(event: ClipboardEvent, at: number): void {
    const pasted = splitWords(event.clipboardData?.getData('text/plain') ?? '');
    if (pasted.length < 2) return;
    event.preventDefault();
    const start = pasted.length >= WORDS ? 0 : at;
    // Words beyond the twelfth stay in the last field, so that the error can count them.
    for (const [index, input] of inputs.slice(start).entries()) {
      const isLast = start + index === WORDS - 1;
      const part = pasted.slice(index, isLast ? undefined : index + 1).join(' ');
      if (part !== '') input.value = part;
    }
    inputs[Math.min(start + pasted.length, WORDS) - 1]?.focus();
  }

  function request(): void {
    if (!session.request(account?.querySelector('input')?.value.trim())) return;
    error.hidden = true;
    dialog.ariaBusy = 'true';
    go.ariaDisabled = 'true';
    status.textContent = texts.busy;
  }

  function send(port: MessagePort): void {
    const phrase = new TextEncoder().encode(inputs.map(({ value }) => value).join(' '));
    port.postMessage({ phrase } satisfies PhraseDelivery, [phrase.buffer]);
    port.close();
  }

  function fail(message: string): void {
    dialog.ariaBusy = null;
    go.ariaDisabled = null;
    status.textContent = '';
    error.textContent = message;
    error.hidden = false;
    error.scrollIntoView({ block: 'nearest' });
  }

  session.tell({ type: 'WALLET_UI_OPENED' });
}
