/** Shows a new phrase, once: warns, shows the words on a click, and closes when the user has typed two of them. */
import { guardClicks } from '../../confirm/guard.js';
import type { PhraseDelivery } from '../../workers/phrase-api.js';
import type { ClosedBy, FromViewer, PhraseModel, ToViewer } from '../contract.js';
import type { ShowPhraseTexts } from '../phrase-viewer-texts.js';
import { button, type CommonLook, drawShell, element, facts, warningList } from './parts.js';
import { filled, WORDS, wordField, wordOf } from './word-fields.js';

/** The user's time to decide, as in every confirmation. */
const DECIDE_LIMIT_MS = 5 * 60_000;
/** The user's time to write twelve words by hand, and to type two of them. */
const HOLD_LIMIT_MS = 15 * 60_000;
const ASKED = 2;

export function showPhrase(
  model: Extract<PhraseModel, { readonly purpose: 'show' }>,
  look: CommonLook & { readonly texts: ShowPhraseTexts },
  page: MessagePort,
): void {
  const { texts } = look;
  let phrase: Uint8Array | undefined;
  let isWaiting = false;
  let isClosed = false;
  let limit = setTimeout(() => close('timeout'), DECIDE_LIMIT_MS);
  const tell = (message: FromViewer): void => page.postMessage(message);

  const error = element('p', { className: 'error', role: 'alert', hidden: true });
  const list = element('ol', { className: 'words', ariaLabel: texts.words, hidden: true });
  const fields = element('div', { className: 'fields', hidden: true });
  const warnings = warningList(texts.warnings);
  const leave = button(texts.cancel, 'button', () => close('cancel'));
  const again = button(texts.show, 'button', () => draw());
  const back = button(texts.back, 'button', () => draw());
  const go = button(texts.continue, 'button primary', request);
  const written = button(texts.written, 'button primary', ask);
  const done = button(texts.done, 'button primary', check);
  const { dialog, title, lead, body, status, buttons } = drawShell(
    model,
    look,
    {
      title: texts.title,
      lead: texts.lead,
      label: texts.label,
      body: [
        error,
        warnings,
        list,
        fields,
        facts([
          [texts.account, model.accountId],
          [texts.network, model.networkId],
        ]),
      ],
      buttons: [leave, go],
    },
    () => close('cancel'),
  );
  go.ariaDisabled = 'true';
  // The wallet always frames this document; the guard needs to know whether the wallet itself is framed.
  const guard = guardClicks(dialog, {
    isFramed: parent !== top,
    onChange: (isSeen) => {
      go.ariaDisabled = isSeen && !isWaiting ? null : 'true';
    },
  });

  function request(): void {
    if (isWaiting || phrase || !guard.isArmed) return;
    isWaiting = true;
    go.ariaDisabled = 'true';
    error.hidden = true;
    status.textContent = texts.busy;
    tell({ type: 'KEY_REQUESTED' });
  }

  function take({ data }: MessageEvent<Partial<PhraseDelivery> | null>): void {
    if (!isWaiting || isClosed || !(data?.phrase instanceof Uint8Array)) return;
    phrase = data.phrase;
    isWaiting = false;
    clearTimeout(limit);
    limit = setTimeout(() => close('timeout'), HOLD_LIMIT_MS);
    guard.close();
    warnings.remove();
    draw();
    tell({ type: 'KEY_RECEIVED' });
  }

  /** Shows the words. */
  function draw(): void {
    if (!phrase) return;
    step(texts.wordsTitle, texts.wordsLead, written);
    const held = phrase;
    const items = Array.from({ length: WORDS }, (_, at) => element('li', {}, wordOf(held, at)));
    list.replaceChildren(...items);
    list.hidden = false;
    body.focus();
  }

  /** Takes the words off the screen; `next` is the button that goes on. */
  function step(heading: string, text: string, next: HTMLElement, previous: HTMLElement = leave): void {
    list.replaceChildren();
    list.hidden = true;
    fields.replaceChildren();
    fields.hidden = true;
    error.hidden = true;
    status.textContent = '';
    title.textContent = heading;
    lead.textContent = text;
    body.ariaLabel = heading;
    body.scrollTop = 0;
    buttons.replaceChildren(previous, next);
  }

  /** Asks for two of the words, each time others. */
  function ask(): void {
    if (!phrase) return;
    step(texts.checkTitle, texts.checkLead, done, back);
    fields.replaceChildren(
      ...drawn(ASKED).map((at) => wordField(filled(texts.word, at + 1), at, () => check())),
    );
    fields.hidden = false;
    fields.querySelector('input')?.focus();
  }

  function check(): void {
    if (!phrase) return;
    for (const field of fields.querySelectorAll('input')) {
      const at = Number(field.dataset.at);
      const isRight = field.value.trim().toLowerCase() === wordOf(phrase, at);
      field.ariaInvalid = isRight ? null : 'true';
      if (isRight) continue;
      error.textContent = filled(texts.wrong, at + 1);
      error.hidden = false;
      field.focus();
      return;
    }
    close('done');
  }

  function close(by: ClosedBy): void {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(limit);
    guard.close();
    phrase?.fill(0);
    phrase = undefined;
    list.replaceChildren();
    fields.replaceChildren();
    tell({ type: 'WALLET_UI_CLOSED', by });
  }

  page.onmessage = ({ data, ports: [port] }: MessageEvent<ToViewer>) => {
    if (data.type === 'KEY_PORT' && port && isWaiting) port.onmessage = take;
    if (data.type !== 'FAILED') return;
    isWaiting = false;
    go.ariaDisabled = null;
    go.textContent = texts.again;
    status.textContent = '';
    error.textContent = data.message;
    error.hidden = false;
  };
  addEventListener('pagehide', () => close('cancel'));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || list.hidden) return;
    step(texts.wordsTitle, texts.wordsLead, again);
    status.textContent = texts.hidden;
  });
  tell({ type: 'WALLET_UI_OPENED' });
}

/** This many different positions, in order, at random. */
function drawn(count: number): number[] {
  const order = Array.from(crypto.getRandomValues(new Uint32Array(WORDS)), (value, at) => ({ value, at }));
  const picked = order.sort((a, b) => a.value - b.value).slice(0, count);
  return picked.map(({ at }) => at).sort((a, b) => a - b);
}
